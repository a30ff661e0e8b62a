"""What pages show of decks: the list, a deck, its cards.

Without the key of a deck nobody sees a back of it.
"""

import contextlib
from collections.abc import Collection, Iterator, Sequence
from functools import cache

from spieltisch.decks import errata, library
from spieltisch.decks.base_kind import kind_of, plainest
from spieltisch.decks.dates import ERAS, day_text, read_date
from spieltisch.decks.deck import Deck, eras_of
from spieltisch.decks.exporting import stats
from spieltisch.decks.exporting.files import EXPORTS
from spieltisch.decks.findings import Finding, say
from spieltisch.decks.importing import making
from spieltisch.decks.importing.work import ASKED, made_here
from spieltisch.decks.library import Library
from spieltisch.decks.table import COMMENTS, TEXTS, WORDS, Row, read_table
from spieltisch.decks.text import ALWAYS, TAGS, Text
from spieltisch.game import Invalid
from spieltisch.games import with_decks
from spieltisch.i18n import N_, Translator
from spieltisch.languages import LANGUAGES, chain, text
from spieltisch.web.core import catalog
from spieltisch.web.core.cards import preview
from spieltisch.web.core.renderer import Html, Renderer
from spieltisch.web.core.view import deck_choice

PAGE = 60  # cards, or decks in their list
LABELS = {
    "series": N_("Series"), "date": N_("Date"), "year": N_("Year, or joker"), "source": N_("Source"),
    "field": N_("Field"), "region": N_("Region"), "level": N_("Level, 1 to 3"), "goal": N_("Learning goal"),
    "who": N_("Who"), "place": N_("Where"), "country": N_("Country"), "checked": N_("Joker last checked"),
    "again": N_("Check joker again"), "thing": N_("What it is about"),
}  # fmt: skip
_COUNTED = {"series", "goal", "field", "level"}
_OWN = {"id", "fact", "corrected", "review"}  # columns that makers do not fill


def _templates(tr: Translator) -> Iterator[tuple[str, str]]:
    """Return the tables to fill in: the end of the address, and what the link says."""
    for kind in sorted(map(kind_of, made_here()), key=lambda one: one is not plainest()):
        speaks, before = with_decks(kind.name).translator(tr.lang), "" if kind is plainest() else f"{kind.name}-"
        yield from ((f"{before}{form}", speaks._(words)) for form, words in kind.blanks.items())


def kinds_offered(tr: Translator) -> list[tuple[str, str, str]]:
    """Return the kinds of decks that a sheet can become: name, what the cards are, and what a button says of them."""
    found = ((name, kind_of(name), with_decks(name).translator(tr.lang)) for name in made_here())
    labelled = ((name, kind, speaks, kind.label or kind.game) for name, kind, speaks in found)
    return [(name, speaks._(label), speaks._(kind.this or label)) for name, kind, speaks, label in labelled]


def date_help(lang: str) -> list[tuple[str, str]]:
    """Return examples of dates, and the years that are read from each."""
    found = text(lang, "examples/dates.txt")
    shown = []
    for written in (found[0] if found else "").splitlines():
        with contextlib.suppress(Invalid):  # a language from outside may have examples that are none
            shown.append((written, read_date(written).years[lang]))
    return shown


def is_long(column: str) -> bool:
    """Return whether texts in this column need a box of several lines."""
    return column in WORDS


def _shown(kind: str, languages: Collection[str]) -> list[str]:
    """The columns of a form for cards in these languages, and in `ALWAYS`."""
    other = {columns[tag] for columns in (TEXTS, COMMENTS) for tag in TAGS if tag not in (*ALWAYS, *languages)}
    return [column for column in kind_of(kind).columns if column not in _OWN and column not in other]


def card(row: Row, kind: str, lang: str, eras: str = "", languages: Collection[str] = ()) -> dict[str, object]:
    """Return what is on a card, and its cells for a form in these languages, the card's own, and the reader's."""
    columns = _shown(kind, {*languages, *row.languages, chain(lang)[0]})
    return preview(row, kind, lang, eras) | {
        "id": row["id"],
        "seen": making.seen(row.cells),
        "cells": [(column, row[column], is_long(column)) for column in columns],
    }


def labels(kind: str, tr: Translator) -> dict[str, str]:
    """Return what the columns of a kind are called."""
    own, speaks = kind_of(kind).labels, with_decks(kind).translator(tr.lang)
    said = {one: tr._(one) for one in kind_of(kind).columns} | {one: tr._(said) for one, said in LABELS.items()}
    said |= {one: speaks._(said) for one, said in own.items()}
    for tag in TAGS:
        language = tr._(LANGUAGES[tag].english)
        said |= {TEXTS[tag]: language, COMMENTS[tag]: tr._("Comment in {language}").format(language=language)}
    return said


def finding(one: Finding, lang: str) -> dict[str, object]:
    """Return what is wrong with a line of a sheet, and what would be right."""
    right = say(one.right, lang) if one.right else ""
    better = [text[lang] for text in one.better] if one.column else []
    found = {"line": one.line, "severity": one.severity, "wrong": say(one.wrong, lang), "right": right}
    return found | {"column": one.column, "better": better, "asked": one.rule in ASKED}


