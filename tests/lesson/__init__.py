"""A whole lesson over real sockets and in real browsers: a class is prepared, comes, plays, is paused, drops out and
comes back, the server is stopped and started in between, all games end with a last round, the class looks back, answers
a slip, and is reported on. Decks are marked: whatever anybody is sent is held against what they may have been shown.

    python -m lesson [PUPILS] [CHANGES] [LESSONS] [--browsers N]     (in tests/; `make lesson`)

- `eyes`: what each seat, and everybody, has been shown; `found`: what came of it, and what was asked
- `phones`, `teacher`: who takes part, by requests and sockets; `browsers`: the same in Chromium
- `lesson`: the course of it
"""
