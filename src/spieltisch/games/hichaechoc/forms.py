"""Decks of forms: the thirty forms of a Latin pronoun or adjective, a card for every case, number and gender.

The table of a shipped paradigm has the columns `case`, `number`, `gender` and `form`. Only the forms on the cards mark
long vowels.
"""

import functools
import unicodedata
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Literal, get_args

from msgspec import Struct

from spieltisch.brief import Brief
from spieltisch.decks.table import read_table
from spieltisch.decks.text import NOTHING, Text, same
from spieltisch.game import Invalid

Case = Literal["nom", "gen", "dat", "acc", "abl"]
Number = Literal["sg", "pl"]
Gender = Literal["m", "f", "n"]

CASES: tuple[Case, ...] = get_args(Case)
NUMBERS: tuple[Number, ...] = get_args(Number)
GENDERS: tuple[Gender, ...] = get_args(Gender)
CELLS = tuple(product(CASES, NUMBERS, GENDERS))
"""The cells of a table of forms, row by row: each case is a row, with the singular left of the plural."""

COLUMNS = ("case", "number", "gender", "form")
JOKER = "joker"
"""The name of the extra card in records. No form may be called that."""

FOLDER: Path = Path(__file__).parent / "decks"


class Card(Struct, frozen=True):
    """A card. It shows only `form`; it was made for one cell, but counts as every cell with this form."""

    form: str
    case: Case
    number: Number
    gender: Gender

    @property
    def cell(self) -> tuple[Case, Number, Gender]:
        return self.case, self.number, self.gender


class Paradigm(Brief, frozen=True):
    """A deck of forms: one card for each of the thirty cells, in any order."""

    id: str
    cards: tuple[Card, ...]
    title: Text = NOTHING

    def forms(self) -> tuple[str, ...]:
        """The table of forms, row by row."""
        written = {card.cell: card.form for card in self.cards}
        return tuple(written[cell] for cell in CELLS)


def paradigm(name: str, forms: Sequence[str], title: Text | None = None) -> Paradigm:
    """The deck of these thirty forms, row by row. Raises Invalid if they are no table of forms."""
    if len(forms) != len(CELLS):
        raise Invalid("a table of forms needs {n} forms; this one has {m}", n=len(CELLS), m=len(forms))
    for form in forms:
        if not form or form != form.strip():
            raise Invalid("{form} is not a form: it is empty or has spaces around it", form=repr(form))
        if form == JOKER:
            raise Invalid("no form may be called {joker}: that is the extra card", joker=JOKER)
        if not unicodedata.is_normalized("NFC", form):
            raise Invalid("{form} is not in Unicode's composed form (NFC)", form=form)
    cards = tuple(Card(form, *cell) for form, cell in zip(forms, CELLS, strict=True))
    return Paradigm(name, cards, title or same(name))


def read_paradigm(name: str, text: str) -> Paradigm:
    """The deck in this CSV text, with rows in any order."""
    table = read_table(text, COLUMNS)
    written: dict[tuple[str, ...], str] = {}
    for row in table.rows:
        cell = (row["case"], row["number"], row["gender"])
        if cell not in CELLS:
            raise Invalid("line {line}: there is no cell {cell}", line=row.line, cell=".".join(cell))
        if cell in written:
            raise Invalid("line {line}: {cell} is there twice", line=row.line, cell=".".join(cell))
        written[cell] = row["form"]
    if missing := [".".join(cell) for cell in CELLS if cell not in written]:
        raise Invalid("the table lacks {cells}", cells=", ".join(missing))
    return paradigm(name, [written[cell] for cell in CELLS], table.title(name))


@functools.cache
def shipped() -> dict[str, Paradigm]:
    """The shipped decks of forms by name."""
    files = sorted(FOLDER.glob("*.csv"))
    return {file.stem: read_paradigm(file.stem, file.read_text("utf-8")) for file in files}


def named(name: str) -> Paradigm:
    """The shipped deck of forms with this name. Raises Invalid if there is none."""
    try:
        return shipped()[name]
    except KeyError:
        raise Invalid("there is no paradigm {name}, only {names}", name=name, names=", ".join(shipped())) from None
