"""Search imagines from a view; a state is an error there, and for `legal`."""

from spieltisch.dice import FastDice
from spieltisch.game import State, see
from spieltisch.games.adaman import rules
from spieltisch.games.adaman.rules import Hidden, Own, Public


def cheat(state: State[Public, Own, Hidden]) -> None:
    rules.imagine(state, FastDice(1))  # error
    rules.legal(state)  # error
    rules.to_act(state)  # error
    rules.result(state)  # error
    rules.imagine(see(state, 0), FastDice(1))
