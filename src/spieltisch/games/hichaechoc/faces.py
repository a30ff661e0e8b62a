"""Cards, their declarations and the tables of forms, as pages show them."""

from collections.abc import Iterable

from spieltisch.games.hichaechoc.forms import CELLS, GENDERS, NUMBERS
from spieltisch.games.hichaechoc.terms import cases
from spieltisch.games.hichaechoc.wording import FULL, SHORT, reading
from spieltisch.i18n import Translator


def face(form: str | None, said: int | None, tr: Translator) -> dict[str, object]:
    """A card (`form` None: the joker) with its declaration, short and in full."""
    joker, form = form is None, tr._("Joker") if form is None else form
    return {
        "form": form,
        "joker": joker,
        "size": "long" if len(form) > 4 else "",
        "said": [] if said is None else [(tr._(SHORT[part]), tr._(FULL[part])) for part in CELLS[said]],
        "words": "" if said is None else reading(said, tr),
    }


def tables_of(cells: dict[int, dict[str, object]], tr: Translator) -> list[dict[str, object]]:
    """The table of forms as two, singular and plural, with what is known about each cell."""

    def column(number: str) -> Iterable[dict[str, object]]:
        for case in cases(tr):
            yield {
                "short": tr._(SHORT[case]),
                "full": tr._(FULL[case]),
                "cells": [cells.get(CELLS.index((case, number, gender)), {}) for gender in GENDERS],
            }

    genders = [(tr._(SHORT[gender]), tr._(FULL[gender])) for gender in GENDERS]
    return [
        {"number": number, "title": tr._(FULL[number]), "genders": genders, "rows": list(column(number))}
        for number in NUMBERS
    ]