def deck_list(
    decks: Library, tr: Translator, readable: Sequence[str], made: Sequence[str], at: int = 0
) -> dict[str, object]:
    """Return what `decks/list.html` shows: a page of the decks from `at` on, and decks for other uses. Of the private
    decks it lists the `readable` ones. Those `made` by the reader come first.
    """
    found = []
    for kind in deck_choice.chosen_kinds():
        for name, deck in decks.offered(kind, readable).items():
            about = {"mine": name in made, "private": deck.private, "shipped": name in library.shipped()}
            box = catalog.box(with_decks(kind), tr)
            found.append({"name": name, "title": deck.title[tr.lang], "n": deck.cards, "box": box, **about})
    known = {name for kind in deck_choice.chosen_kinds() for name in decks.offered(kind)}
    found.sort(key=lambda deck: not deck["mine"])
    at = max(0, min(at, len(found) - 1)) // PAGE * PAGE
    return {
        "decks": found[at : at + PAGE],
        "n": len(found),
        "at": at,
        "per": PAGE,
        "can": decks.folder is not None,
        "date_help": date_help(tr.lang),
        "kinds": [("", tr._("Tell from the columns"), ""), *kinds_offered(tr)],
        "templates": [*_templates(tr)],
        "open": [(name, decks.ask(_title, (name,))[tr.lang]) for name in library.shipped() if name not in known],
    }


def _replaced(deck: Deck, lang: str) -> list[dict[str, object]]:
    """Return the cards that two people changed: both versions, and the fields that restore the older one."""
    rows = {row["id"]: row for row in deck.table.rows}
    return [
        {
            "now": card(rows[one], deck.kind, lang),
            "before": card(Row(0, {"id": one, **cells}), deck.kind, lang),
        }
        for one, cells in making.replaced(deck).items()
    ]


def _title(decks: Library, names: Sequence[str]) -> Text:
    return read_table(decks.path(names[0]).read_text("utf-8"), ()).title(names[0])


def _errata(deck: Deck, tr: Translator, *, mine: bool) -> list[dict[str, object]]:
    """Return the corrections of a deck, the newest first. Readers without the key are told no back."""
    fronts, names = {row["id"]: row.told(tr.lang) for row in deck.table.rows}, labels(deck.kind, tr)
    said: list[dict[str, object]] = []
    for one in errata.told(deck):
        front = one["column"] in TEXTS.values()
        said.append(
            {
                "card": fronts.get(one["card"], one["card"]),
                "day": day_text(one["date"])[tr.lang],
                "column": names.get(one["column"]) or tr._("Card"),
                "shown": mine or front,
                "old": one["old"] if mine or front else "",
                "new": one["new"] if mine or front else "",
                "source": one["source"] if mine else "",
            }
        )
    return said


def _said(text: Text, lang: str) -> str:
    return text.by_language.get(lang, "")


def deck_page(deck: Deck, tr: Translator, *, at: int, mine: bool, series: str = "") -> dict[str, object]:
    """Return what `decks/deck.html` shows of a deck, or of one of its series, from the card `at` on.

    Readers see the backs of their own deck (`mine`). Of a shipped one they see fronts, without anything by which a card
    could be looked up.
    """
    about, counted, lang = deck.table.about, stats.stats(deck.table, deck.kind), tr.lang
    parts = [(one, name[lang]) for one, name in deck.table.named("series").items()]
    rows = [row for row in deck.table.rows if series not in dict(parts) or row["series"] == series]
    at = max(0, min(at, len(rows) - 1)) // PAGE * PAGE
    here = rows[at : at + PAGE] if mine or deck.name in library.shipped() else []
    eras = eras_of(deck.table)
    spoken = [tag for tag in TAGS if tag in {*ALWAYS, *deck.table.languages, *deck.title.languages, chain(lang)[0]}]
    return {
        "title": deck.title[lang],
        "titles": [(tag, tr._(LANGUAGES[tag].english), _said(deck.title, tag)) for tag in spoken],
        "replaced": _replaced(deck, lang) if mine else [],
        "errata": _errata(deck, tr, mine=mine),
        "n": len(deck.table.rows),
        "listed": len(rows),
        "box": catalog.box(with_decks(deck.kind), tr),
        "about": {key: [", ".join(cells) for cells in about.get(key, [])] for key in ("authors", "licence", "source")},
        "counts": [(c, each) for c, each in counted.counts.items() if c in _COUNTED and len(each) > 1],
        "cards": [card(one, deck.kind, lang, eras, spoken) for one in here] if mine else [],
        "fronts": [] if mine else [one.text().spoken(lang) for one in here],
        "parts": parts if len(parts) > 1 else [],
        "part": series if series in dict(parts) else "",
        "at": at,
        "last": at + len(here),
        "per": PAGE,
        "columns": [(column, is_long(column)) for column in _shown(deck.kind, spoken)],
        "labels": labels(deck.kind, tr),
        "date_help": date_help(lang) if kind_of(deck.kind).date else [],
        "has_lab": bool(kind_of(deck.kind).date),
        "eras": [(one, said[0][lang]) for one, said in ERAS.items() if one] if kind_of(deck.kind).eras else [],
        "chosen_eras": eras,
        "exports": [(name, tr._(one.label)) for name, one in EXPORTS.items() if one.fits(deck.kind)] if mine else [],
    }


def drawn(base: str, template: str, tr: Translator, /, **shown: object) -> Html:
    """Render a part of a page in the process that answers the question for it, since large ones take long. The
    template must not depend on who looks. `base` is the server's sub-path.
    """
    return Html(_renderer(base).render(template, tr, **shown))


@cache
def _renderer(base: str) -> Renderer:
    return Renderer(base)
