"""Decks as questions for Moodle, depending on the kind of deck. Cards with a date are asked for their year, and in
groups for their order and pairs.
"""

from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct

from spieltisch.decks.base_kind import kind_of
from spieltisch.decks.dates import Span, certainly_later, historical
from spieltisch.decks.deck import Deck, date_of, eras_of, span_of
from spieltisch.decks.exporting import gift, moodle_xml
from spieltisch.decks.exporting.asked import (
    NEAR,
    Asked,
    Category,
    Matching,
    Numeric,
    Ordering,
    Question,
)
from spieltisch.decks.findings import message, say
from spieltisch.decks.table import COMMENTS, Row
from spieltisch.decks.text import ended
from spieltisch.game import Invalid
from spieltisch.i18n import N_

_TRIED = 60  # sets tried per card; in a deck of a single year none fits
TOGETHER = 6
"""Cards in one question about several."""
SHOWN = 5
"""Cards to put in order at a time."""
_IMPORT = N_("Question bank, Import, {format}. “Get category from file” keeps the kinds of questions apart.")
_ORDERED = N_("Ordering questions need Moodle 4.4, or the plugin Ordering.")
_GIFT_ORDERED = N_(
    "Some versions of Moodle cannot read ordering questions from GIFT. For these, export the deck as Moodle XML."
)


class DatedCard(Struct, frozen=True):
    """A card with a date, and its texts."""

    row: Row
    span: Span
    front: str
    date: str
    told: str
    things: frozenset[str]


def as_gift(deck: Deck, lang: str) -> str:
    """All cards of the deck in GIFT. Raises Invalid if nothing can be asked about them."""
    return gift.written(*of_cards(deck, lang, is_gift=True))


def as_xml(deck: Deck, lang: str) -> str:
    """All cards of the deck in Moodle XML. Raises Invalid if nothing can be asked about them."""
    return moodle_xml.written(*of_cards(deck, lang))


def of_cards(
    deck: Deck, lang: str, cards: Collection[str] | None = None, *, is_gift: bool = False
) -> tuple[list[str], list[Asked]]:
    """Lines about the file, and questions about these cards of the deck (or all), by ids or forms, such as cards missed
    in a game. Raises Invalid without any such card.
    """
    kind = kind_of(deck.kind)
    rows = [row for row in deck.table.rows if cards is None or row[kind.key] in cards]
    if not rows:
        raise Invalid("there are no cards to ask about")
    return _head(deck, lang, is_gift), list(kind.questions(deck, rows, lang))


def _head(deck: Deck, lang: str, is_gift: bool) -> list[str]:
    said = [
        message("{title}: questions for Moodle", title=deck.title),
        message(_IMPORT, format="GIFT" if is_gift else "Moodle XML"),
    ]
    if kind_of(deck.kind).date:
        near = N_("Answers up to {n} years off get half marks. Years BC are negative: 44 BC is -44.")
        said += [message(_ORDERED), *([message(_GIFT_ORDERED)] if is_gift else []), message(near, n=NEAR)]
    table = deck.table
    said += [message("By: {names}", names=names) for names in [table.said("authors")] if names]
    said += [message("Licence: {licence}", licence=licence) for licence in [table.said("licence")] if licence]
    return [say(one, lang) for one in said]


# -- cards with dates ----------------------------------------------------------------------------------------


def dated(deck: Deck, rows: Sequence[Row], lang: str) -> Iterator[Asked]:
    """The questions about cards with dates."""
    title = deck.title[lang]
    cards = [one for row in rows if (one := dated_card(deck, row, lang))]
    parts = _parts(deck, cards, lang)
    for part, some in parts.items():
        if sets := together(some):
            yield Category((title, say(message("Order"), lang), *part))
            for number, one in enumerate(sets, 1):
                text = say(message("Which came first? Put these in order."), lang)
                asked = Question(f"{[title, *part][-1]} {number}", text)
                yield Ordering(asked, [card.front for card in one], min(SHOWN, len(one)))
            yield Category((title, say(message("Matching"), lang), *part))
            for number, one in enumerate(sets, 1):
                asked = Question(f"{[title, *part][-1]} {number}", say(message("When was that?"), lang))
                yield Matching(asked, [(card.front, card.date) for card in one])
    text = say(message("In which year was that?"), lang)
    if any((span := span_of(row, deck.kind)) and span.start < 1 for row in deck.table.rows):
        text += " " + say(message("Years BC have a minus: 44 BC is -44."), lang)
    for part, some in parts.items():
        yield Category((title, say(message("Years"), lang), *part))
        for card in some:
            first, last = historical(card.span.start), historical(card.span.end)
            yield Numeric(Question(shortened(card.front), f"{card.front}\n{text}", card.told), first, last)


def dated_card(deck: Deck, row: Row, lang: str) -> DatedCard | None:
    """The texts of a card; None without a date."""
    date = date_of(row, deck.kind, eras_of(deck.table))
    if date is None:
        return None
    years = "" if date.years == date.text else f" ({date.years[lang]})"
    told = [ended(f"{date.text[lang]}{years}"), row["who"], row.told(lang, COMMENTS), row["source"]]
    things = frozenset(kind_of(deck.kind).things(row, deck.name))
    return DatedCard(row, date.span, row.told(lang), date.text[lang], "\n".join(filter(None, told)), things)


def _parts(deck: Deck, cards: Sequence[DatedCard], lang: str) -> dict[tuple[str, ...], list[DatedCard]]:
    """The cards by series, and within one by the first goal that each has."""
    series, goals = (deck.table.named(column) for column in ("series", "goal"))
    parts: dict[tuple[str, ...], list[DatedCard]] = {}
    for card in cards:
        goal = card.row["goal"].partition(";")[0]
        named = (series.get(card.row["series"]) if len(series) > 1 else None, goals.get(goal))
        parts.setdefault(tuple(one[lang] for one in named if one), []).append(card)
    return parts


def together(cards: Sequence[DatedCard]) -> list[list[DatedCard]]:
    """Sets of cards in order of time, each spread over all of it. The order within a set is certain, and no two cards
    in one are about the same thing. Cards that fit in no set of three are left out.
    """
    sets: list[list[DatedCard]] = [[] for _ in range(-(-len(cards) // TOGETHER))]
    for place, card in enumerate(sorted(cards, key=lambda one: one.span)):
        turns = [sets[(place + step) % len(sets)] for step in range(min(_TRIED, len(sets)))]
        fitting = (one for one in turns if len(one) < TOGETHER and all(_apart(card, other) for other in one))
        if (found := next(fitting, None)) is None:
            sets.append(found := [])
        found.append(card)
    return [one for one in sets if len(one) >= 3]


def _apart(card: DatedCard, other: DatedCard) -> bool:
    return certainly_later(card.span, other.span) and not card.things & other.things and card.front != other.front


def shortened(front: str) -> str:
    """A front, short enough for the name of a question."""
    return front if len(front) <= 80 else f"{front[:79]}…"
