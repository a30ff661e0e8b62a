"""A whole lesson over real sockets and in real browsers: a class is prepared, joins, plays, is paused, drops out and
returns; the server restarts in between; all games end with a last round; the class looks back, answers a slip, and gets
a report. Decks are marked: everything sent is checked against what its receiver may have seen.

    python -m lesson [PUPILS] [CHANGES] [LESSONS] [--browsers N]     (in tests/; `make lesson`)

- `eyes`: what each seat, and everybody, has been shown; `found`: the results and their limits
- `phones`, `teacher`: the people, by requests and sockets; `browsers`: the same in Chromium
- `lesson`: its course
"""
