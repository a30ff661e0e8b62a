"""How long a bot of each level thinks about a choice: `python bench/levels.py [GAMES]`.

Whole games among bots of one level, four at a table; milliseconds of the processor. In the browser the pause comes on
top that every bot makes (`spieltisch.table.sessions.pause`). The aim: an answer within a second (median).
"""

import statistics
import sys
import time

from spieltisch import games
from spieltisch.bots import beliefs_of
from spieltisch.dice import FastDice, resolve, throw
from spieltisch.game import aliased, see

MOST = 400  # actions of a game that are looked at
MODES = {"hic-haec-hoc": ({}, {"mode": "assisted"})}


def choices(package, level, options, number):
    """Seconds of the processor for each choice of a game in which there was one."""
    rules, dice, codec = package.rules, FastDice(number), package.record
    seats = min(4, rules.seats[-1])
    top = dict(codec.default)
    options, deck = codec.load({**top, "options": {**top["options"], **options}}, seats)
    state = rules.setup(seats, options, aliased(deck, dice.shuffle(range(len(deck.cards)))))
    beliefs = [beliefs_of(package, state.hidden, bytes([number]), seat, level) for seat in range(seats)]
    for _ in range(MOST):
        state, _ = resolve(rules, state, lambda chance: throw(dice, chance))
        if not (acting := rules.to_act(state.public)):
            return
        view = see(state, acting[0])
        legal = rules.legal(view)
        began = time.process_time()
        action = package.bot.choose(view, legal, dice, beliefs[acting[0]])
        if len(legal) > 1:
            yield time.process_time() - began
        state = rules.apply(state, acting[0], action)


def main(count):
    for package in games.packages().values():
        for level in package.bot.levels or ("",):
            for options in MODES.get(package.name, ({},)):
                list(choices(package, level, options, 0))  # what is compiled and remembered once
                spent = sorted(1000 * one for n in range(1, count + 1) for one in choices(package, level, options, n))
                print(
                    f"{package.name:14}{level:13}{options.get('mode', ''):10}{len(spent):6} choices, median "
                    f"{statistics.median(spent):7.2f} ms, p95 {spent[len(spent) * 95 // 100]:6.1f} ms, at most "
                    f"{spent[-1]:6.1f} ms",
                    flush=True,
                )


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 20)
