"""Decks on paper: cards to be cut out, with what else a game needs and its rules. `press` gathers what is printed,
`sheets.typ` draws it. Never here: anything about tables that run.
"""
