"""A class of pupils above tables: who is there, who sits at which table, and what the lesson plays.

Never here: a running game, a request, a key. `groups` deals pupils to tables as pure functions; `pseudonyms` gives
names that nobody types; `Classrooms` keeps what a `Classroom` is in the store.
"""
