"""Who may do what: keys of seats, decks and classes, the actor that a request's keys make, the seat that a device
shows.

Never here: a view of a game, a template. Of a table it asks only the setup, whose turn it is, and question numbers.
"""
