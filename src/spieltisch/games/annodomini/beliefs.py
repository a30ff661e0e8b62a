"""What a bot of this game brings along: a belief about every card, made once, from the backs that it never sees."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from math import cos, log, sqrt, tau

from msgspec import Struct

from spieltisch.decks.dates import Span
from spieltisch.decks.events import Event
from spieltisch.defaults import DefaultBeliefs
from spieltisch.dice import Dice, FastDice
from spieltisch.games.annodomini.state import Hidden

LEVELS = {"novice": "Novice", "connoisseur": "Connoisseur", "chronicler": "Chronicler"}
ERRORS = {"novice": 0.3, "connoisseur": 0.15, "chronicler": 0.05}  # of an event's age
LEAST = 3  # years by which even the latest events are misjudged
TODAY = 2026
FAME = {"1": 0.75, "2": 1.0, "3": 1.3}  # what everybody has heard of is known better
PASTS = 64  # that a bot thinks of


class Life(Struct, frozen=True):
    """What somebody has lived with: fields that they know better, or worse, and years in which they are at home."""

    name: str
    fields: dict[str, float]
    home: Span = Span(TODAY + 1, TODAY + 1)
    else_: float = 1.1

    def familiarity(self, event: Event) -> float:
        """By how much the usual error is to be multiplied."""
        known = [self.fields[field] for field in event.fields if field in self.fields]
        if self.home.start <= event.span.start <= self.home.end:
            known.append(0.4)
        return min(known, default=self.else_)


LABELS = {
    "medievalist": "a medievalist",
    "football": "a football fan",
    "ten": "ten years old",
    "cinema": "fond of the cinema",
    "engineer": "an engineer",
    "cook": "a cook",
    "traveller": "well travelled",
    "museum": "a museum guide",
}
LIVES = (
    Life("medievalist", {"religion": 0.7}, Span(500, 1500)),
    Life("football", {"sport": 0.3, "music": 0.8}),
    Life("ten", {"nature": 0.7, "space": 0.6, "politics": 1.5, "literature": 1.4}, Span(2005, TODAY)),
    Life("cinema", {"film": 0.3, "theatre": 0.6, "music": 0.6}),
    Life("engineer", {"technology": 0.5, "science": 0.6, "aviation": 0.4}),
    Life("cook", {"food": 0.4, "everyday": 0.6, "trade": 0.8}),
    Life("traveller", {"exploration": 0.4, "nature": 0.8, "trade": 0.7}),
    Life("museum", {"art": 0.4, "architecture": 0.5, "literature": 0.7}),
)


class Belief(Struct, frozen=True, gc=False):
    """About which year it was, give or take, and over how many years it went on."""

    year: int
    spread: float
    width: int = 0

    def around(self, error: float) -> Span:
        """The years if the guess is off by so many times the spread."""
        (first,) = self.firsts([error])
        return Span(first, first + self.width)

    def firsts(self, errors: Iterable[float]) -> list[int]:
        """The first years if the guess is off by each of these times the spread."""
        year, spread, half = self.year, self.spread, self.width / 2
        return [round(year + error * spread - half) for error in errors]


Pasts = tuple[list[int], list[int]]  # of a card, past by past: its first years, and its last


class BeliefSet(Struct, frozen=True, dict=True):
    """A belief about every card, by number; of what level, after what life. `seed` decides what is thought of."""

    cards: tuple[Belief, ...]
    level: str = "connoisseur"
    life: str = ""
    seed: int = 0

    @cached_property
    def _thought(self) -> dict[int, Pasts]:
        return {}

    def pasts(self, card: int) -> Pasts:
        """When it may have been: so many pasts, for the same card always the same ones."""
        known = self._thought.get(card)
        if known is None:
            belief = self.cards[card]
            first = belief.firsts(normals(FastDice(f"{self.seed}/{card}"), PASTS))
            last = [year + belief.width for year in first] if belief.width else first
            known = self._thought[card] = first, last
        return known

    def year(self, card: int, dice: Dice) -> int:
        """A year in which the event may have been."""
        return self.cards[card].around(normal(dice)).start


class Told(Struct, frozen=True):
    """The years of the cards as somebody was told them; None: of this one nothing."""

    years: tuple[int | None, ...]

    def year(self, card: int, dice: Dice) -> int | None:
        """The year that was told."""
        return self.years[card]


class Beliefs(DefaultBeliefs):
    """A belief about every card, made once from its back."""

    def form(self, hidden: Hidden, dice: Dice, level: str) -> BeliefSet:
        """What somebody of this level holds of the cards: what is long ago is known less well, and what belongs to
        one's own life better.
        """
        life = dice.choice(LIVES)
        cards = tuple(_formed(hidden.cards, ERRORS[level], life, dice))
        return BeliefSet(cards, level, life.name, dice.below(1 << 30))

    def secrets(self, hidden: Hidden, /) -> tuple[int, ...]:
        """The middle year of every card."""
        return tuple((card.span.start + card.span.end) // 2 for card in hidden.cards)

    def trusting(self, secrets: Sequence[int | None]) -> Told:
        return Told(tuple(secrets))


def _formed(cards: Sequence[Event], error: float, life: Life, dice: Dice) -> Iterator[Belief]:
    """How sure one is follows from the year that one believes: from the true one, one could reckon back."""
    random, home, today = dice.random, life.home, TODAY
    blurs: dict[object, float] = {}  # thousands of cards are of a few hundred kinds
    for card in cards:
        start, end = card.span.start, card.span.end
        kind = card.level, card.fields, home.start <= start <= home.end
        if (blur := blurs.get(kind)) is None:
            blur = blurs[kind] = FAME.get(card.level, 1.0) * life.familiarity(card)
        middle = (start + end) / 2
        # `doubt` and `normal`, written out: a game begins with thousands of these
        off = blur * (error * abs(today - middle) + LEAST)
        year = min(round(middle + off * (sqrt(-2 * log(1 - random())) * cos(tau * random()))), today)
        yield Belief(year, blur * (error * (today - year) + LEAST), round((end - start) * (0.5 + random())))


def doubt(year: float, error: float) -> float:
    """By how many years one is usually off about a year."""
    return error * abs(TODAY - year) + LEAST


def normal(dice: Dice) -> float:
    """Normally distributed, with standard deviation 1 (Box and Muller)."""
    return normals(dice, 1)[0]


def normals(dice: Dice, n: int) -> list[float]:
    """As many numbers like this."""
    random = dice.random
    return [sqrt(-2 * log(1 - random())) * cos(tau * random()) for _ in range(n)]
