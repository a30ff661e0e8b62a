"""Decks of Anno Domini: cards with dated events."""

import random
from collections.abc import Collection, Mapping, Sequence

from spieltisch.decks.dated import Dated
from spieltisch.decks.dates import Span
from spieltisch.decks.exporting.objectives import Card
from spieltisch.decks.table import Row
from spieltisch.decks.tasks import Scene, Task, day_of
from spieltisch.decks.text import Text, same
from spieltisch.game import HasNews
from spieltisch.games.annodomini import doubts, events
from spieltisch.games.annodomini.cards import misplaced
from spieltisch.games.annodomini.events import Event, Events
from spieltisch.games.annodomini.state import Public
from spieltisch.i18n import N_, Translator


class Kind(Dated[Events]):
    """Decks of events."""

    name = "events"
    columns = events.COLUMNS
    optional = events.OPTIONAL
    mixes = True
    eras = True
    missing = N_("there is no deck of events called {name}")
    accent = "ad"
    puzzle = N_("Where does a doubt pay least?")
    puzzle_deck = "events"
    label = N_("Events, for Anno Domini")
    this = N_("These are events")
    blanks = {"xlsx": N_("a template (XLSX)"), "csv": N_("a template (CSV)")}
    widths = (16, 70, 40, 40)

    def read(self, text: str, name: str) -> Events:
        return events.read_events(text, name)

    def mix(self, decks: Sequence[Events], series: Sequence[str] | None = None) -> Events:
        return events.mix(decks, series)

    def things(self, row: Row, deck: str) -> tuple[str, ...]:
        return events.things_of(row, deck)

    def span(self, card: Event) -> Span:
        return card.span

    def task(self, deck: Events, name: str, card: str, dice: random.Random) -> Task | None:
        """A place in a chain, or the daily puzzle."""
        if day_of(card) is not None:
            return doubts.task(deck, name, card)
        return super().task(deck, name, card, dice)

    def scene(self, deck: Events, task: Task, tr: Translator) -> Scene | None:
        return doubts.scene(deck, task, tr)

    def why(self, deck: Events, task: Task, answer: int, tr: Translator) -> str:
        return doubts.why(deck, task, answer, tr)

    def laid(self, public: HasNews) -> tuple[object, Sequence[tuple[Text, bool]]] | None:
        if not isinstance(public, Public) or public.revealed is None:
            return None
        rows = public.revealed.rows
        wrong = {*misplaced(tuple(row.span for row in rows))}
        return public.revealed, [(row.front, place in wrong) for place, row in enumerate(rows)]

    def learned(self, deck: Events, only: Collection[str] | None = None) -> dict[str, Card]:
        goals = deck.declared.get("goal", {})
        return {card.id: _learned(card, goals) for card in deck.cards if only is None or card.id in only}


def _learned(card: Event, goals: Mapping[str, Text]) -> Card:
    named = tuple(goals.get(one, same(one)) for one in card.goals)
    return Card(card.front, card.date, card.source, named, card.comment, corrected=card.corrected)
