"""The look back at a finished game: hidden cards, the confusion map, forms to learn.

The confusion map says how sure a player is of each of the thirty cells, from real plays and objections. For each cell
it counts a player's claims by playing, objecting and accepting, and how many were right. During a strict game, only
objections reveal the table of forms. Afterwards everything can be looked up.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct

from spieltisch.decks.exporting.anki import Note
from spieltisch.games.hichaechoc.agreement import agree, readings
from spieltisch.games.hichaechoc.decisions import decisions
from spieltisch.games.hichaechoc.forms import CASES, CELLS, GENDERS, NUMBERS
from spieltisch.games.hichaechoc.news import Judged, News, Played
from spieltisch.games.hichaechoc.state import JOKER, Finished, GameState
from spieltisch.games.hichaechoc.wording import FULL, SHORT, reading
from spieltisch.i18n import Translator
from spieltisch.package import Decision, Section

PRACTISED = 8  # cells in the next round of practice

CELLS_OF = {case: [n for n, cell in enumerate(CELLS) if cell[0] == case] for case in CASES}


def hidden(state: GameState, tr: Translator) -> list[Section]:
    """Hidden cards: every hand, and the pile with the next card first."""
    forms = state.public.terms.forms

    def line(cards: Sequence[int]) -> str:
        return ", ".join(tr._("Joker") if card == JOKER else forms[card] for card in cards)

    parts = [(tr.name(seat), own.hand) for seat, own in enumerate(state.own)]
    parts.append((tr._("The pile, next card first"), state.hidden.pile))
    return [Section(title, [line(cards)]) for title, cards in parts if cards]


class Sureness(Struct):
    """A player's sureness: by cell, right and wrong claims; and which values were confused, two of case, number or
    gender.
    """

    right: Counter[int]
    wrong: Counter[int]
    confused: Counter[tuple[str, str]]


def sureness(games: Sequence[Finished], seat: int) -> Sureness:
    """The sureness of the player at this seat now, over games with the same forms. An error of agreement says nothing
    about a cell.
    """
    found = Sureness(Counter(), Counter(), Counter())
    for game in games:
        forms, sat = written(game.dealt), game.seat(seat)
        if forms is not None and sat is not None:
            _count(found, [one for one in decisions(game) if one.seat == sat], forms)
    return found


def counted(said: Iterable[Decision], forms: Sequence[str]) -> Sureness:
    """The sureness of everybody behind these decisions."""
    found = Sureness(Counter(), Counter(), Counter())
    _count(found, said, forms)
    return found


def _count(found: Sureness, said: Iterable[Decision], forms: Sequence[str]) -> None:
    for one in said:
        cell = CELLS.index(tuple(one.said.split(".")))
        (found.right if one.right else found.wrong)[cell] += 1
        if one.deed == "laid" and not one.right:
            found.confused.update(_pairs(cell, [own for own, form in enumerate(forms) if form == one.card]))


def _pairs(cell: int, own: Sequence[int]) -> list[tuple[str, str]]:
    """Confused values, if one of the form's readings differs in one criterion only."""
    near = [other for other in own if agree(cell, other) == 2]
    return [pair for pair in zip(CELLS[cell], CELLS[near[0]], strict=True) if pair[0] != pair[1]] if near else []


def review(games: Sequence[Finished], seats: int, thoughts: Sequence[object], tr: Translator) -> dict[str, object]:
    """The context of `review.html`: the viewer's map, or everybody's. The newest game comes first."""
    forms = written(games[0].dealt)
    if forms is None:
        return {"maps": [], "open": True}
    alike = [game for game in games if written(game.dealt) == forms]
    shown = range(seats) if tr.me is None else (tr.me,)
    return {"maps": [_map(alike, seat, forms, tr) for seat in shown], "games": len(alike), "open": False}


def written(state: GameState) -> list[str] | None:
    """The forms of a strict game, by cell."""
    table = state.hidden.table
    return None if table is None else [state.public.terms.forms[form] for form in table]


def _map(games: Sequence[Finished], seat: int, forms: Sequence[str], tr: Translator) -> dict[str, object]:
    found = sureness(games, seat)
    return {
        "seat": seat,
        "columns": [f"{tr._(SHORT[n])} {tr._(SHORT[g])}" for n in NUMBERS for g in GENDERS],
        "rows": [
            {"case": tr._(SHORT[case]), "cells": [_cell(found, n, forms) for n in CELLS_OF[case]]} for case in CASES
        ],
        "confused": [
            tr._("{said} instead of {was}: {n}").format(said=tr._(FULL[said]), was=tr._(FULL[was]), n=n)
            for (said, was), n in found.confused.most_common(3)
        ],
        "cards": [{"form": forms[cell], "back": _back(cell, forms, tr)} for cell in practice(found, forms)],
    }


def _cell(found: Sureness, cell: int, forms: Sequence[str]) -> dict[str, object]:
    right, met = found.right[cell], found.right[cell] + found.wrong[cell]
    return {"form": forms[cell], "right": right, "met": met, "kind": kind(right, met)}


def kind(right: int, met: int) -> Literal["", "ok", "warn", "bad"]:
    """The degree of sureness for this many claims, this many of them right."""
    if right == met:
        return "ok" if met else ""
    return "bad" if 2 * right <= met else "warn"


def practice(found: Sureness, forms: Sequence[str]) -> list[int]:
    """The cells to practise next, each form once: most errors first, then those not met yet."""
    order = sorted(range(len(CELLS)), key=lambda cell: (-found.wrong[cell], found.right[cell], cell))
    once = {forms[cell]: cell for cell in reversed(order)}  # keeps the first of each form
    return [cell for cell in order if once[forms[cell]] == cell][:PRACTISED]


def _back(cell: int, forms: Sequence[str], tr: Translator) -> list[str]:
    return [reading(other, tr) for other in range(len(CELLS)) if forms[other] == forms[cell]]


def missed(state: GameState, news: Iterable[News], seat: int, tr: Translator) -> list[Note]:
    """Cards for a seat to learn: each form that it misread or contested without reason."""
    terms = state.public.terms
    table = terms.table if terms.table is not None else state.hidden.table
    assert table is not None
    taken: dict[int, str] = {}
    for one in news:
        match one:
            case Judged(right=True, by=who) if who == seat:
                told = tr._("You objected to: {reading}.")
            case Judged(right=False, seat=who) if who == seat:
                told = tr._("You said: {reading}.")
            case Played(seat=who, form=form, reading=cell) if who == seat and cell not in readings(table, form):
                told = tr._("You said: {reading}.")
            case _:
                continue
        taken[one.form] = told.format(reading=reading(one.reading, tr))
    return [_learned(terms.forms[form], readings(table, form), told, tr) for form, told in taken.items()]


def _learned(form: str, cells: tuple[int, ...], told: str, tr: Translator) -> Note:
    return Note(form, (form, ", ".join(reading(cell, tr) for cell in cells), told, ""))
