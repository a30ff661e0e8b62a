"""Puzzle: where should you lay a card so that a doubt pays least? Counting years solves it.

The chain shows its dates. You know only the range of years for your card, each equally likely. The best place fits most
of these years.
"""

import random
from itertools import pairwise

from msgspec import Struct

from spieltisch.decks.dates import Span, certainly_later
from spieltisch.decks.tasks import Lying, Scene, Task, day_of
from spieltisch.games.annodomini.events import Event, Events
from spieltisch.i18n import Translator

CHAIN = 4  # cards in the chain
AHEAD = 0.1  # minimum lead of the best place over the second, in probability
EARLIEST = 1000  # older dates would need the names of eras
WIDTHS = (12, 80)  # least and greatest number of possible years
TRIES = 2_000


class Doubt(Struct, frozen=True):
    """A puzzle: the years `least` to `most` are possible, and `fits` counts those that fit each place."""

    card: Event
    chain: tuple[Event, ...]
    least: int
    most: int
    fits: tuple[int, ...]

    @property
    def years(self) -> int:
        """The number of possible years."""
        return self.most - self.least + 1


def doubt(deck: Events, card: str) -> Doubt | None:
    """The puzzle of a day (`day/2026-11-28`); None for any other card."""
    if day_of(card) is None:
        return None
    dice = random.Random(f"doubts/{card}")  # noqa: S311 - no secret
    dated = [one for one in deck.cards if one.span.start == one.span.end >= EARLIEST]
    for _ in range(TRIES if len(dated) > CHAIN else 0):
        own, *chain = dice.sample(dated, CHAIN + 1)
        chain.sort(key=lambda one: one.span.start)
        if any(not certainly_later(b.span, a.span) for a, b in pairwise(chain)):
            continue
        width = dice.randint(*WIDTHS)
        least = own.span.start - dice.randint(0, width)
        fits = _fits(chain, least, least + width)
        best, second = sorted(fits, reverse=True)[:2]
        if second and (best - second) / (width + 1) >= AHEAD:
            return Doubt(own, tuple(chain), least, least + width, fits)
    return None


def _fits(chain: list[Event], least: int, most: int) -> tuple[int, ...]:
    """For each place: how many of the years are right there."""
    found = [0] * (len(chain) + 1)
    for year in range(least, most + 1):
        span = Span(year, year)
        for place in range(len(found)):
            early = any(certainly_later(one.span, span) for one in chain[:place])
            late = any(certainly_later(span, one.span) for one in chain[place:])
            found[place] += not (early or late)
    return tuple(found)


def task(deck: Events, name: str, card: str) -> Task | None:
    """The puzzle as a task. A place is named by the number of cards before it."""
    found = doubt(deck, card)
    if found is None:
        return None
    worth = tuple(fits / found.years for fits in found.fits)
    shown = tuple(map(str, range(len(worth))))
    return Task("best", name, card, shown, len(worth), (worth.index(max(worth)),), worth)


def scene(deck: Events, task: Task, tr: Translator) -> Scene | None:
    """The chain with its dates, and what you know about your card."""
    found = doubt(deck, task.card)
    if found is None:
        return None
    chain = tuple(Lying(one.front[tr.lang], one.date[tr.lang]) for one in found.chain)
    dates = [one.date[tr.lang] for one in found.chain]
    places = [
        tr._("before {date}").format(date=dates[0]),
        *(tr._("between {date} and {other}").format(date=a, other=b) for a, b in pairwise(dates)),
        tr._("after {date}").format(date=dates[-1]),
    ]
    asks = tr._("All you know of your event: it was between {a} and {b}. Where does a doubt pay least?")
    return Scene(
        ((tr._("The chain"), chain), (tr._("Your card"), (Lying(found.card.front[tr.lang]),))),
        asks.format(a=found.least, b=found.most),
        tuple(places),
    )


def why(deck: Events, task: Task, answer: int, tr: Translator) -> str:
    """How many of the years fit each place."""
    found = doubt(deck, task.card)
    if found is None:
        return ""
    best = task.right[0]
    other = task.beside(answer)
    scene_ = scene(deck, task, tr)
    assert scene_ is not None
    words = tr._(
        "Of the {n} possible years {a} fit there, and {b} fit {other}. So a doubt is right in {p} of 100 cases. "
        "It was {date}."
    )
    return words.format(
        n=found.years, a=found.fits[best], b=found.fits[other], other=scene_.choices[other],
        p=round(100 * (1 - task.worth[best])), date=found.card.date[tr.lang],
    )  # fmt: skip
