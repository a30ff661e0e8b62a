"""Decks of Trailblaze: achievements that a woman was the first to reach."""

import datetime as dt
import random
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from spieltisch.assets import colours
from spieltisch.decks.base_kind import Found
from spieltisch.decks.dated import Dated
from spieltisch.decks.dates import Span, is_day, parse
from spieltisch.decks.deck import JOKER, Deck, span_of
from spieltisch.decks.exporting import anki, questions
from spieltisch.decks.exporting.anki import Note
from spieltisch.decks.exporting.asked import Asked, Category, Matching, Question, Single
from spieltisch.decks.exporting.objectives import Card
from spieltisch.decks.exporting.questions import TOGETHER, dated_card, shortened
from spieltisch.decks.exporting.stats import Counts
from spieltisch.decks.findings import message, say
from spieltisch.decks.importing.headings import of_kind, plain
from spieltisch.decks.table import COMMENTS, TEXTS, Row, Table, read_table
from spieltisch.decks.tasks import Lying, Scene, Task
from spieltisch.decks.text import NOTHING, TAGS, Text, folded, same
from spieltisch.decks.vocabulary import known, tags
from spieltisch.game import Invalid
from spieltisch.games.trailblaze import firsts
from spieltisch.games.trailblaze.firsts import First, Firsts, periods_of
from spieltisch.i18n import N_, Translator

BESIDE = 2  # further cards on the board of a task
_NAMES = 12  # words of a name that are looked for on the front
_JOKERS = {JOKER, "–", "—"}
_SEATS = ("#BFE3EC", "#F6C9B8", "#D9CFF5", "#DCE8A6", "#F6CCE1", "#E6DACA")
_STONES = ("pattern-p1", "pattern-p2", "pattern-p3", "pattern-p4", "icon-bonus")
_CUT = N_("Six colours of twelve stones with four patterns each, and the bonus stone. The backs stay blank.")


class Kind(Dated[Firsts]):
    """Decks of firsts."""

    name = "firsts"
    columns = firsts.COLUMNS
    optional = firsts.OPTIONAL
    date = "year"
    strict = True
    missing = N_("there is no deck of firsts called {name}")
    accent = "tb"
    label = N_("Firsts, for Trailblaze")
    this = N_("These are firsts")
    blanks = {"xlsx": N_("for firsts (XLSX)"), "csv": N_("for firsts (CSV)")}
    widths = (8, 45, 45, 24, 16, 16, 40, 40, 12)

    def read(self, text: str, name: str) -> Firsts:
        return firsts.read_firsts(name, text)

    def things(self, row: Row, deck: str) -> tuple[str, ...]:
        return firsts.things_of(row)

    def span(self, card: First) -> Span | None:
        return None if card.year is None else Span(card.year, card.year)

    def is_headed(self, names: Sequence[str], meant: Collection[str], about: Mapping[str, object]) -> bool:
        columns = {*meant}
        by_columns = {"who", "date"} <= columns and ("checked" in columns or len(columns & {*TEXTS.values()}) > 1)
        by_names = {"who", "year"} <= {name.casefold() for name in names}
        return "period" in about or by_columns or by_names

    def written(self, date: str) -> str:
        """The year as in the deck: a number, or joker."""
        if date.casefold() in _JOKERS or plain(date) in of_kind(self.name, JOKER):
            return JOKER
        try:
            span = parse(date)
        except Invalid:
            return date
        return str(span.start) if span.start == span.end and span.start >= 1 else date

    def completed(self, about: dict[str, list[list[str]]]) -> None:
        """A deck without its own periods gets those of the shipped one."""
        if "period" not in about:
            shipped = (self.folder / "decks" / "firsts.csv").read_text("utf-8")
            about["period"] = read_table(shipped, ()).about["period"]

    def lacking(self, rows: Iterable[Row]) -> Sequence[str]:
        rows = [*rows]
        spoken = any(row.languages for row in rows)
        joker = any(row["year"] == JOKER for row in rows)
        return [*[TEXTS[TAGS[0]]] * (not spoken), "source", *["checked"] * joker]

    def dated(self, row: Row) -> Found:
        return _dated(row)

    def front(self, row: Row) -> Found:
        for name in re.findall(r"[\w’-]{4,}", row["who"])[:_NAMES]:
            if any(re.search(rf"\b{re.escape(folded(name))}\b", folded(row[column])) for column in TEXTS.values()):
                wrong = message("the front names her: {name}", name=name)
                yield "warning", "tells", wrong, message("Name her in the comment.")

    def apart(self, row: Row) -> str:
        """Firsts of two women are never the same card, even with similar fronts."""
        return row["who"] or row["country"]

    def in_time(self, table: Table) -> Mapping[str, Counts]:
        return {"period": tuple(_in_periods(table))}

    def note(self, deck: Deck, row: Row, lang: str) -> Note:
        return anki.note(row, row["year"], lang)

    def questions(self, deck: Deck, rows: Sequence[Row], lang: str) -> Iterator[Asked]:
        yield from questions.dated(deck, rows, lang)
        yield from _asked(deck, rows, lang)

    def learned(self, deck: Firsts, only: Collection[str] | None = None) -> dict[str, Card]:
        return {card.id: _learned(deck, card) for card in deck.cards if only is None or card.id in only}

    def task(self, deck: Firsts, name: str, card: str, dice: random.Random) -> Task | None:
        """The choice of the period, beside some cards that already lie in other periods."""
        found = next((one for one in deck.cards if one.id == card), None)
        if found is None:
            return None
        right, laid, columns = _column(deck, found), list[str](), {_column(deck, found)}
        for other in dice.sample(deck.cards, len(deck.cards)):
            if len(laid) < BESIDE and _column(deck, other) not in columns and not {*other.things} & {*found.things}:
                columns.add(_column(deck, other))
                laid.append(other.id)
        return Task("period", name, card, tuple(laid), len(deck.periods), (right,))

    def choices(self, deck: Firsts, task: Task) -> Sequence[Text]:
        return [one.name for one in deck.periods]

    def scene(self, deck: Firsts, task: Task, tr: Translator) -> Scene:
        cards = {card.id: card for card in deck.cards}
        laid = (_learned(deck, cards[one]) for one in task.shown if one in cards)
        lying = tuple(Lying(one.front[tr.lang], one.back[tr.lang]) for one in laid)
        return Scene(((tr._("Already on the board"), lying),) if lying else ())

    def sheets(self, deck: Deck, lang: str, tr: Translator) -> dict[str, object]:
        fields = tags(deck.table, "field")
        return {
            "cards": [_printed(row, fields, lang) for row in deck.table.rows],
            "board": [one.name[lang] for one in periods_of(deck.table)],
            "stones": tr._(_CUT), "colours": _SEATS, "drawn": {name: colours()["ink"] for name in _STONES},
        }  # fmt: skip


