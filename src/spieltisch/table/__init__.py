"""A running table: its log, the store that keeps it, who must look again, bots' and clocks' turns.

`log` says what is written down, `store` keeps it, `wake` tells who must look again. `lobby` prepares a table, `host`
plays it; `session` is a table in memory, `position` one moment of it, `table` what may be asked of it. `schedule` says
when bots and clocks are due, `turns` lets them act, `thinking` is a process for what takes long. `export`, `replay` and
`lesson` are for finished games.

Never here: anything of the web, a rule of a game, a generator whose throws cannot be checked, global state.
Nothing but `host` and what it is made of (`session`, `position`) ever holds a State; what leaves is a View.
"""
