"""A running table: its log and store, who is told of changes, and the turns of bots and clocks.

`log` defines what is stored, `store` stores it, and `wake` tells listeners that a table has changed. `lobby` prepares a
table and `host` plays it. `session` is a table in memory, `position` one moment of it, and `table` what others may ask
of it. `viewpoint` says which seat's view a shared device gets. `schedule` computes when bots and clocks are due, and
`turns` takes their turns. `export`, `replay` and `lesson` are for finished games.

This package has nothing of the web, no rules of a game, no unverifiable randomness and no global state. Only `host`,
`session` and `position` hold a State; they give away Views.
"""
