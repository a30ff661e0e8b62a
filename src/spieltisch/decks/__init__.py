"""Content: what stands on the cards, one table a deck, with its sources; dates, import, lint and print.

Here: types of cards, the readers of deck tables, the shipped decks under `shipped/`. Never here: a game's
rules, anything about tables or pages.
"""
