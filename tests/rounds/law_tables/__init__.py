"""Tables written from the law, not from the program: who may take each step and when, and what goes wrong.

``who_when`` has roles and phases; ``states`` is the grammar of the sweep, and for each jurisdiction a module
brings a table into every state and says in which of them each step is lawful; ``irregularities`` are tried
cell by cell.
"""
