"""Content: what stands on the cards, one table a deck, with its sources. What is where:

- `text`, `dates`, `table`, `vocabulary`: a text in several languages, what dates mean, a deck as CSV, tags and names
- `kinds`: what a kind of decks is, and which games bring one; `dated`: what kinds with dates share
- `choosing`: decks of whose cards a table may choose; `tasks`: a task about a card, for a class;
  `chains`: chains to judge, dealt from a seed
- `library`: decks by their names, shipped ones and own ones; `filters`: which of their cards are played;
  `things`: no two of one thing at a table
- `deck`: any deck as its table; `check`: decks in files, looked over; `findings`: what was found
- `importing/`: from a file to a deck. `lint/`: all checks. `exporting/`: files, Anki packages, statistics, credits
- `inbox`: reports of wrong cards; `files`: how a server writes these and decks.

Printing is in `spieltisch.paper`. Never here: a game's rules, anything about tables or pages.
"""
