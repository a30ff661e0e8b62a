"""Decks as questions for Moodle: what is asked about a card depends on the kind of its deck.

Events and firsts: its year, and with others their order and what goes with what; of firsts also the period, in which
jokers have their place. Forms: all that a form can be, and which form each case takes.
"""

from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct

from spieltisch.decks import firsts
from spieltisch.decks.dates import Span, certainly_later
from spieltisch.decks.deck import DATE, Deck, date_of
from spieltisch.decks.events import eras_of, things_of
from spieltisch.decks.exporting import gift, moodle_xml
from spieltisch.decks.exporting.asked import (
    NEAR,
    Asked,
    Category,
    Matching,
    Numeric,
    Ordering,
    Question,
    Several,
    Single,
)
from spieltisch.decks.findings import message, say
from spieltisch.decks.firsts import JOKER, read_period
from spieltisch.decks.forms import CASES, CELLS, GENDERS, NUMBERS, Case, Gender, Number, read_paradigm
from spieltisch.decks.table import Row
from spieltisch.decks.text import ended, folded
from spieltisch.decks.vocabulary import declared
from spieltisch.game import Invalid

_TRIED = 60  # sets, for a card: in a deck of one year none fits
TOGETHER = 6
"""So many cards go into one question about several."""
SHOWN = 5
"""So many of them are put in order at a time."""
_CHOICES = 9
_IMPORT = "Question bank, Import, {format}. “Get category from file” keeps the kinds of questions apart."
_ORDERED = "Questions about an order need Moodle 4.4 or the question type Ordering."
_GIFT_ORDERED = "Some versions of Moodle take no order from GIFT: export the deck as Moodle XML for these."
_Cell = tuple[Case, Number, Gender]
NAMES = {
    "nom": message("nominative"), "gen": message("genitive"), "dat": message("dative"), "acc": message("accusative"),
    "abl": message("ablative"), "sg": message("singular"), "pl": message("plural"),
    "m": message("masculine"), "f": message("feminine"), "n": message("neuter"),
}  # fmt: skip


class _Dated(Struct, frozen=True):
    """A card with a date, and what is shown of it."""

    row: Row
    span: Span
    front: str
    date: str
    told: str
    things: frozenset[str]


def as_gift(deck: Deck, lang: str) -> str:
    """Every card of the deck in GIFT; Invalid where nothing can be asked about its cards."""
    return gift.written(*of_cards(deck, lang, is_gift=True))


def as_xml(deck: Deck, lang: str) -> str:
    """Every card of the deck in Moodle XML; Invalid where nothing can be asked about its cards."""
    return moodle_xml.written(*of_cards(deck, lang))


def of_cards(
    deck: Deck, lang: str, cards: Collection[str] | None = None, *, is_gift: bool = False
) -> tuple[list[str], list[Asked]]:
    """What is said of the file, and what is asked about these cards of the deck (or about all): by their ids or forms,
    such as those that were missed in a game. Invalid where there is none of them.
    """
    if deck.kind == "decktet":
        raise Invalid("about cards of the Decktet there is nothing to be asked")
    key = "form" if deck.kind == "forms" else "id"
    rows = [row for row in deck.table.rows if cards is None or row[key] in cards]
    if not rows:
        raise Invalid("there are no cards to be asked about")
    made = _forms(deck, rows, lang) if deck.kind == "forms" else _dated(deck, rows, lang)
    return _head(deck, lang, is_gift), list(made)


def _head(deck: Deck, lang: str, is_gift: bool) -> list[str]:
    said = [
        message("{title}: questions for Moodle", title=deck.title),
        message(_IMPORT, format="GIFT" if is_gift else "Moodle XML"),
    ]
    if deck.kind in DATE:
        near = "Years may be {n} off for half of the marks. Years before our era are negative: 44 BC is -44."
        said += [message(_ORDERED), *([message(_GIFT_ORDERED)] if is_gift else []), message(near, n=NEAR)]
    table = deck.table
    said += [message("By: {names}", names=names) for names in [table.said("authors")] if names]
    said += [message("Licence: {licence}", licence=licence) for licence in [table.said("licence")] if licence]
    return [say(one, lang) for one in said]


# -- events and firsts ---------------------------------------------------------------------------------------


def _dated(deck: Deck, rows: Sequence[Row], lang: str) -> Iterator[Asked]:
    title = deck.title[lang]
    cards = [one for row in rows if (one := _card(deck, row, lang))]
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
    if any((span := _span(deck, row)) and span.start < 1 for row in deck.table.rows):
        text += f" {say(message('Years before our era have a minus: 44 BC is -44.'), lang)}"
    for part, some in parts.items():
        yield Category((title, say(message("Years"), lang), *part))
        for card in some:
            first, last = (year if year > 0 else year - 1 for year in (card.span.start, card.span.end))
            yield Numeric(Question(_named(card.front), f"{card.front}\n{text}", card.told), first, last)
    if deck.kind == "firsts":
        yield from _firsts(deck, rows, lang)


def _span(deck: Deck, row: Row) -> Span | None:
    date = date_of(row, deck.kind)
    return date.span if date else None


def _card(deck: Deck, row: Row, lang: str) -> _Dated | None:
    date = date_of(row, deck.kind, eras_of(deck.table))
    if date is None:
        return None
    years = "" if date.years == date.text else f" ({date.years[lang]})"
    told = [ended(f"{date.text[lang]}{years}"), row["who"], row.told(lang, "comment_"), row["source"]]
    things = {*(firsts.things_of(row) if deck.kind == "firsts" else things_of(row, deck.name))}
    return _Dated(row, date.span, row.told(lang), date.text[lang], "\n".join(filter(None, told)), frozenset(things))


