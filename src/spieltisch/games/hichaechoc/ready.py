"""Calls that make numba compile the whole engine (`spieltisch.makers`)."""

from spieltisch.dice import FastDice, resolve, throw
from spieltisch.game import see
from spieltisch.games.hichaechoc import rules
from spieltisch.games.hichaechoc.beliefs import Beliefs
from spieltisch.games.hichaechoc.bot import Bot
from spieltisch.games.hichaechoc.record import Record


def ready() -> None:
    """Make one choice, as at a table."""
    options, deck = Record(rules).load({"options": {"mode": "assisted"}}, 2)
    state, dice = rules.setup(2, options, deck), FastDice(1)
    beliefs = Beliefs().form(state.hidden, dice, *Bot.slow_levels)
    state, _ = resolve(rules, state, lambda chance: throw(dice, chance))
    (seat,) = rules.to_act(state.public)
    view = see(state, seat)
    Bot().choose(view, rules.legal(view), dice, beliefs)  # several plays fit, so the bot has to search
