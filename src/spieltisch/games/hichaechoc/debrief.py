"""What a class looks at together after its games: objections at all tables, the confusion map of the whole class, and
the forms it erred on most, each with what it was declared as.
"""

from collections import Counter
from collections.abc import Sequence

from spieltisch.decks.forms import CASES, CELLS, GENDERS, NUMBERS
from spieltisch.games.hichaechoc.agreement import readings
from spieltisch.games.hichaechoc.decisions import decisions
from spieltisch.games.hichaechoc.news import JokerPlayed, Judged, Played
from spieltisch.games.hichaechoc.review import CELLS_OF, Sureness, kind, sureness, written
from spieltisch.games.hichaechoc.sentences import FULL, SHORT, reading
from spieltisch.i18n import Translator
from spieltisch.protocols import Cell, FinishedGame, Grid, Mistaken, Slide

MOST = 5  # forms, and pairs that were confused


def debrief(games: Sequence[tuple[str, FinishedGame]], tr: Translator) -> list[Slide]:
    """The slides, of strict games of the same forms; assisted ones know no error."""
    strict = [(table, game) for table, game in games if written(game.dealt) is not None]
    if not strict:
        return []
    forms = written(strict[0][1].dealt)
    assert forms is not None
    alike = [(table, game) for table, game in strict if written(game.dealt) == forms]
    return [_objections(alike, tr), _map([game for _, game in alike], forms, tr),
            *_mistaken([game for _, game in alike], forms, tr)]  # fmt: skip


def _objections(games: Sequence[tuple[str, FinishedGame]], tr: Translator) -> Grid:
    """What was laid at each table, how much of it was wrong, and who noticed."""
    rows = []
    for table, game in games:
        forms = game.dealt.hidden.table
        laid = [one for one in game.news if isinstance(one, Played)]
        wrong = sum(one.reading not in readings(forms, one.form) for one in laid)
        judged = [one for one in game.news if isinstance(one, Judged)]
        figures = (
            len(laid) + sum(isinstance(one, JokerPlayed) for one in game.news),
            wrong,
            len(judged),
            sum(not one.right for one in judged),
        )
        rows.append((tr._("Table {n}").format(n=table), [Cell(str(n)) for n in figures]))
    heads = [tr._("cards laid"), tr._("declared wrongly"), tr._("objections"), tr._("upheld")]
    return Grid(title=tr._("Objections at all tables"), heads=heads, rows=rows)


def _map(games: Sequence[FinishedGame], forms: Sequence[str], tr: Translator) -> Grid:
    """How sure the class is of each cell."""
    found = sureness(games, None)
    said = [
        tr._("{said} for {was}: {n}").format(said=tr._(FULL[said]), was=tr._(FULL[was]), n=n)
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


def _mistaken(games: Sequence[FinishedGame], forms: Sequence[str], tr: Translator) -> list[Mistaken]:
    """The forms that were most often declared as what they are not, or let pass as that."""
    taken, passed = dict[str, Counter[int]](), Counter[str]()
    for one in (one for game in games for one in decisions(game)):
        if one.deed == "passed":
            passed[one.card] += 1
        elif one.deed == "laid" and not one.right:
            taken.setdefault(one.card, Counter())[CELLS.index(tuple(one.said.split(".")))] += 1
    most = sorted(taken, key=lambda form: (-taken[form].total() - passed[form], form))[:MOST]
    return [_slide(form, taken[form], passed[form], forms, tr) for form in most]


def _slide(form: str, taken: Counter[int], passed: int, forms: Sequence[str], tr: Translator) -> Mistaken:
    own, n = [cell for cell in range(len(CELLS)) if forms[cell] == form], taken.total()
    words = tr.ngettext("declared wrongly once", "declared wrongly {n} times", n).format(n=n)
    if passed:
        words += ", " + tr.ngettext("let pass once", "let pass {n} times", passed).format(n=passed)
    return Mistaken(
        front=form,
        back="; ".join(reading(cell, tr) for cell in own),
        words=words,
        taken=[(reading(cell, tr), often, False) for cell, often in taken.most_common(MOST)],
        latin=True,
    )
