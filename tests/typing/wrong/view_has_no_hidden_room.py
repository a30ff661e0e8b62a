"""A view has neither a hidden part nor other seats' parts."""

from spieltisch.game import View
from spieltisch.games.adaman.rules import Own, Public


def peek(view: View[Public, Own]) -> object:
    return view.hidden  # error


def peek_at_the_neighbour(view: View[Public, Own]) -> object:
    return view.own[1]  # error
