"""A decided contest on the page: the question, the tables of forms row by row, and who was right."""

from spieltisch.games.hichaechoc import news as told
from spieltisch.games.hichaechoc.faces import face, tables_of
from spieltisch.games.hichaechoc.forms import CASES
from spieltisch.games.hichaechoc.state import Public
from spieltisch.games.hichaechoc.wording import is_what, says_what
from spieltisch.i18n import N_, Translator

# in ms
QUESTION = 900  # the question alone
PACE = 350  # between rows of the tables of forms
TURN = 420  # a row appears
BREATH = 700  # pause before the declaration is marked
REST = 500  # pause before the verdict
ROWS = len(CASES)
MARKED = QUESTION + (ROWS - 1) * PACE + TURN + BREATH
ENDS = MARKED + REST


def seconds(p: Public) -> float:
    """How long the last step is shown if it decided a contest, in seconds."""
    return ENDS / 1000 if any(isinstance(one, told.Judged) for one in p.news) else 0.0


def verdict(p: Public, judged: told.Judged, tr: Translator) -> dict[str, object]:
    """A decided contest: who, which declaration, right or wrong, why, and what follows."""
    cells: dict[int, dict[str, object]] = {
        cell: {"form": p.terms.forms[one], "top": cell in judged.beneath or cell == judged.said}
        for cell, one in enumerate(judged.table)
    }
    for cell in judged.readings:
        cells[cell]["right"] = True
    wrong = judged.reading not in judged.readings
    cells[judged.reading] |= {"wrong": wrong, "said": True}
    fined = any(type(news) is told.Fined for news in p.news)
    names = judged.values(p, tr)
    then = [] if judged.right else [tr.of(judged.seat, *told.TAKES_BACK)]
    if fined:
        then.append(tr.of(judged.by, *told.COSTS))
    last = p.hands[judged.seat] == (not judged.right)  # a wrong card has gone back
    said = (N_("{name} said: {form}, {reading}."), N_("You said: {form}, {reading}."))
    return {
        "card": face(p.terms.forms[judged.form], judged.reading, tr),
        "right": judged.right,
        "seat": judged.seat,
        "asks": tr._(N_("Is the last card right?") if last else N_("Is that true?")),
        "turns": [QUESTION + n * PACE for n in range(ROWS)],
        "marked": MARKED,
        "ends": ENDS,
        "title": tr._("No mistake.") if judged.right else tr._("Objection upheld."),
        "said": _latin(tr._(said[judged.seat == tr.me]), {**names, "name": tr.name(judged.seat)}),
        "objected": tr.of(judged.by, N_("{name} objected."), N_("You objected.")),
        "why": _why(judged, p, names, tr),
        "then": " ".join(then),
        "forms": tables_of(cells, tr),
    }


def _why(judged: told.Judged, p: Public, names: dict[str, str], tr: Translator) -> list[tuple[str, bool]]:
    """Why a play was right or wrong, in pieces. If the card lacks the reading, also what it is instead."""
    if judged.reading in judged.readings:
        return _latin(tr._(judged.reason()), names)
    more = {"what": is_what(judged.readings, tr), "other": p.terms.forms[judged.table[judged.reading]]}
    words = tr._(says_what(judged.readings)), tr._("The {reading} is {other}.")
    return _latin(" ".join(words), names | more)


def _latin(sentence: str, names: dict[str, str]) -> list[tuple[str, bool]]:
    """A sentence in pieces, each marked as Latin or not."""
    pieces: list[tuple[str, bool]] = []
    rest = sentence
    while "{" in rest:
        before, _, rest = rest.partition("{")
        name, _, rest = rest.partition("}")
        pieces += [(before, False), (names[name], name in {"form", "top", "other"})]
    return [piece for piece in (*pieces, (rest, False)) if piece[0]]
