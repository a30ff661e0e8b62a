"""A series of 336 cards as a PDF, fronts and backs: at most 2 s. The bound is for a machine of its own."""

import time

from spieltisch.decks.check import open_deck
from spieltisch.decks.deck import Deck
from spieltisch.decks.library import shipped
from spieltisch.decks.table import Table
from spieltisch.paper import pdf

CARDS = 336
BOUND = 2.0

deck = open_deck(shipped()["events"])
part = Deck(deck.name, deck.kind, Table(deck.table.about, deck.table.rows[:CARDS]))
for paper in ("a4", "letter"):
    start, busy = time.perf_counter(), time.process_time()
    made = pdf.typeset(part, "de", paper)
    took, worked = time.perf_counter() - start, time.process_time() - busy
    print(f"{CARDS} cards, {paper}: {took:.2f} s ({worked:.2f} s of CPU, bound {BOUND} s), {len(made) // 1000} kB")
