"""Adaman compiled: random playouts a second on one core, and how long the solver takes for a deal.

    PYTHONPATH=src python bench/adaman_study.py [DEALS]

The winnability of many deals is counted by `spieltisch study adaman winnable --deals N --seed S`.
"""

import sys
import time

from spieltisch.games.adaman.decktet import decktet
from spieltisch.games.adaman.engine import kernel, playout
from spieltisch.games.adaman.study import winnable

GAMES = 300_000


def main(deals: int) -> None:
    worth = kernel.worth(decktet())
    playout.playouts(worth, 36, 1, 1)  # compiled
    start = time.process_time()
    won, lost, hanged = playout.playouts(worth, 36, GAMES, 1)
    spent = time.process_time() - start
    print(f"{GAMES / spent:9.0f} random playouts a second (won {won}, lost {lost}, hanged {hanged})")
    question = winnable.Question("basic", 1, 10.0)
    winnable.answers(question, [0])  # compiled
    kept = winnable.Kept({answer.deal: answer for answer in winnable.run(question, range(deals), 1)}, {})
    print(winnable.as_text(winnable.figures(question, kept)))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
