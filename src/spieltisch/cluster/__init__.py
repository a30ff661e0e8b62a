"""Several processes on one PostgreSQL: what they share, and how each hears what the others write.

`postgres` is their store; `database` keeps its connections, `connection` asks on one of them. `copied` shares the files
of the data folder, `copying` moves tables between a database and a file. `cluster` tells the other processes what this
one writes, over the messages of `notify`; `holders` knows who has a table in memory, `fleet` how each process is doing.
`worker` is a process that only takes turns.

A server that is alone needs none of this, and `table` never imports it.
"""
