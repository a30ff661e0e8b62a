"""The lab's report on a deck: the cards to be changed, the most useful first, and how the deck plays."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import permutations

from msgspec import Struct, structs

from spieltisch.decks.base_kind import kind_of, plainest
from spieltisch.decks.check import for_play
from spieltisch.decks.choosing import Choosable
from spieltisch.decks.dated import ERRORS, LEAST
from spieltisch.decks.dates import Span, years
from spieltisch.decks.deck import Deck, span_of
from spieltisch.decks.exporting.stats import stats
from spieltisch.decks.findings import Finding, Message, errors, message, say
from spieltisch.decks.lint.cards import lint
from spieltisch.decks.lint.phrases import language
from spieltisch.decks.lint.spoilers import NUMBER
from spieltisch.decks.table import COMMENTS, TEXTS, Row, Table
from spieltisch.decks.text import TAGS, Text
from spieltisch.game import Invalid
from spieltisch.languages import DEFAULT
from spieltisch.study.lab import likeness, telling, times, translations
from spieltisch.study.lab.corpus import corpus, stems
from spieltisch.study.lab.play import Played, play

LEAST_CARDS = 8  # fewer are no deck to say anything of
GAMES = 60  # of each level
RULES = (
    *("date", "text", "id", "twice", "series", "cells"),  # errors: with these nobody can play
    *("unfinished", "date-doubtful", "tells", "era-named", "languages", "alike", "vague", "thing", "crowd", "wide"),
    *("shipped", "id-year", "era", "language", "unsafe", "long", "tag", "source"),
)
"""Rules of findings, the ones first that help most when they are mended; others come last."""

_TELLING = 4  # cards with a word, at least, before it can tell a time
_SHARE = 0.25  # of the deck's cards in time, within which all of them lie


class Change(Struct, frozen=True):
    """A card that should be changed, and the reasons, the worst first."""

    card: str
    line: int | None
    front: Text
    date: str
    findings: tuple[Finding, ...]


class TellingWord(Struct, frozen=True):
    """A word that only cards of one time have. It gives the time away to people who know the deck."""

    word: str
    cards: int
    years: Text


class Report(Struct, frozen=True):
    """The lab's report on a deck.

    `whole` is about the deck itself, `notes` are findings that need no change. `counts` are cards by the values of a
    column. `close` is, by level of bots, the share of pairs of cards that lie closer together than the level's usual
    error about a date.
    """

    name: str
    title: Text
    kind: str
    cards: int
    changes: tuple[Change, ...]
    whole: tuple[Finding, ...]
    notes: tuple[tuple[str, int], ...]
    words: tuple[TellingWord, ...]
    counts: tuple[tuple[str, tuple[tuple[Text, int], ...]], ...]
    close: tuple[tuple[str, float], ...]
    played: Played


def pieces(deck: Deck, games: int) -> int:
    """Return the number of steps that examining this deck takes: cards to read, and games at each level."""
    return len(deck.table.rows) + len(ERRORS) * games


def examine(deck: Deck, games: int = GAMES, progress: Callable[[int], None] | None = None) -> Report:
    """Return the report on this deck. Raises Invalid if it is no deck of events or firsts, or has too few cards.

    `progress` gets the number of its `pieces` done so far.
    """
    if not (kind_of(deck.kind).date and kind_of(deck.kind).chosen):
        raise Invalid("the lab reads decks of events or of firsts")
    if len(deck.table.rows) < LEAST_CARDS:
        raise Invalid("the lab needs at least {least} cards, not {n}", n=len(deck.table.rows), least=LEAST_CARDS)
    if not deck.found:
        deck = Deck(deck.name, deck.kind, deck.table, tuple(lint(deck.table, deck.kind)))
    rows = deck.table.rows
    found = [*map(_milder, deck.found), *read(deck, progress)]
    counted = stats(deck.table, deck.kind)
    shown = [
        column for column in ("century", "period", "region", "country", "field", "level") if column in counted.counts
    ]
    return Report(
        deck.name, deck.title, deck.kind, len(rows),
        tuple(_changes(rows, deck, found)),
        tuple(one for one in found if one.severity != "note" and not (one.card or one.line)),
        tuple(sorted(Counter(one.rule for one in found if one.severity == "note" and (one.card or one.line)).items())),
        tuple(telling_words(_dated(deck))),
        tuple((column, counted.counts[column]) for column in shown),
        tuple((level, times.too_close(_dated(deck), error, LEAST)) for level, error in ERRORS.items()),
        _played(deck, games, progress and (lambda played: progress(len(rows) + played))),
    )  # fmt: skip


def _milder(one: Finding) -> Finding:
    """Lower a finding about a number in a text to a note: hardly any number tells the year."""
    return structs.replace(one, severity="note") if one.wrong.text == NUMBER.text else one


def read(deck: Deck, progress: Callable[[int], None] | None = None) -> list[Finding]:
    """Return what the lab finds by reading the cards, without a game. `progress` gets the number of cards read."""
    kind, known = deck.kind, corpus()
    rows = _in_its_column(deck.table.rows)
    dated = [(row, span) for row in rows if (span := span_of(row, kind))]
    found = [
        *likeness.alike(rows, kind, known),
        *likeness.things(rows, kind, known),
        *translations.differing(rows, known),
        *times.named_years(dated),
    ]
    if kind == plainest().name:
        found += (*times.crowds(dated), *times.wide(dated))
    ended = telling.sentences(rows)
    for number, row in enumerate(rows, 1):
        found += (*telling.unfinished(row, ended), *telling.settings(row))
        if kind == plainest().name:
            found += (*telling.vague(row, known), *times.doubtful(row, span_of(row, kind), known))
        if progress is not None:
            progress(number)
    return found


def _in_its_column(rows: Sequence[Row]) -> list[Row]:
    """Return the cards with their fronts in the right column, if all of them are in the other language's."""
    spoken = {tag: " ".join(row[column] for row in rows).strip() for tag, column in TEXTS.items()}
    for lang, other in permutations(TAGS, 2):
        if spoken[other] and not spoken[lang] and language(spoken[other]) == lang:
            return [Row(row.line, row.cells | _moved(row, lang, other)) for row in rows]
    return [*rows]


