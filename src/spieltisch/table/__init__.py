"""A running table: its log, the store that keeps it, who must look again, bots' and clocks' turns.

`log` says what is written down, `store` keeps it, `wake` tells who must look again, `host` plays it,
`position` is one moment of it, `turns` lets bots and clocks have theirs, `export` makes a record of it.

Never here: anything of the web, a rule of a game, a generator whose throws cannot be checked, global state.
Nothing but `host` and what it is made of (`running`, `position`) ever holds a State; what leaves is a View.
"""
