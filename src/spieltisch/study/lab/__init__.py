"""The deck lab: plays a deck by simulation, reads its cards, and names what to change, the most useful first.

- `report`: what is found, put together; `examine` does it all
- `telling`: what fronts give away or leave open; `eras.csv` dates the times and things that `lab.toml` has words for
- `likeness`: cards that say what another one says, in this deck or in a shipped one; cards of one thing
- `times`: dates that lie too close or are too wide, and those that comment or words speak against; `corpus` knows these
- `translations`: fronts whose two languages tell different things
- `play`: games of bots of three levels: how long a game gets, what a seat is worth, which cards decide nothing
- `words`: the report in words, line by line

What a file or a card lacks is found in `spieltisch.decks.lint`; the lab shows its findings in the same list. Whoever
writes a finding here gives it a rule of its own in `RULES` of `report`.
"""
