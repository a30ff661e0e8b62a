"""What is printed of a deck, as data for `sheets.typ`, and the PDF that is made of it."""

import functools
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import typst
from markdown_it import MarkdownIt

from spieltisch import games
from spieltisch.assets import colours
from spieltisch.decks import decktet
from spieltisch.decks.dates import read_date
from spieltisch.decks.deck import Deck, Kind
from spieltisch.decks.events import eras_of
from spieltisch.decks.firsts import JOKER, read_period
from spieltisch.decks.forms import GENDERS, NUMBERS, Paradigm, read_paradigm
from spieltisch.decks.lint.printable import unprintable
from spieltisch.decks.table import Row, Table
from spieltisch.decks.text import Text
from spieltisch.decks.vocabulary import named, tags
from spieltisch.game import Invalid
from spieltisch.games import GamePackage
from spieltisch.games.hichaechoc.sentences import FULL, SHORT
from spieltisch.games.hichaechoc.terms import cases
from spieltisch.i18n import Terms, Translator
from spieltisch.paper import art
from spieltisch.paper.art import glyph

Paper = Literal["a4", "letter"]
Form = Literal["pdf", "png"]
SHEETS = Path(__file__).parent / "sheets.typ"
GAMES: dict[Kind, str] = {"events": "anno-domini", "firsts": "trailblaze", "decktet": "adaman", "forms": "hic-haec-hoc"}
_ACCENTS: dict[Kind, str] = {"events": "ad", "firsts": "tb", "decktet": "ada", "forms": "hhh"}  # names of colours
_SEATS = ("#BFE3EC", "#F6C9B8", "#D9CFF5", "#DCE8A6", "#F6CCE1", "#E6DACA")
_CUT = Text(
    "Sechs Farben zu je zwölf Steinen mit vier Mustern, und der Bonusstein. Die Rückseiten bleiben leer.",
    "Six colours of twelve stones with four patterns each, and the bonus stone. The backs stay blank.",
)
_NAMED = 6  # cards, and signs of a card, that are named
_SHORT = 40  # characters of its text
_CHECKED = Text("Die Karten sind geprüft", "The cards have been checked")


def typeset(deck: Deck, lang: str, paper: Paper = "a4", terms: Terms = Terms(), *, sure: bool = False) -> bytes:  # noqa: B008 - frozen
    """The deck as a PDF, cases named and ordered as the reader has learned them. Invalid, naming cards and signs, where
    a box would stand for a sign that the fonts lack, unless somebody is `sure`.
    """
    said = sheets(deck, lang, paper, terms)
    if not sure:
        _require_fonts(said)
    made = _compiled(said, "pdf")
    assert isinstance(made, bytes)
    return made


def _require_fonts(said: dict[str, Any]) -> None:
    named = []
    for card in [{"text": said["title"]}, *said["cards"]]:
        texts = (card.get(key, "") for key in ("text", "part", "who", "date", "comment", "source"))
        if signs := unprintable("".join(texts)):
            text = card["text"] if len(card["text"]) <= _SHORT else f"{card['text'][: _SHORT - 1]}…"
            named.append(f"{' '.join(signs[:_NAMED])}{' …' * (len(signs) > _NAMED)} ({text})")
    if named:
        more = [f"… (+{len(named) - _NAMED})"] if len(named) > _NAMED else []
        raise Invalid(
            "The fonts for printing lack these signs: {signs}. Write other ones there.",
            signs="; ".join([*named[:_NAMED], *more]),
        )


def part(deck: Deck, series: Sequence[str]) -> Deck:
    """The cards of these series; all, if none is named."""
    if not series:
        return deck
    known = {cells[0] for cells in deck.table.about.get("series", []) if cells}
    for one in series:
        if one not in known:
            raise Invalid("there is no series {series} in {names}", series=one, names=deck.name)
    rows = [row for row in deck.table.rows if row["series"] in series]
    return Deck(deck.name, deck.kind, Table(deck.table.about, rows))


def pictures(deck: Deck, lang: str, paper: Paper = "a4", dots: float = 72) -> list[bytes]:
    """The pages as PNGs of so many dots an inch."""
    made = _compiled(sheets(deck, lang, paper), "png", dots)
    return made if isinstance(made, list) else [made]


def _compiled(said: dict[str, Any], form: Form, dots: float = 72) -> Any:
    inputs, source = {"data": json.dumps(said, ensure_ascii=False)}, SHEETS.read_bytes()
    return typst.compile(source, format=form, ppi=dots, sys_inputs=inputs, font_paths=fonts())


@functools.cache
def fonts() -> typst.Fonts:
    """Those that the library brings: the same on every machine."""
    return typst.Fonts(include_system_fonts=False)