def _parts(deck: Deck, cards: Sequence[_Dated], lang: str) -> dict[tuple[str, ...], list[_Dated]]:
    """The cards by series, and within one by what a course teaches with them, the first goal that a card has."""
    series, goals = (declared(deck.table, column) for column in ("series", "goal"))
    parts: dict[tuple[str, ...], list[_Dated]] = {}
    for card in cards:
        goal = card.row["goal"].partition(";")[0]
        named = (series.get(card.row["series"]) if len(series) > 1 else None, goals.get(goal))
        parts.setdefault(tuple(one[lang] for one in named if one), []).append(card)
    return parts


def together(cards: Sequence[_Dated]) -> list[list[_Dated]]:
    """The cards in sets, each in the order of time and spread over all of it. Nobody can doubt the order within a set,
    and no two cards of one are of the same thing. Cards that fit in no set of three are left out.
    """
    sets: list[list[_Dated]] = [[] for _ in range(-(-len(cards) // TOGETHER))]
    for place, card in enumerate(sorted(cards, key=lambda one: one.span)):
        turns = [sets[(place + step) % len(sets)] for step in range(min(_TRIED, len(sets)))]
        fitting = (one for one in turns if len(one) < TOGETHER and all(_apart(card, other) for other in one))
        if (found := next(fitting, None)) is None:
            sets.append(found := [])
        found.append(card)
    return [one for one in sets if len(one) >= 3]


def _apart(card: _Dated, other: _Dated) -> bool:
    return certainly_later(card.span, other.span) and not card.things & other.things and card.front != other.front


def _named(front: str) -> str:
    return front if len(front) <= 80 else f"{front[:79]}…"


def _firsts(deck: Deck, rows: Sequence[Row], lang: str) -> Iterator[Asked]:
    """Who it was, and in which period; with nobody yet it is the future."""
    title, text = deck.title[lang], say(message("Who was it?"), lang)
    named = {row["who"]: row for row in rows if row["who"]}
    known = [*named.values()]
    sets = [one for at in range(0, len(known), TOGETHER) if len(one := known[at : at + TOGETHER]) >= 3]
    if sets:
        yield Category((title, text))
    for number, one in enumerate(sets, 1):
        yield Matching(Question(f"{title} {number}", text), [(row.told(lang), row["who"]) for row in one])
    periods = [read_period(cells) for cells in deck.table.about.get("period", [])]
    yield Category((title, say(message("Periods"), lang)))
    for row in rows:
        span = _span(deck, row)
        if row["year"] != JOKER and span is None:
            continue
        year = None if span is None else span.start
        right = next(one for one in periods if (one.end is None if year is None else _within(year, one.start, one.end)))
        text = say(message("When was that? If no woman has done it yet, it is the future."), lang)
        card = _card(deck, row, lang)
        told = card.told if card else "\n".join(filter(None, [_checked(row, lang), row.told(lang, "comment_")]))
        choices = [one.name[lang] for one in periods]
        yield Single(Question(_named(row.told(lang)), f"{row.told(lang)}\n{text}", told), right.name[lang], choices)


def _within(year: int, start: int, end: int | None) -> bool:
    return start <= year and (end is None or year <= end)


def _checked(row: Row, lang: str) -> str:
    return say(message("Nobody yet, as of {day}.", day=row["checked"]), lang)


# -- forms ---------------------------------------------------------------------------------------------------


def _forms(deck: Deck, rows: Sequence[Row], lang: str) -> Iterator[Asked]:
    title, forms = deck.title[lang], dict(zip(CELLS, read_paradigm(deck.name, deck.text()).forms(), strict=True))
    asked = {row["form"] for row in rows}
    yield Category((title, say(message("Readings"), lang)))
    for form in dict.fromkeys(form for form in forms.values() if form in asked):
        right = [cell for cell, written in forms.items() if written == form]
        text = say(message("{form}: what can it be? Tick all that is right.", form=form), lang)
        wrong = _tempting(form, right, forms)
        said = [[reading(cell, lang) for cell in cells] for cells in (right, wrong)]
        yield Several(Question(form, text), *said)
    yield Category((title, say(message("Forms"), lang)))
    for number in NUMBERS:
        for gender in GENDERS:
            column = {case: forms[case, number, gender] for case in CASES}
            if asked.intersection(column.values()):
                name = f"{title}: {say(NAMES[number], lang)} {say(NAMES[gender], lang)}"
                text = say(message("{name}. Which form is it in each case?", name=name), lang)
                yield Matching(Question(name, text), [(say(NAMES[case], lang), form) for case, form in column.items()])


def reading(cell: Sequence[str], lang: str) -> str:
    return " ".join(say(NAMES[part], lang) for part in cell)


def _tempting(form: str, right: Sequence[_Cell], forms: dict[_Cell, str]) -> list[_Cell]:
    """Wrong readings, those first that differ from a right one in a single thing. None that only a long vowel tells
    apart: not every course marks them.
    """
    wrong = [cell for cell, written in forms.items() if folded(written, marks=False) != folded(form, marks=False)]
    near = [max(sum(a == b for a, b in zip(cell, one, strict=True)) for one in right) for cell in wrong]
    best = sorted(range(len(wrong)), key=lambda place: -near[place])[: max(3, _CHOICES - len(right))]
    return [wrong[place] for place in sorted(best)]
