"""Decks in the browser: pages, forms, the lab, templates and styles of one feature.

What a deck is and how a sheet becomes one stands in `spieltisch.decks`, which knows no request.
"""
