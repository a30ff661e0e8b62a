"""A class of pupils above tables: who is present, who sits at which table, and what the lesson plays.

The package holds no running game, request or key. `groups` assigns pupils to tables with pure functions, `pseudonyms`
makes up names, and `Classrooms` stores each `Classroom`.
"""
