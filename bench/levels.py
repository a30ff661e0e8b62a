"""How long a bot of each level thinks about a choice: `python bench/levels.py [GAMES]`.

Whole games among bots of one level, four at a table; milliseconds of the processor. In the browser the pause comes on
top that every bot makes (`spieltisch.table.host.pause`). The aim: an answer within a second (median).
"""

import statistics
import sys
import time

from spieltisch import games
from spieltisch import record as records
from spieltisch.bots import knowledge
from spieltisch.dice import Quick, throw
from spieltisch.game import aliased, see

MOST = 400  # actions of a game that are looked at
MODES = {"hic-haec-hoc": ({}, {"mode": "assisted"})}


def choices(room, level, options, number):
    """Seconds of the processor for each choice of a game in which there was one."""
    rules, dice, codec = room.rules, Quick(number), records.codec_of(room)
    seats = min(4, rules.seats[-1])
    top = dict(codec.DEFAULT)
    options, deck = codec.load({**top, "options": {**top["options"], **options}}, seats)
    state = rules.setup(seats, options, aliased(deck, dice.shuffle(range(len(deck.cards)))))
    knows = [knowledge.of(room, state.hidden, bytes([number]), seat, level) for seat in range(seats)]
    for _ in range(MOST):
        while (due := rules.due(state)) is not None:
            state = rules.settle(state, throw(dice, due))
        if not (acting := rules.to_act(state.public)):
            return
        view = see(state, acting[0])
        legal = rules.legal(view)
        began = time.process_time()
        action = room.bot.choose(view, legal, dice, knows[acting[0]])
        if len(legal) > 1:
            yield time.process_time() - began
        state = rules.apply(state, acting[0], action)


def main(count):
    for room in games.rooms().values():
        for level in room.levels or ("",):
            for options in MODES.get(room.name, ({},)):
                list(choices(room, level, options, 0))  # what is compiled and remembered once
                spent = sorted(1000 * one for n in range(1, count + 1) for one in choices(room, level, options, n))
                print(
                    f"{room.name:14}{level:13}{options.get('mode', ''):10}{len(spent):6} choices, median "
                    f"{statistics.median(spent):7.2f} ms, p95 {spent[len(spent) * 95 // 100]:6.1f} ms, at most "
                    f"{spent[-1]:6.1f} ms",
                    flush=True,
                )


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 20)
