"""What a bot of this game brings along: guesses at the years, made once, from the backs that it never sees."""

import math

from msgspec import Struct

from spieltisch.dice import Dice
from spieltisch.games.annodomini.rooms import Hidden

TODAY = 2026
ERROR = 0.15  # of an event's age
LEAST = 3  # years by which even the latest events are misjudged


class Beliefs(Struct, frozen=True):
    """A guess at the year of every card, by number."""

    years: tuple[int, ...]

    def doubt(self, card: int) -> float:
        """By how many years the guess is usually off."""
        return ERROR * (TODAY - self.years[card]) + LEAST

    def year(self, card: int, dice: Dice) -> int:
        """A year in which the event may have been: about the one guessed."""
        return round(self.years[card] + self.doubt(card) * _error(dice))


def believe(hidden: Hidden, dice: Dice) -> Beliefs:
    """Guesses that are off by as much as people's: what is long ago is known less well."""
    return Beliefs(tuple(_guess((card.span.start + card.span.end) / 2, dice) for card in hidden.cards))


def _guess(year: float, dice: Dice) -> int:
    return min(round(year + (ERROR * (TODAY - year) + LEAST) * _error(dice)), TODAY)


def _error(dice: Dice) -> float:
    """Normally distributed, with standard deviation 1 (Box and Muller)."""
    return math.sqrt(-2 * math.log(1 - dice.random())) * math.cos(math.tau * dice.random())
