"""What nobody may learn: which cards somebody may know, told by other means than the program's own.

``tape`` keeps rounds with irregularities, ``real_cards`` those that are typed in, and ``twins`` plays them
again with other hidden cards: whatever a person is told must be the same.
"""
