"""A thousand plays a game as the round of play made them, refusals and all: what no redesign may change.

Each play is made anew from its seed by a player who looks only at what a table offers and what is due, and
is compared with what was written down: its facts, its words and its states, each apart from the others.

``python -m tests.golden record`` writes the plays down, ``python -m tests.golden compare`` plays them again
and names the first difference.
"""
