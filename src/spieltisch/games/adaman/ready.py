"""Calls that make numba compile the whole engine (`spieltisch.makers`)."""

from spieltisch.dice import FastDice, resolve, throw
from spieltisch.game import see
from spieltisch.games.adaman import rules
from spieltisch.games.adaman.analysis import Analysis
from spieltisch.games.adaman.record import Record


def ready() -> None:
    """Ask the engine everything once. The answers are stored with the compiled code."""
    options, deck = Record(rules).load({"options": {}}, 1)
    dealt, dice = rules.setup(1, options, deck), FastDice(1)
    state, thrown = resolve(rules, dealt, lambda chance: throw(dice, chance))
    piles = [outcome for _, outcome in thrown]
    analysis = Analysis()
    analysis.label(dealt, piles)
    action = analysis.advise(see(state, 0)) or rules.legal(see(state, 0))[0]
    analysis.look_back(piles, [state, rules.apply(state, 0, action)], [action])
