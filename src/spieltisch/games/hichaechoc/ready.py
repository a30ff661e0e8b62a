"""Has the compiler translate what the Grammarian thinks with, so that no game waits for it: once after an installation,
`python -m spieltisch.games.hichaechoc.ready`.
"""

from spieltisch.dice import Quick, throw
from spieltisch.game import see
from spieltisch.games.hichaechoc import bot, knowledge, record, rules


def ready() -> None:
    """One choice, as at a table."""
    options, deck = record.load({"options": {"mode": "assisted"}}, 2)
    state, dice = rules.setup(2, options, deck), Quick(1)
    knows = knowledge.believe(state.hidden, dice, *bot.THOUGHTFUL)
    while (due := rules.due(state)) is not None:
        state = rules.settle(state, throw(dice, due))
    (seat,) = rules.to_act(state.public)
    view = see(state, seat)
    bot.choose(view, rules.legal(view), dice, knows)  # several plays fit, so there is something to think about


if __name__ == "__main__":
    ready()
