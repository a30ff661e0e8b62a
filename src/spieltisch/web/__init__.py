"""Pages, sockets and JSON: how people and programs reach the tables.

A request walks down through the wings, each of which imports only those below it:

`app` puts the application together, `serve` starts it · `routes`, `api`, `live`: handlers of addresses, programs and
sockets · `inject`: what handlers are given · `commands`: what people do at a table · `services`: what runs while the
server runs · `view`: a table for one viewer, the only way out · `access`: keys, and who may do what · `http`: what
every request passes.

Never here: a running game's State, its deck, its seed. `view` asks a table for one seat's view and what that seat may
do, nothing else.
"""
