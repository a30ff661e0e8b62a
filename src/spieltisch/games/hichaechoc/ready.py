"""Has the compiler translate what the Grammarian thinks with, so that no game waits for it: once after an installation,
`python -m spieltisch.games.hichaechoc.ready`.
"""

from spieltisch.dice import FastDice, resolve, throw
from spieltisch.game import see
from spieltisch.games.hichaechoc import beliefs, bot, rules
from spieltisch.games.hichaechoc.record import Record


def ready() -> None:
    """One choice, as at a table."""
    options, deck = Record(rules).load({"options": {"mode": "assisted"}}, 2)
    state, dice = rules.setup(2, options, deck), FastDice(1)
    believed = beliefs.believe(state.hidden, dice, *bot.THOUGHTFUL)
    state, _ = resolve(rules, state, lambda chance: throw(dice, chance))
    (seat,) = rules.to_act(state.public)
    view = see(state, seat)
    bot.choose(view, rules.legal(view), dice, believed)  # several plays fit, so there is something to think about


if __name__ == "__main__":
    ready()
