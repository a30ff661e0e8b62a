"""What a bot of this game brings along: guesses at the years, made once, from the backs that it never sees."""

import math

from msgspec import Struct

from spieltisch.dice import Dice
from spieltisch.games.annodomini.rooms import Hidden

TODAY = 2026
LEVELS = {"novice": "Novice", "connoisseur": "Connoisseur", "chronicler": "Chronicler"}
ERRORS = {"novice": 0.3, "connoisseur": 0.15, "chronicler": 0.05}  # of an event's age
LEAST = 3  # years by which even the latest events are misjudged


class Beliefs(Struct, frozen=True):
    """A guess at the year of every card, by number, and by how much of an event's age guesses are off."""

    years: tuple[int, ...]
    error: float = ERRORS["connoisseur"]

    def doubt(self, card: int) -> float:
        """By how many years the guess is usually off."""
        return self.error * (TODAY - self.years[card]) + LEAST

    def year(self, card: int, dice: Dice) -> int:
        """A year in which the event may have been: about the one guessed."""
        return round(self.years[card] + self.doubt(card) * _error(dice))


def believe(hidden: Hidden, dice: Dice, level: str = "connoisseur") -> Beliefs:
    """Guesses that are off by as much as people's: what is long ago is known less well."""
    error = ERRORS[level]
    middles = ((card.span.start + card.span.end) / 2 for card in hidden.cards)
    return Beliefs(tuple(_guess(year, error, dice) for year in middles), error)


def _guess(year: float, error: float, dice: Dice) -> int:
    return min(round(year + (error * (TODAY - year) + LEAST) * _error(dice)), TODAY)


def _error(dice: Dice) -> float:
    """Normally distributed, with standard deviation 1 (Box and Muller)."""
    return math.sqrt(-2 * math.log(1 - dice.random())) * math.cos(math.tau * dice.random())
