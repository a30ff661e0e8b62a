"""What is printed of a deck, and the PDF that is made of it. `sheets.typ` has the sheets, `pages.typ` what stands on
them; how a card looks is in the game's `print.typ`, or in `plain.typ`.
"""

import functools
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import typst
from markdown_it import MarkdownIt

from spieltisch import games
from spieltisch.assets import colours, glyph
from spieltisch.decks.base_kind import kind_of
from spieltisch.decks.deck import Deck
from spieltisch.decks.lint.printable import unprintable
from spieltisch.decks.table import Table
from spieltisch.game import Invalid
from spieltisch.i18n import N_, Terms, Translator
from spieltisch.languages import language
from spieltisch.package import Package

Paper = Literal["a4", "letter"]
Form = Literal["pdf", "png"]
PAPER = Path(__file__).parent
_NAMED = 6  # cards, and signs of a card, that are named
_SHORT = 40  # characters of its text
_CHECKED = N_("The cards have been checked")  # how the paragraph begins that claims it, in the rules in each language


def typeset(deck: Deck, lang: str, paper: Paper = "a4", terms: Terms = Terms(), *, sure: bool = False) -> bytes:  # noqa: B008 - frozen
    """The deck as a PDF, cases named and ordered as the reader has learned them. Invalid, naming cards and signs, where
    a box would stand for a sign that the fonts lack, unless somebody is `sure`.
    """
    said = sheets(deck, lang, paper, terms)
    if not sure:
        _require_fonts(said)
    made = _compiled(deck, said, "pdf")
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
            "The printing fonts lack these characters: {signs}. Use others there.",
            signs=" · ".join([*named[:_NAMED], *more]),
        )


def part(deck: Deck, series: Sequence[str]) -> Deck:
    """The cards of these series; all, if none is named."""
    if not series:
        return deck
    known = deck.table.named("series")
    for one in series:
        if one not in known:
            raise Invalid("there is no series {series} in {names}", series=one, names=deck.name)
    rows = [row for row in deck.table.rows if row["series"] in series]
    return Deck(deck.name, deck.kind, Table(deck.table.about, rows))


def pictures(deck: Deck, lang: str, paper: Paper = "a4", dots: float = 72) -> list[bytes]:
    """The pages as PNGs of so many dots an inch."""
    made = _compiled(deck, sheets(deck, lang, paper), "png", dots)
    return made if isinstance(made, list) else [made]


def _compiled(deck: Deck, said: dict[str, object], form: Form, dots: float = 72) -> Any:
    inputs = {"data": json.dumps(said, ensure_ascii=False)}
    return typst.compile(drawing(deck.kind), format=form, ppi=dots, sys_inputs=inputs, font_paths=fonts())


def drawing(kind: str) -> bytes:
    """What draws decks of this kind from the data of `sheets`."""
    own = kind_of(kind).folder / "print.typ"
    parts = (PAPER / "sheets.typ", own if own.is_file() else PAPER / "plain.typ", PAPER / "pages.typ")
    return b"\n".join(one.read_bytes() for one in parts)


@functools.cache
def fonts() -> typst.Fonts:
    """Those that the library brings: the same on every machine."""
    return typst.Fonts(include_system_fonts=False)


def sheets(deck: Deck, lang: str, paper: Paper, terms: Terms = Terms()) -> dict[str, Any]:  # noqa: B008 - frozen
    """All that stands on the sheets."""
    if not deck.table.rows:
        raise Invalid("the deck has no cards")
    kind, package = kind_of(deck.kind), games.with_decks(deck.kind)
    tr = package.translator(lang, terms=terms)
    said: dict[str, Any] = {
        "paper": paper, "lang": language(lang).tag.partition("-")[0], "title": deck.title[lang],
        "accent": colours()[kind.accent], "ink": colours()["ink"], "quiet": colours()["ink-2"],
        "mark": colours()["line-2"], "ground": colours()["paper"],
        "rules": list(_rules(package, tr, all_sourced=_all_sourced(deck))),
        **kind.sheets(deck, lang, tr),
    }  # fmt: skip
    drawn = {card["glyph"]: said["accent"] for card in said["cards"] if card.get("glyph")} | said.pop("drawn", {})
    said["glyphs"] = {name: glyph(name, colour) for name, colour in drawn.items()}
    return said


def _all_sourced(deck: Deck) -> bool:
    return all(row["source"] for row in deck.table.rows)


def _rules(package: Package, tr: Translator, *, all_sourced: bool) -> Iterator[dict[str, Any]]:
    """The rules of a game, block by block: what kind it is, and its text in runs. Without the claim that every card was
    checked and names its source, unless it is true.
    """
    found = package.rule_book(tr.lang)
    if found is None:
        return
    usual = package.translator(found[1])
    text = package.page.retold(found[0], usual, tr if found[1] == tr.lang else usual)
    for block in _blocks(text):
        if all_sourced or not block["runs"][0]["text"].startswith(usual._(_CHECKED)):
            yield block


def _blocks(text: str) -> Iterator[dict[str, Any]]:
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