def _moved(row: Row, lang: str, other: str) -> dict[str, str]:
    comment = row[COMMENTS[lang]] or row[COMMENTS[other]]
    return {TEXTS[lang]: row[TEXTS[other]], TEXTS[other]: "", COMMENTS[lang]: comment, COMMENTS[other]: ""}


def _dated(deck: Deck) -> list[tuple[Row, Span]]:
    return [(row, span) for row in deck.table.rows if (span := span_of(row, deck.kind))]


def _changes(rows: Sequence[Row], deck: Deck, found: Sequence[Finding]) -> list[Change]:
    """Return the cards with what should be changed on them, the most useful first."""
    by_line = {row.line: row for row in rows if row.line}
    by_id = {row["id"]: row for row in rows}
    each: dict[int, list[Finding]] = {}
    where = {id(row): number for number, row in enumerate(rows)}
    for one in found:
        row = by_line.get(one.line or 0) or by_id.get(one.card)
        if one.severity != "note" and row is not None:
            each.setdefault(where[id(row)], []).append(one)
    ordered = sorted(each.items(), key=lambda one: (min(map(_rank, one[1])), -len(one[1]), one[0]))
    return [_change(rows[number], deck, sorted(mine, key=_rank)) for number, mine in ordered]


def _rank(one: Finding) -> tuple[bool, int]:
    return one.severity != "error", RULES.index(one.rule) if one.rule in RULES else len(RULES)


def _change(row: Row, deck: Deck, found: Sequence[Finding]) -> Change:
    date = row[kind_of(deck.kind).date]
    unlike = {(say(one.wrong, DEFAULT), one.rule): one for one in reversed(found)}
    told = tuple(sorted(unlike.values(), key=_rank))
    return Change(row["id"], row.line or None, row.text(), date, told)


def telling_words(cards: Sequence[tuple[Row, Span]]) -> list[TellingWord]:
    """Return words that several cards have in one part of the deck's time only, the clearest first."""
    ordered = sorted(cards, key=lambda one: one[1].start + one[1].end)
    where: dict[str, list[int]] = {}
    shown: dict[str, str] = {}
    for number, (row, _) in enumerate(ordered):
        for word in _words(row.text().first):
            stem = next(iter(stems(word)), "")
            if stem and (not where.get(stem) or where[stem][-1] != number):
                where.setdefault(stem, []).append(number)
                shown.setdefault(stem, word)
    found = []
    for stem, numbers in where.items():
        within = (numbers[-1] - numbers[0] + 1) / len(ordered)
        chance = len(numbers) * within ** (len(numbers) - 1) * len(where)
        if len(numbers) >= _TELLING and within <= _SHARE and chance < 1:
            span = Span(min(ordered[n][1].start for n in numbers), max(ordered[n][1].end for n in numbers))
            found.append((chance, TellingWord(shown[stem], len(numbers), years(span))))
    return [word for _, word in sorted(found, key=lambda one: (one[0], one[1].word))]


def _words(text: str) -> list[str]:
    return [word.strip("„“”‚’.,;:!?()–-") for word in text.split()]


def _played(deck: Deck, games: int, progress: Callable[[int], None] | None) -> Played:
    wrong = {one.line for one in errors([*deck.found])} | {one.card for one in errors([*deck.found])}
    rows = [row for row in deck.table.rows if not {row.line, row["id"]} & (wrong - {None, "", 0})]
    try:  # with the cards that can be read
        cards = for_play(Deck(deck.name, deck.kind, Table(deck.table.about, rows)))
    except (Invalid, ValueError):
        return Played(refused=message("fix the errors first"))
    assert isinstance(cards, Choosable)
    return play(cards, deck.kind, games, progress=progress)


def first_things(report: Report) -> list[tuple[Message, int]]:
    """Return what to do, in one line each, with the number of cards concerned."""
    told = {
        "errors": message("fix what keeps the deck from being played"),
        "unfinished": message("finish the texts"),
        "date-doubtful": message("look up these dates"),
        "tells": message("remove what gives away the year"),
        "era-named": message("remove what names the time"),
        "languages": message("compare what the languages say"),
        "alike": message("keep one of the cards that say the same"),
        "vague": message("say more, so that only one event fits"),
        "thing": message("mark cards about the same thing"),
        "crowd": message("thin out the years with too many cards"),
        "wide": message("give narrower dates"),
        "shipped": message("leave out what the shipped deck already has"),
    }
    many: Counter[str] = Counter()
    for change in report.changes:
        many.update({"errors" if one.severity == "error" else one.rule for one in change.findings})
    return [(told[rule], many[rule]) for rule in told if many[rule]]
