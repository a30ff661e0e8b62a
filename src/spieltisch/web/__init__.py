"""Pages, sockets and JSON: how people and programs reach the tables.

Each feature has a room: `home`, `table`, `decks`, `classroom`, `past`, `daily`, `sure`, `practice`, `admin`. A room
holds its routes, commands, views, templates and styles, and imports `core`, never another room. `app` joins them;
`server` starts the process.

Never here: a running game's State, its deck, its seed. `core.view` asks a table for one seat's view and what that seat
may do, nothing else.
"""
