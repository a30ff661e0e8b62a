"""A bot's beliefs, formed once with mistakes from the backs, which the bot itself never sees."""

import math
from collections.abc import Iterator, Sequence

from msgspec import Struct

from spieltisch import package
from spieltisch.dice import Dice
from spieltisch.games.trailblaze.firsts import First, Firsts
from spieltisch.games.trailblaze.state import Belief, Hidden
from spieltisch.i18n import N_

LEVELS = {"novice": N_("Novice"), "connoisseur": N_("Connoisseur"), "chronicler": N_("Chronicler")}
ERRORS = {"novice": 0.3, "connoisseur": 0.15, "chronicler": 0.05}  # share of an event's age
LEAST = 3  # error even about the latest firsts, in years
TODAY = 2026
LOGISTIC = math.sqrt(3) / math.pi  # scale of a logistic distribution with standard deviation 1


class Life(Struct, frozen=True):
    """A bot's made-up life: fields that it knows better, and by which factor."""

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
    """Beliefs about every card, formed once from the backs, with mistakes."""

    def form(self, hidden: Hidden, dice: Dice, level: str) -> tuple[Belief, ...]:
        """A belief for every card. Bots know distant events less well, and those of their own life better."""
        life = dice.choice(LIVES)
        return tuple(_belief(card, ERRORS[level], life, dice) for card in hidden.cards)

    def secrets(self, hidden: Hidden, /) -> tuple[int, ...]:
        """The year of every card; for a joker, today, because its front shows that it is one."""
        return tuple(TODAY if card.year is None else card.year for card in hidden.cards)

    def trusting(self, secrets: Sequence[int | None]) -> tuple[Belief | None, ...]:
        return tuple(None if year is None else Belief(year, 0.0) for year in secrets)

    def compared(
        self, deck: Firsts, hidden: Hidden, beliefs: Sequence[Belief], /
    ) -> Iterator[tuple[str, int, int, float]]:
        for card, true, belief in zip(deck.cards, hidden.cards, beliefs, strict=True):
            if true.year is not None:  # a joker has no year
                yield card.id, true.year, belief.year, round(belief.spread, 3)


def _belief(card: First, error: float, life: Life, dice: Dice) -> Belief:
    """Form a belief. The spread depends on the believed year: from the true one, a bot could work out the date."""
    if card.year is None:
        return Belief(TODAY, 1.0)  # its front says that it is a joker
    blur = LOGISTIC * life.fields.get(card.field, life.else_) * (0.5 + dice.random())
    chance = min(max(dice.random(), 1e-6), 1 - 1e-6)
    year = min(round(card.year + blur * _doubt(card.year, error) * math.log(chance / (1 - chance))), TODAY)
    return Belief(year, blur * _doubt(year, error))


def _doubt(year: float, error: float) -> float:
    """The usual error about a year, in years."""
    return error * abs(TODAY - year) + LEAST
