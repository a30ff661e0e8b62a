"""Who may do what: keys of seats, decks and classes, and the actor behind a request.

It knows no view of a game and no template. Of a table it reads only the setup, whose turn it is, and question numbers.
"""
