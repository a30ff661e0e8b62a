"""Several processes on one PostgreSQL: what they share, and how they tell each other of changes.

`postgres` is their store; `database` manages its connections, and `connection` runs statements on one. `copied` shares
the files of the data folder, and `copying` moves tables between a database and a file. `cluster` tells other processes
of this one's writes, by messages of `notify`. `holders` knows which process has a table in memory, and `fleet` how each
process is doing. `worker` is a process that only takes turns.

A single server needs none of this, and `table` never imports it.
"""
