"""How well both coaches of Adaman play the same deals: `python bench/coaches.py [DEALS] [GAMES…]`.

Deals 0, 1, 2 … of the basic deck with seed 2026, the pile hidden, as `spieltisch study adaman coach` plays them. GAMES
are begun for a choice; without any each coach plays as at a table. Times are of the processor, once all is compiled.
"""

import sys
import time

from spieltisch import intervals
from spieltisch.dice import FastDice
from spieltisch.games.adaman.decktet import decktet
from spieltisch.games.adaman.plain.coach import coach as plain

SEED = 2026


def main(deals, games):
    deck = decktet()
    for name, coach in (("plain", plain()), ("compiled", compiled())):
        for each in games or (coach.quick, coach.games):
            won, choices, spent = 0, 0, time.process_time()
            for number in range(deals):
                cards = FastDice(f"{SEED}/{number}").shuffle(range(len(deck.cards)))
                win, said = coach.play(deck, cards, each, number)
                won, choices = won + win, choices + len(said)
            spent = 1000 * (time.process_time() - spent) / choices
            low, high = intervals.wilson(won / deals, deals)
            print(
                f"{name:9} {each:5} games a choice: won {won} of {deals}, {won / deals:.1%} ({low:.1%} to {high:.1%}), "
                f"{spent:.1f} ms a choice",
                flush=True,
            )


def compiled():
    try:
        from spieltisch.games.adaman.engine.coach import coach
    except ImportError:
        sys.exit("no compiled coach here: pip install 'spieltisch[study]'")
    return coach()


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 300, [int(one) for one in sys.argv[2:]])
