"""A view has no hidden room, and nobody else's."""

from spieltisch.game import View
from spieltisch.games.adaman.rules import Own, Public


def peek(view: View[Public, Own]) -> object:
    return view.hidden  # error


def peek_at_the_neighbour(view: View[Public, Own]) -> object:
    return view.own[1]  # error
