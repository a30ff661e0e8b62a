"""Decks of hic – haec – hoc: the forms of a Latin word."""

import random
from collections.abc import Collection, Iterator, Sequence

from spieltisch.decks.base_kind import DeckKind
from spieltisch.decks.deck import Deck
from spieltisch.decks.exporting.asked import Asked, Category, Matching, Question, Several
from spieltisch.decks.exporting.objectives import Card
from spieltisch.decks.findings import in_all, labelled, message, say
from spieltisch.decks.table import Row, Table
from spieltisch.decks.tasks import Scene, Task, day_of
from spieltisch.decks.text import TAGS, Text, folded, same, text_of, together
from spieltisch.games.hichaechoc import forms, pairs
from spieltisch.games.hichaechoc.forms import (
    CASES,
    CELLS,
    GENDERS,
    NUMBERS,
    Case,
    Gender,
    Number,
    Paradigm,
    read_paradigm,
)
from spieltisch.games.hichaechoc.terms import cases
from spieltisch.games.hichaechoc.wording import FULL, SHORT
from spieltisch.i18n import N_, Translator

READINGS = 4  # choices in a task
_CHOICES = 9
_Cell = tuple[Case, Number, Gender]
NAMES = {
    "nom": message("nominative"), "gen": message("genitive"), "dat": message("dative"), "acc": message("accusative"),
    "abl": message("ablative"), "sg": message("singular"), "pl": message("plural"),
    "m": message("masculine"), "f": message("feminine"), "n": message("neuter"),
}  # fmt: skip


class Kind(DeckKind[Paradigm]):
    """Decks of forms."""

    name = "forms"
    columns = forms.COLUMNS
    key = "form"
    words = {column: column for column in forms.COLUMNS}
    heads = frozenset(words)
    counted = ("case", "number", "gender")
    accent = "hhh"
    puzzle = N_("Two cards in two moves")
    puzzle_deck = "hic"

    def read(self, text: str, name: str) -> Paradigm:
        return read_paradigm(name, text)

    def questions(self, deck: Deck, rows: Sequence[Row], lang: str) -> Iterator[Asked]:
        return _asked(deck, rows, lang)

    def called(self, deck: Paradigm) -> Sequence[str]:
        return list(dict.fromkeys(deck.forms()))

    def learned(self, deck: Paradigm, only: Collection[str] | None = None) -> dict[str, Card]:
        return {form: card for form, card in _learned(deck).items() if only is None or form in only}

    def task(self, deck: Paradigm, name: str, card: str, dice: random.Random) -> Task | None:
        """The choice of the right reading, or the daily puzzle."""
        if day_of(card) is not None:
            return pairs.task(deck, name, card, dice)
        written = dict(zip(CELLS, deck.forms(), strict=True))
        right = [cell for cell, form in written.items() if form == card]
        if not right:
            return None
        near = [cell for cell, form in written.items() if form != card]
        dice.shuffle(near)
        chosen = dice.choice(right)
        near.sort(key=lambda cell: sum(a != b for a, b in zip(cell, chosen, strict=True)))  # the most tempting first
        shown = [chosen, *near[: READINGS - 1]]
        dice.shuffle(shown)
        return Task("reading", name, card, tuple(".".join(cell) for cell in shown), READINGS, (shown.index(chosen),))

    def choices(self, deck: Paradigm, task: Task) -> Sequence[Text]:
        return [_reading(one.split(".")) for one in task.shown]

    def scene(self, deck: Paradigm, task: Task, tr: Translator) -> Scene | None:
        return pairs.scene(deck, task, tr)

    def why(self, deck: Paradigm, task: Task, answer: int, tr: Translator) -> str:
        return pairs.why(deck, task, tr)

    def said(self, said: str, lang: str) -> str:
        return reading(said.split("."), lang)

    def sheets(self, deck: Deck, lang: str, tr: Translator) -> dict[str, object]:
        paradigm = read_paradigm(deck.name, deck.text())
        return {
            "cards": [{"text": card.form} for card in paradigm.cards] + [{"text": tr._("Joker")}],
            "forms": {**_table(paradigm, tr), "notes": list(_notes(deck.table, lang))},
        }


