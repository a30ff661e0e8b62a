"""Decks on paper: cards to be cut out, with what else a game needs and its rules. `pdf` prints them.

Never here: how the cards of a game look, which is in its `print.typ`, or anything about running tables.
"""