def sheets(deck: Deck, lang: str, paper: Paper, terms: Terms = Terms()) -> dict[str, Any]:  # noqa: B008 - frozen
    """All that stands on the sheets."""
    if not deck.table.rows:
        raise Invalid("the deck has no cards")
    package = games.package(GAMES[deck.kind])
    tr = package.translator(lang, terms=terms)
    said = {
        "paper": paper, "kind": deck.kind, "lang": lang, "title": deck.title[lang],
        "accent": colours()[_ACCENTS[deck.kind]], "ink": colours()["ink"], "quiet": colours()["ink-2"],
        "mark": colours()["line-2"], "ground": colours()["paper"], "cards": [],
        "rules": [one for one in _rules(package, tr) if _all_sourced(deck) or not _claims_sources(one, lang)],
    }  # fmt: skip
    match deck.kind:
        case "events":
            series = {cells[0]: named(cells)[lang] for cells in deck.table.about.get("series", []) if cells}
            eras = eras_of(deck.table)
            said["cards"] = [_event(row, series, eras, lang) for row in deck.table.rows]
        case "firsts":
            fields = tags(deck.table, "field")
            said["cards"] = [_first(row, fields, lang) for row in deck.table.rows]
            said["board"] = [read_period(cells).name[lang] for cells in deck.table.about.get("period", [])]
            said |= {"stones": _CUT[lang], "colours": _SEATS}
        case "decktet":
            said["cards"] = [_face(card, lang) for card in decktet.read_cards(deck.text())]
        case "forms":
            paradigm = read_paradigm(deck.name, deck.text())
            said["cards"] = [{"text": card.form} for card in paradigm.cards] + [{"text": JOKER}]
            said["forms"] = {**_forms(paradigm, tr), "notes": list(_notes(deck.table, lang))}
    said["glyphs"] = {name: glyph(name, colour) for name, colour in _glyphs(said)}
    return said


def _all_sourced(deck: Deck) -> bool:
    return all(row["source"] for row in deck.table.rows)


def _claims_sources(block: dict[str, Any], lang: str) -> bool:
    """Whether the rules say here that every card was checked and names its source."""
    return block["runs"][0]["text"].startswith(_CHECKED[lang])


def _glyphs(said: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The drawings that stand on the sheets, with their colours."""
    ink = said["ink"]
    for card in said["cards"]:
        yield from ((suit, colours()[suit.removeprefix("suit-")]) for suit in card.get("suits", ()))
        yield from ((name, ink) for name in (*card.get("types", ()), card.get("rank", "")) if name.startswith("rank-"))
        if card.get("glyph"):
            yield card["glyph"], said["accent"]
    if "stones" in said:
        yield from ((name, ink) for name in ("pattern-p1", "pattern-p2", "pattern-p3", "pattern-p4", "icon-bonus"))


def _event(row: Row, series: dict[str, str], eras: str, lang: str) -> dict[str, Any]:
    return {
        "text": row.told(lang), "part": series.get(row["series"], ""), "who": "",
        "date": read_date(row["date"], eras).text[lang], "comment": row.told(lang, "comment_"), "source": row["source"],
    }  # fmt: skip


def _first(row: Row, fields: dict[str, Text], lang: str) -> dict[str, Any]:
    joker, field = row["year"] == JOKER, fields.get(row["field"], Text("", ""))
    return {
        "text": row.told(lang), "part": "" if joker else field[lang],
        "joker": joker, "glyph": None if joker else f"field-{row['field']}",
        "who": ", ".join(filter(None, (row["who"], row["place"]))), "date": "Joker" if joker else row["year"],
        "comment": row.told(lang, "comment_"), "source": row["source"],
    }  # fmt: skip


def _face(card: decktet.Card, lang: str) -> dict[str, Any]:
    rank = {"number": str(card.value), "ace": "A"}.get(card.kind, f"rank-{card.kind}")
    types = [f"rank-{name}" for name in ("person", "event", "place") if getattr(card, name)]
    suits = [f"suit-{suit}" for suit in card.suits]
    return {"text": card.name[lang], "rank": rank, "suits": suits, "types": types, "art": art.art(card)}


def _forms(paradigm: Paradigm, tr: Translator) -> dict[str, Any]:
    """The table of forms in the terms of whoever prints it."""
    written = {card.cell: card.form for card in paradigm.cards}
    cells = [(number, gender) for number in NUMBERS for gender in GENDERS]
    heads = [f"{tr._(SHORT[number])}. {tr._(SHORT[gender])}." for number, gender in cells]
    rows = [[tr._(FULL[case]), *(written[case, *cell] for cell in cells)] for case in cases(tr)]
    return {"heads": heads, "rows": rows}


def _notes(table: Table, lang: str) -> Iterator[str]:
    """What the deck says of its forms, such as which others there are."""
    for cells in (*table.about.get("about", []), *table.about.get("note", [])):
        yield cells[0] if lang == "de" else cells[-1]


def _rules(package: GamePackage, tr: Translator) -> Iterator[dict[str, Any]]:
    """The rules of a game, block by block: what kind it is, and its text in runs."""
    text = package.page.retold(
        (package.folder / f"rules.{tr.lang}.md").read_text("utf-8"), package.translator(tr.lang), tr
    )
    kind, depth, cells = "p", 0, None
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        if token.type == "heading_open":
            kind = token.tag
        elif token.type in {"list_item_open", "list_item_close"}:
            depth += 1 if token.type.endswith("open") else -1
        elif token.type == "inline":
            runs, strong = [], False
            for one in token.children or ():
                strong = {"strong_open": True, "strong_close": False}.get(one.type, strong)
                if written := " " if one.type == "softbreak" else one.content:
                    runs.append({"text": re.sub(r"\s+", " ", written), "strong": strong})
            if cells is not None:  # of a table: a row is a line
                cells += [*([{"text": " · ", "strong": False}] if cells else []), *runs]
                continue
            yield {"kind": "li" if depth else kind, "runs": runs}
            kind = "p"
        elif token.type == "tr_open":
            cells = []
        elif token.type == "tr_close":
            yield {"kind": "p", "runs": cells}
            cells = None
