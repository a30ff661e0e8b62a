"""A bot's belief about every card, formed once from the backs, which the bot itself never sees."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from math import cos, log, sqrt, tau

from msgspec import Struct
from msgspec.structs import replace

from spieltisch import package
from spieltisch.decks.dated import ERRORS, LEAST
from spieltisch.decks.dates import Span
from spieltisch.dice import Dice, FastDice
from spieltisch.games.annodomini.events import Event, Events
from spieltisch.games.annodomini.state import Hidden
from spieltisch.i18n import N_

LEVELS = {"novice": N_("Novice"), "connoisseur": N_("Connoisseur"), "chronicler": N_("Chronicler")}
TODAY = 2026
FAME = {"1": 0.75, "2": 1.0, "3": 1.3}  # famous events are known better
PASTS = 64  # sampled by a bot


class Life(Struct, frozen=True):
    """A bot's made-up life: fields that it knows better or worse, and years that it knows well."""

    name: str
    fields: dict[str, float]
    home: Span = Span(TODAY + 1, TODAY + 1)
    else_: float = 1.1

    def familiarity(self, fields: Iterable[str], lived: bool = False) -> float:
        """The factor on the usual error for these fields. `lived`: the event lies in the years of this life."""
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
    """The believed year, its spread, and how many years the event lasted."""

    year: int
    spread: float
    width: int = 0

    def around(self, error: float) -> Span:
        """The first and last year if the guess is off by this many spreads."""
        (first,) = self.firsts([error])
        return Span(first, first + self.width)

    def firsts(self, errors: Iterable[float]) -> list[int]:
        """The first years if the guess is off by each of these numbers of spreads."""
        year, spread, half = self.year, self.spread, self.width / 2
        return [*map(round, [year + error * spread - half for error in errors])]


class Held(Struct, frozen=True):
    """Beliefs about thousands of cards, in columns. A `Belief` is made only for the few cards that are played."""

    years: list[int]
    widths: dict[int, int]  # only of events that lasted longer
    blurs: list[float]
    error: float

    def __getitem__(self, card: int) -> Belief:
        year = min(self.years[card], TODAY)
        return Belief(year, self.blurs[card] * doubt(year, self.error), self.widths.get(card, 0))


Pasts = tuple[list[int], list[int]]  # a card's first years and last years, by sampled past


class BeliefSet(Struct, frozen=True, dict=True):
    """Beliefs about every card, by number, at this level and after this life. `seed` decides the sampled pasts.
    `levels`: of the bots at the table, by seat, "" for a person; empty if unknown.
    """

    cards: tuple[Belief, ...] | Held
    level: str = "connoisseur"
    life: str = ""
    seed: int = 0
    levels: tuple[str, ...] = ()

    def level_of(self, seat: int) -> str:
        """The level of the player on this seat. A bot takes a player whom it does not know for its equal."""
        return (self.levels[seat] if self.levels else "") or self.level

    @cached_property
    def _thought(self) -> dict[int, Pasts]:
        return {}

    def pasts(self, card: int) -> Pasts:
        """Possible years of a card: this many pasts, always the same for the same card."""
        known = self._thought.get(card)
        if known is None:
            belief = self.cards[card]
            first = belief.firsts(normals(FastDice(f"{self.seed}/{card}"), PASTS))
            last = [year + belief.width for year in first] if belief.width else first
            known = self._thought[card] = first, last
        return known

    def year(self, card: int, dice: Dice) -> int:
        """A year in which the event may have happened."""
        return self.cards[card].around(normal(dice)).start


class Told(Struct, frozen=True):
    """The years of the cards as somebody was told them; None for a card they were told nothing about."""

    years: tuple[int | None, ...]

    def year(self, card: int, dice: Dice) -> int | None:
        """The told year."""
        return self.years[card]


class Beliefs(package.Beliefs[Events, Hidden, BeliefSet, Told]):
    """Beliefs about every card, made once from the backs."""

    def __init__(self) -> None:
        self._kept: tuple[Sequence[Event], _Backs] = (), _Backs(())

    def form(self, hidden: Hidden, dice: Dice, level: str) -> BeliefSet:
        """The beliefs of a player of this level. They know ancient events less well, and events of their own life
        better.
        """
        life = dice.choice(LIVES)
        seen, backs = self._kept
        if seen is not hidden.cards:  # a table's bots ask one after the other
            backs = _Backs(hidden.cards)
            self._kept = hidden.cards, backs
        cards = backs.formed(ERRORS[level], life, dice)
        return BeliefSet(cards, level, life.name, dice.below(1 << 30))

    def among(self, beliefs: BeliefSet, levels: Sequence[str], /) -> BeliefSet:
        return replace(beliefs, levels=tuple(levels))

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
    """The parts of the backs that decide beliefs, precomputed: thousands of cards fall into a few dozen kinds."""

    def __init__(self, cards: Sequence[Event]) -> None:
        numbers: dict[object, int] = {}
        self._one_of: list[Event] = []  # a card of each kind
        self._kinds: list[int] = []  # for each card: its kind, its first year, and of its years
        self._starts: list[int] = []
        self.years: list[tuple[float, float, int]] = []  # the middle one, how long ago that is, and how many follow
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
        """The factor on the usual error for each card."""
        first, last = life.home.start, life.home.end
        home, away = (
            [FAME.get(card.level, 1.0) * life.familiarity(card.fields, lived) for card in self._one_of]
            for lived in (True, False)
        )
        if first > TODAY:  # no life in the future
            return [away[kind] for kind in self._kinds]
        each = zip(self._kinds, self._starts, strict=True)
        return [(home if first <= start <= last else away)[kind] for kind, start in each]

    def formed(self, error: float, life: Life, dice: Dice) -> Held:
        """Form the beliefs. The spread depends on the believed year: from the true one, a bot could work
        out the date.
        """
        random, blurs, years, widths = dice.random, self.blurs(life), [], {}
        for (middle, ago, more), blur in zip(self.years, blurs, strict=True):
            # `doubt` and `normal`, inlined: a game begins with thousands of calls
            off = blur * (error * ago + LEAST)
            years.append(round(middle + off * (sqrt(-2 * log(1 - random())) * cos(tau * random()))))
            long = random()
            if more:
                widths[len(years) - 1] = round(more * (0.5 + long))
        return Held(years, widths, blurs, error)


def doubt(year: float, error: float) -> float:
    """The usual error about a year, in years."""
    return error * abs(TODAY - year) + LEAST


def normal(dice: Dice) -> float:
    """A sample of the normal distribution with standard deviation 1 (Box and Muller)."""
    return normals(dice, 1)[0]


def normals(dice: Dice, n: int) -> list[float]:
    """Samples of this distribution."""
    random = dice.random
    return [sqrt(-2 * log(1 - random())) * cos(tau * random()) for _ in range(n)]
