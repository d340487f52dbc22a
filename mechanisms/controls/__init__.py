"""Privacy-neutral variants, one a module: changes that must stay unflagged, each with the proof that it is neutral.

Every module has a constant `CONTROL`.
"""
