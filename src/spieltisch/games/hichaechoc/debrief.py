"""What a class discusses after its games: what was declared and contested at all tables, the confusion map of the
class, and the wrong readings of each form.
"""

from collections import Counter
from collections.abc import Sequence

from spieltisch.games.hichaechoc.forms import CASES, CELLS, GENDERS, NUMBERS
from spieltisch.games.hichaechoc.review import CELLS_OF, Sureness, counted, kind, written
from spieltisch.games.hichaechoc.state import InClass
from spieltisch.games.hichaechoc.wording import FULL, SHORT, reading
from spieltisch.i18n import Translator
from spieltisch.package import Cell, Debrief, Decision, Grid

MOST = 5  # wrong readings of a form


def debrief(games: Sequence[InClass], tr: Translator) -> Debrief:
    """The debrief of strict games with the same forms. Assisted games have no errors."""
    strict = [one for one in games if written(one.game.dealt) is not None]
    if not strict:
        return Debrief()
    forms = written(strict[0].game.dealt)
    assert forms is not None
    alike = [one for one in strict if written(one.game.dealt) == forms]
    decisions = [decision for one in alike for decision in one.decisions]
    return Debrief(grids=[_objections(alike, tr), _map(decisions, forms, tr)], taken=_taken(decisions, tr))


def _objections(games: Sequence[InClass], tr: Translator) -> Grid:
    """For each table: what was declared, how much of it was wrong, and who noticed."""
    rows = []
    for one in games:
        laid = [decision.right for decision in one.decisions if decision.deed == "laid"]
        contested = [decision.right for decision in one.decisions if decision.deed == "contested"]
        figures = (len(laid), laid.count(False), len(contested), contested.count(True))
        rows.append((tr._("Table {n}").format(n=one.table), [Cell(str(n)) for n in figures]))
    heads = [tr._("forms declared"), tr._("declared wrongly"), tr._("objections"), tr._("upheld")]
    return Grid(title=tr._("Objections at all tables"), heads=heads, rows=rows)


def _map(decisions: Sequence[Decision], forms: Sequence[str], tr: Translator) -> Grid:
    """The class's sureness of each cell."""
    found = counted(decisions, forms)
    said = [
        tr._("{said} instead of {was}: {n}").format(said=tr._(FULL[said]), was=tr._(FULL[was]), n=n)
        for (said, was), n in found.confused.most_common(3)
    ]
    return Grid(
        title=tr._("What the class is sure of"),
        heads=[f"{tr._(SHORT[n])} {tr._(SHORT[g])}" for n in NUMBERS for g in GENDERS],
        rows=[(tr._(SHORT[case]), [_cell(found, cell, forms) for cell in CELLS_OF[case]]) for case in CASES],
        words=" · ".join(said),
        latin=True,
    )


def _cell(found: Sureness, cell: int, forms: Sequence[str]) -> Cell:
    right, met = found.right[cell], found.right[cell] + found.wrong[cell]
    return Cell(forms[cell], f"{right}/{met}" if met else "", kind(right, met))


def _taken(decisions: Sequence[Decision], tr: Translator) -> dict[str, list[tuple[str, int, bool]]]:
    """For each form: the readings it was wrongly declared as."""
    taken: dict[str, Counter[int]] = {}
    for one in decisions:
        if one.deed == "laid" and not one.right:
            taken.setdefault(one.card, Counter())[CELLS.index(tuple(one.said.split(".")))] += 1
    return {form: [(reading(cell, tr), n, False) for cell, n in some.most_common(MOST)] for form, some in taken.items()}
