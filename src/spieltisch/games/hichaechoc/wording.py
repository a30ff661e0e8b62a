"""Forms and readings in words."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from spieltisch.games.hichaechoc.agreement import JOKER, agree
from spieltisch.games.hichaechoc.forms import CELLS, GENDERS
from spieltisch.i18n import N_, Translator

if TYPE_CHECKING:
    from spieltisch.games.hichaechoc.state import Public

SHORT = {
    "nom": N_("Nom"), "gen": N_("Gen"), "dat": N_("Dat"), "acc": N_("Acc"), "abl": N_("Abl"),
    "sg": N_("Sg"), "pl": N_("Pl"), "m": "m", "f": "f", "n": "n",
}  # fmt: skip
FULL = {
    "nom": "nominative", "gen": "genitive", "dat": "dative", "acc": "accusative", "abl": "ablative",
    "sg": "singular", "pl": "plural", "m": "masculine", "f": "feminine", "n": "neuter",
}  # fmt: skip


def reading(cell: int, tr: Translator) -> str:
    """A reading in full: "accusative singular feminine"."""
    return " ".join(tr._(FULL[part]) for part in CELLS[cell])


def written(public: "Public", card: int, tr: Translator) -> str:
    """A card in a sentence."""
    return tr._("the joker") if card == JOKER else public.terms.forms[card]


def is_what(cells: Sequence[int], tr: Translator) -> str:
    """A form described by its readings: "accusative singular masculine". It names a gender unless all three apply, and
    joins readings that differ only in case.
    """
    genders: dict[tuple[str, str], list[str]] = {}
    for case, number, gender in (CELLS[cell] for cell in cells):
        genders.setdefault((case, number), []).append(gender)
    cases: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for (case, number), some in genders.items():
        cases.setdefault((number, tuple(some)), []).append(tr._(FULL[case]))
    told = []
    for (number, some), names in cases.items():
        either = [tr._(FULL[one]) for one in some]
        told.append(
            " ".join(["/".join(names), tr._(FULL[number]), *(["/".join(either)] if len(some) < len(GENDERS) else [])])
        )
    return tr._(" or ").join(told)


def says_what(cells: Sequence[int]) -> str:
    """The sentence for it."""
    if len({CELLS[cell][:2] for cell in cells}) > 1:
        return N_("{form} is {what}.")
    return N_("{form} is always {what}.") if len(cells) == len(GENDERS) else N_("{form} is only {what}.")


def why_wrong(reading: int, said: int | None, *, possible: bool) -> str:
    """Why a play declared like this was wrong on a card declared as `said`. `possible`: its form can
    have that reading.
    """
    if not possible:
        return N_("{form} cannot be {reading}.")
    if said is None:
        return N_("{form} can be {reading}, but no reading of {top} agrees with that in exactly two.")
    return (
        N_("{form} can be {reading}, but {top} was declared {said}: nothing agrees."),
        N_("{form} can be {reading}, but {top} was declared {said}: only one agrees."),
        "",
        N_("{form} can be {reading}, but {top} was declared {said}: all three agree. It has to be exactly two."),
    )[agree(reading, said)]
