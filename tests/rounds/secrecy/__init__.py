"""What nobody may learn: which cards somebody may know, told by other means than the program's own.

``cards`` says who may know which, ``tape`` keeps rounds with irregularities, and ``twins`` plays them again
with other hidden cards: whatever a person is told must be the same.
"""