def _column(deck: Firsts, card: First) -> int:
    """The number of a card's period; the last one holds what no woman has done yet."""
    last, year = len(deck.periods) - 1, card.year
    return last if year is None else max(n for n, period in enumerate(deck.periods) if period.start <= year)


def _dated(row: Row) -> Found:
    cell = row["year"]
    if cell == JOKER:
        if not is_day(row["checked"]):
            right = message("Write it as 2026-01-31 or 2026-01.")
            yield "error", "date", message("a joker needs the day it was last checked"), right
        if not row["again"]:
            return
        if not is_day(row["again"]):
            right = message("Write it as 2026-01-31 or 2026-01.")
            yield "error", "date", message("{day} is not a day for the next check", day=row["again"]), right
        elif row["again"] <= dt.datetime.now(tz=dt.UTC).date().isoformat():
            right = message("Look it up. Then write down today’s date and when to look again.")
            yield "warning", "date", message("this joker was due for a check by {day}", day=row["again"]), right
    elif not re.fullmatch("[0-9]{1,9}", cell) or int(cell) == 0:
        right = message("Write one whole year, such as 1903, or joker.")
        yield "error", "date", message("{date} is not a year: the first is 1", date=cell or "–"), right
    elif int(cell) > dt.datetime.now(tz=dt.UTC).year:
        yield "error", "date", message("{date} is in the future", date=cell), message("Make it a joker.")


def _in_periods(table: Table) -> Iterable[tuple[Text, int]]:
    spans = [span for row in table.rows if (span := span_of(row, Kind.name))]
    for period in periods_of(table):
        last = period.end
        if last is None:
            yield period.name, sum(row["year"] == JOKER for row in table.rows)
        else:
            yield period.name, sum(period.start <= span.start <= last for span in spans)


def _asked(deck: Deck, rows: Sequence[Row], lang: str) -> Iterator[Asked]:
    """Who it was, and in which period; the future if nobody has yet."""
    title, text = deck.title[lang], say(message("Who was it?"), lang)
    named = {row["who"]: row for row in rows if row["who"]}
    known = [*named.values()]
    sets = [one for at in range(0, len(known), TOGETHER) if len(one := known[at : at + TOGETHER]) >= 3]
    if sets:
        yield Category((title, text))
    for number, one in enumerate(sets, 1):
        yield Matching(Question(f"{title} {number}", text), [(row.told(lang), row["who"]) for row in one])
    periods = periods_of(deck.table)
    yield Category((title, say(message("Periods"), lang)))
    for row in rows:
        span = span_of(row, deck.kind)
        if row["year"] != JOKER and span is None:
            continue
        year = None if span is None else span.start
        right = next(one for one in periods if (one.end is None if year is None else _within(year, one.start, one.end)))
        text = say(message("When was that? If no woman has done it yet, choose the future."), lang)
        card = dated_card(deck, row, lang)
        told = card.told if card else "\n".join(filter(None, [_checked(row, lang), row.told(lang, COMMENTS)]))
        choices = [one.name[lang] for one in periods]
        yield Single(Question(shortened(row.told(lang)), f"{row.told(lang)}\n{text}", told), right.name[lang], choices)


def _within(year: int, start: int, end: int | None) -> bool:
    return start <= year and (end is None or year <= end)


def _checked(row: Row, lang: str) -> str:
    nobody = message("Nobody yet, as of {day}.", day=row["checked"])
    return say(nobody, lang)


def _learned(deck: Firsts, card: First) -> Card:
    future = deck.periods[-1].name
    back = future if card.year is None else same(str(card.year))
    who = f" · {card.who}" if card.who else ""
    field = (known("field").get(card.field, same(card.field)),) if card.field else ()
    back = back.each(lambda one: one + who)
    return Card(card.front, back, card.source, field, card.comment, corrected=card.corrected)


def _printed(row: Row, fields: dict[str, Text], lang: str) -> dict[str, object]:
    joker, field = row["year"] == JOKER, fields.get(row["field"], NOTHING)
    return {
        "text": row.told(lang), "part": "" if joker else field[lang],
        "joker": joker, "glyph": None if joker else f"field-{row['field']}",
        "who": ", ".join(filter(None, (row["who"], row["place"]))), "date": "Joker" if joker else row["year"],
        "comment": row.told(lang, COMMENTS), "source": row["source"],
    }  # fmt: skip
