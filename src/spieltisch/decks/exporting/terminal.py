"""Decks in the terminal, line by line: findings, dates as read, and what happened to their cards."""

from collections import Counter
from collections.abc import Iterator

from spieltisch.decks.base_kind import kind_of
from spieltisch.decks.deck import JOKER, Deck, date_of, eras_of
from spieltisch.decks.exporting.stats import Stats
from spieltisch.decks.findings import Finding, Listed, labelled, message, say
from spieltisch.decks.importing.headings import named
from spieltisch.decks.importing.renewal import Renewal
from spieltisch.languages import DEFAULT, language

SHOWN = 200  # findings of a deck
KEPT = 20  # cards that are named

_SEVERITIES = {"error": message("error"), "warning": message("warning"), "note": message("note")}
_SUMS = {"error": message("errors"), "warning": message("warnings"), "note": message("notes")}
COUNTS = {
    "century": message("century"),
    "period": message("period"),
    "notation": message("notation"),
    "field": message("field"),
    "region": message("region"),
    "country": message("country"),
    "goal": message("goal"),
    "level": message("level"),
    "series": message("series"),
    "language": message("language"),
    "case": message("case"),
    "number": message("number"),
    "gender": message("gender"),
    "kind": message("kind"),
    "suits": message("suits"),
}


_CARDS = message("cards")


def findings(deck: Deck, lang: str, *, notes: bool = True) -> Iterator[str]:
    """The number of findings, then the findings, with the worst kinds in full."""
    many = Counter[str](one.severity for one in deck.found)
    sums = [labelled(_CARDS, len(deck.table.rows)), *(labelled(said, many[one]) for one, said in _SUMS.items())]
    yield say(labelled(deck.name, Listed(tuple(sums))), lang)
    shown = [one for one in deck.found if notes or one.severity != "note"]
    for one in shown[:SHOWN]:
        yield printable(f"  {line(one, lang)}")
    if len(shown) > SHOWN:
        yield say(message("  and {n} more", n=len(shown) - SHOWN), lang)


def asked(found: list[Finding], lang: str) -> Iterator[str]:
    """The questions about cards before they are accepted."""
    for one in found:
        yield printable(f"  {say(labelled(message('line {line}', line=one.line), one.wrong), lang)}")


def line(finding: Finding, lang: str) -> str:
    said = labelled(_SEVERITIES[finding.severity], finding.wrong)
    said = labelled(finding.card, said) if finding.card else said
    said = labelled(message("line {line}", line=finding.line), said) if finding.line else said
    text = say(said, lang)
    return f"{text} → {say(finding.right, lang)}" if finding.right else text


def plain(finding: Finding, lang: str) -> dict[str, object]:
    return {
        "line": finding.line,
        "card": finding.card,
        "severity": finding.severity,
        "rule": finding.rule,
        "wrong": say(finding.wrong, lang),
        "right": say(finding.right, lang) if finding.right else "",
    }


def dates(deck: Deck, lang: str) -> Iterator[tuple[str, str, str]]:
    """For each line of the sheet: its name, its date as written, and the years as read."""
    column = kind_of(deck.kind).date
    if not column:
        return
    eras = eras_of(deck.table)
    for row in deck.table.rows:
        if not row.line:
            continue
        date = date_of(row, deck.kind, eras)
        read = date.years[lang] if date else JOKER if row[column] == JOKER else "?"
        yield say(message("line {line}", line=row.line), lang), printable(row[column]), read


def fates(done: Renewal, lang: str) -> Iterator[str]:
    values = {key: len(getattr(done, key)) for key in ("new", "changed", "same", "kept")}
    yield say(message("new: {new}, changed: {changed}, unchanged: {same}, not in the sheet: {kept}", **values), lang)
    if done.kept:
        rows = {row["id"]: row for row in done.table.rows}
        kept = " · ".join(rows[one].named for one in done.kept[:KEPT]) + (" …" if len(done.kept) > KEPT else "")
        yield printable(
            say(message("The deck keeps these cards: {cards}. --replace takes them out.", cards=kept), lang)
        )


def counts(deck: Deck, counted: Stats, lang: str) -> Iterator[str]:
    yield say(labelled(deck.name, labelled(_CARDS, counted.cards)), lang)
    if kind_of(deck.kind).date:
        for said, n in (
            (message("before 1500"), counted.before_1500),
            (message("BC"), counted.before_our_era),
            (message("not a plain year"), counted.not_a_plain_year),
        ):
            yield f"  {say(labelled(said, n), lang)} ({language(lang).share(n / max(1, counted.cards))})"
    for column, each in counted.counts.items():
        listed = ", ".join(f"{name[lang]} ({n})" for name, n in each)
        yield printable(f"  {say(labelled(called(column, deck.kind, lang), listed), lang)}")


def called(column: str, kind: str, lang: str) -> str:
    """What is counted: by the label that the kind gives it, else as all kinds call it, else by the column's name."""
    said = message(label) if (label := kind_of(kind).labels.get(column)) else COUNTS.get(column)
    return say(said, lang) if said else named(column, lang)


def plain_counts(counted: Stats) -> dict[str, object]:
    whole = {
        "cards": counted.cards,
        "before_1500": counted.before_1500,
        "before_our_era": counted.before_our_era,
        "not_a_plain_year": counted.not_a_plain_year,
    }
    return whole | {column: {name[DEFAULT]: n for name, n in each} for column, each in counted.counts.items()}


def printable(text: str) -> str:
    """A line for a terminal, without control characters from quoted files."""
    return "".join(sign if sign.isprintable() or sign == "\u00a0" else "�" for sign in text)
