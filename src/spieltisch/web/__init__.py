"""Pages, sockets and JSON: how people and programs reach the tables.

Here: the application, the one door out (`wire`), seats and their keys, the templates and what they are told. Never
here: a State, a deck, a seed; a page asks a table for a seat's view and for what that seat may do, nothing else.
"""
