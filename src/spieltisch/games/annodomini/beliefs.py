"""What a bot of this game brings along: a belief about every card, made once, from the backs that it never sees."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from math import cos, log, sqrt, tau

from msgspec import Struct

from spieltisch import package
from spieltisch.decks.dated import ERRORS, LEAST
from spieltisch.decks.dates import Span
from spieltisch.dice import Dice, FastDice
from spieltisch.games.annodomini.events import Event, Events
from spieltisch.games.annodomini.state import Hidden
from spieltisch.i18n import N_

LEVELS = {"novice": N_("Novice"), "connoisseur": N_("Connoisseur"), "chronicler": N_("Chronicler")}
TODAY = 2026
FAME = {"1": 0.75, "2": 1.0, "3": 1.3}  # what everybody has heard of is known better
PASTS = 64  # that a bot thinks of


class Life(Struct, frozen=True):
    """What somebody has lived with: fields that they know better, or worse, and years in which they are at home."""

    name: str
    fields: dict[str, float]
    home: Span = Span(TODAY + 1, TODAY + 1)
    else_: float = 1.1

    def familiarity(self, fields: Iterable[str], lived: bool = False) -> float:
        """By how much the usual error is to be multiplied in these fields; `lived`: in the years of this life."""
        known = [self.fields[field] for field in fields if field in self.fields]
        if lived:
            known.append(0.4)
        return min(known, default=self.else_)


LABELS = {
    "medievalist": N_("a medievalist"),
    "football": N_("a football fan"),
    "ten": N_("ten years old"),
    "cinema": N_("fond of the cinema"),
    "engineer": N_("an engineer"),
    "cook": N_("a cook"),
    "traveller": N_("well travelled"),
    "museum": N_("a museum guide"),
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
        return [*map(round, [year + error * spread - half for error in errors])]


class Held(Struct, frozen=True):
    """What somebody holds of thousands of cards, in rows: of the few that are played a belief is made when needed."""

    years: list[int]
    widths: dict[int, int]  # of those that went on for longer
    blurs: list[float]
    error: float

    def __getitem__(self, card: int) -> Belief:
        year = min(self.years[card], TODAY)
        return Belief(year, self.blurs[card] * doubt(year, self.error), self.widths.get(card, 0))


Pasts = tuple[list[int], list[int]]  # of a card, past by past: its first years, and its last


class BeliefSet(Struct, frozen=True, dict=True):
    """A belief about every card, by number; of what level, after what life. `seed` decides what is thought of."""

    cards: tuple[Belief, ...] | Held
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


class Beliefs(package.Beliefs[Events, Hidden, BeliefSet, Told]):
    """A belief about every card, made once from its back."""

    def __init__(self) -> None:
        self._kept: tuple[Sequence[Event], _Backs] = (), _Backs(())

    def form(self, hidden: Hidden, dice: Dice, level: str) -> BeliefSet:
        """What somebody of this level holds of the cards: what is long ago is known less well, and what belongs to
        one's own life better.
        """
        life = dice.choice(LIVES)
        seen, backs = self._kept
        if seen is not hidden.cards:  # all bots of a table are asked one after the other
            backs = _Backs(hidden.cards)
            self._kept = hidden.cards, backs
        cards = backs.formed(ERRORS[level], life, dice)
        return BeliefSet(cards, level, life.name, dice.below(1 << 30))

    def secrets(self, hidden: Hidden, /) -> tuple[int, ...]:
        """The middle year of every card."""
        return tuple((card.span.start + card.span.end) // 2 for card in hidden.cards)

    def trusting(self, secrets: Sequence[int | None]) -> Told:
        return Told(tuple(secrets))

    def compared(self, deck: Events, hidden: Hidden, beliefs: BeliefSet, /) -> Iterator[tuple[str, int, int, float]]:
        for number, (card, true) in enumerate(zip(deck.cards, hidden.cards, strict=True)):
            belief = beliefs.cards[number]
            yield card.id, true.span.start, belief.year, round(belief.spread, 3)


class _Backs:
    """What of the backs decides a belief, ready to be reckoned with: thousands of cards are of a few dozen kinds."""

    def __init__(self, cards: Sequence[Event]) -> None:
        numbers: dict[object, int] = {}
        self._one_of: list[Event] = []  # a card of each kind
        self._kinds: list[int] = []  # of each card its kind, its first year, and more of its years:
        self._starts: list[int] = []
        self.years: list[tuple[float, float, int]] = []  # the middle one, how long ago that is, and for how many more
        for card in cards:
            start, end = card.span.start, card.span.end
            kind = numbers.setdefault((card.level, card.fields), len(numbers))
            if kind == len(self._one_of):
                self._one_of.append(card)
            self._kinds.append(kind)
            self._starts.append(start)
            middle = (start + end) / 2
            self.years.append((middle, abs(TODAY - middle), end - start))

    def blurs(self, life: Life) -> list[float]:
        """Of each card by how much the usual error is to be multiplied."""
        first, last = life.home.start, life.home.end
        home, away = (
            [FAME.get(card.level, 1.0) * life.familiarity(card.fields, lived) for card in self._one_of]
            for lived in (True, False)
        )
        if first > TODAY:  # nowhere at home
            return [away[kind] for kind in self._kinds]
        each = zip(self._kinds, self._starts, strict=True)
        return [(home if first <= start <= last else away)[kind] for kind, start in each]

    def formed(self, error: float, life: Life, dice: Dice) -> Held:
        """How sure one is follows from the year that one believes: from the true one, one could reckon back."""
        random, blurs, years, widths = dice.random, self.blurs(life), [], {}
        for (middle, ago, more), blur in zip(self.years, blurs, strict=True):
            # `doubt` and `normal`, written out: a game begins with thousands of these
            off = blur * (error * ago + LEAST)
            years.append(round(middle + off * (sqrt(-2 * log(1 - random())) * cos(tau * random()))))
            long = random()
            if more:
                widths[len(years) - 1] = round(more * (0.5 + long))
        return Held(years, widths, blurs, error)


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