def _asked(deck: Deck, rows: Sequence[Row], lang: str) -> Iterator[Asked]:
    title, forms = deck.title[lang], dict(zip(CELLS, read_paradigm(deck.name, deck.text()).forms(), strict=True))
    asked = {row["form"] for row in rows}
    yield Category((title, say(message("Readings"), lang)))
    for form in dict.fromkeys(form for form in forms.values() if form in asked):
        right = [cell for cell, written in forms.items() if written == form]
        text = say(message("{form}: what can it be? Tick all correct answers.", form=form), lang)
        wrong = _tempting(form, right, forms)
        said = [[reading(cell, lang) for cell in cells] for cells in (right, wrong)]
        yield Several(Question(form, text), *said)
    yield Category((title, say(message("Forms"), lang)))
    for number in NUMBERS:
        for gender in GENDERS:
            column = {case: forms[case, number, gender] for case in CASES}
            if asked.intersection(column.values()):
                name = say(labelled(title, f"{say(NAMES[number], lang)} {say(NAMES[gender], lang)}"), lang)
                text = say(message("{name}: which form belongs to each case?", name=name), lang)
                yield Matching(Question(name, text), [(say(NAMES[case], lang), form) for case, form in column.items()])


def reading(cell: Sequence[str], lang: str) -> str:
    return " ".join(say(NAMES[part], lang) for part in cell)


def _reading(cell: Sequence[str]) -> Text:
    """The reading in all languages."""
    return text_of({lang: reading(cell, lang) for lang in TAGS})


def _tempting(form: str, right: Sequence[_Cell], forms: dict[_Cell, str]) -> list[_Cell]:
    """Wrong readings, first those that differ from a right one in one criterion. None that differs only in a long
    vowel: not every course marks them.
    """
    wrong = [cell for cell, written in forms.items() if folded(written, marks=False) != folded(form, marks=False)]
    near = [max(sum(a == b for a, b in zip(cell, one, strict=True)) for one in right) for cell in wrong]
    best = sorted(range(len(wrong)), key=lambda place: -near[place])[: max(3, _CHOICES - len(right))]
    return [wrong[place] for place in sorted(best)]


def _learned(paradigm: Paradigm) -> dict[str, Card]:
    found: dict[str, Card] = {}
    for form in dict.fromkeys(paradigm.forms()):
        cells = [cell for cell, written in zip(CELLS, paradigm.forms(), strict=True) if written == form]
        readings = [_reading(cell) for cell in cells]
        said = together(lambda lang, of=readings: ", ".join(one[lang] for one in of), *readings)
        cases = [case for case in CASES if any(cell[0] == case for cell in cells)]
        goals = tuple(in_all(NAMES[case]).each(_headed) for case in cases)
        found[form] = Card(same(form), said, "", goals, latin=True)
    return found


def _headed(name: str) -> str:
    return name[:1].upper() + name[1:]


def _table(paradigm: Paradigm, tr: Translator) -> dict[str, object]:
    """The table of forms, in the terms of the person who prints it."""
    written = {card.cell: card.form for card in paradigm.cards}
    cells = [(number, gender) for number in NUMBERS for gender in GENDERS]
    heads = [f"{tr._(SHORT[number])}. {tr._(SHORT[gender])}." for number, gender in cells]
    rows = [[tr._(FULL[case]), *(written[case, *cell] for cell in cells)] for case in cases(tr)]
    return {"heads": heads, "rows": rows}


def _notes(table: Table, lang: str) -> Iterator[str]:
    """The deck's notes on its forms, such as alternative ones."""
    yield from (line[lang] for key in ("about", "note") for line in table.lines(key))
