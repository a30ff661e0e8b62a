"""States that fit a view."""

from spieltisch.dice import Dice
from spieltisch.game import State
from spieltisch.games.adaman.state import GameState, GameView, Hidden, Own


def imagine(view: GameView, dice: Dice, beliefs: object = None) -> GameState:
    """The unseen cards in random order. Nothing else is unknown."""
    public = view.public
    everything = range(len(public.deck.cards))
    if public.pile == len(everything):
        return State(public, (Own(),), Hidden(tuple(everything)))  # not shuffled yet
    seen = {*public.capital, *public.palace, *public.resources, *public.personalities, *public.discarded}
    return State(public, (Own(),), Hidden(dice.shuffle([card for card in everything if card not in seen])))
