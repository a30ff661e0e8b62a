"""Who may do what: keys of seats and decks, the actor that a request's keys make, the seat that a device shows.

Never here: a view of a game, a template. Of a table only its setup, whose turn it is, and question numbers are asked.
"""
