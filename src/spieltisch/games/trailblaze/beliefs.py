"""What a bot of this game brings along: made once, with mistakes, from the backs that it will never see."""

import math
from collections.abc import Iterator, Sequence

from msgspec import Struct

from spieltisch import package
from spieltisch.dice import Dice
from spieltisch.games.trailblaze.firsts import First, Firsts
from spieltisch.games.trailblaze.state import Belief, Hidden
from spieltisch.i18n import N_

LEVELS = {"novice": N_("Novice"), "connoisseur": N_("Connoisseur"), "chronicler": N_("Chronicler")}
ERRORS = {"novice": 0.3, "connoisseur": 0.15, "chronicler": 0.05}  # of an event's age
LEAST = 3  # years by which even the latest firsts are misjudged
TODAY = 2026
LOGISTIC = math.sqrt(3) / math.pi  # the scale of a logistic distribution, of its standard deviation


class Life(Struct, frozen=True):
    """What somebody has lived with: the fields that they know better, by which factor."""

    fields: dict[str, float]
    else_: float = 1.1


LIVES = (
    Life({"science": 0.5, "medicine": 0.5, "education": 0.7}),
    Life({"sport": 0.4, "mountaineering": 0.5}),
    Life({"film": 0.4, "music": 0.5, "theatre": 0.5}),
    Life({"politics": 0.5, "law": 0.5}),
    Life({"aviation": 0.4, "space": 0.4, "technology": 0.6, "exploration": 0.6}),
    Life({"literature": 0.5, "art": 0.5, "architecture": 0.6}),
)


class Beliefs(package.Beliefs[Firsts, Hidden, tuple[Belief, ...], tuple[Belief | None, ...]]):
    """A belief about every card, made once from its back, with mistakes."""

    def form(self, hidden: Hidden, dice: Dice, level: str) -> tuple[Belief, ...]:
        """A belief for every card: what is long ago is known less well, and what belongs to one's own life better."""
        life = dice.choice(LIVES)
        return tuple(_belief(card, ERRORS[level], life, dice) for card in hidden.cards)

    def secrets(self, hidden: Hidden, /) -> tuple[int, ...]:
        """The year of every card; today for a joker, which shows that it is one."""
        return tuple(TODAY if card.year is None else card.year for card in hidden.cards)

    def trusting(self, secrets: Sequence[int | None]) -> tuple[Belief | None, ...]:
        return tuple(None if year is None else Belief(year, 0.0) for year in secrets)

    def compared(
        self, deck: Firsts, hidden: Hidden, beliefs: Sequence[Belief], /
    ) -> Iterator[tuple[str, int, int, float]]:
        for card, true, belief in zip(deck.cards, hidden.cards, beliefs, strict=True):
            if true.year is not None:  # a joker has none
                yield card.id, true.year, belief.year, round(belief.spread, 3)


def _belief(card: First, error: float, life: Life, dice: Dice) -> Belief:
    """How sure one is follows from the year that one believes: from the true one, one could reckon back."""
    if card.year is None:
        return Belief(TODAY, 1.0)  # its front says that it is a joker
    blur = LOGISTIC * life.fields.get(card.field, life.else_) * (0.5 + dice.random())
    chance = min(max(dice.random(), 1e-6), 1 - 1e-6)
    year = min(round(card.year + blur * _doubt(card.year, error) * math.log(chance / (1 - chance))), TODAY)
    return Belief(year, blur * _doubt(year, error))


def _doubt(year: float, error: float) -> float:
    """By how many years one is usually off about a year."""
    return error * abs(TODAY - year) + LEAST
