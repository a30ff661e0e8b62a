"""The daily: six cards on one board, alone."""

from collections.abc import Mapping, Sequence

from spieltisch import package
from spieltisch.games.trailblaze import puzzle
from spieltisch.games.trailblaze.board import FULL, ROWS
from spieltisch.games.trailblaze.firsts import Firsts
from spieltisch.games.trailblaze.page import ROMAN
from spieltisch.games.trailblaze.puzzle import CARDS, View
from spieltisch.games.trailblaze.reveal import motif
from spieltisch.i18n import N_, Translator

MOST = sum(ROWS) + FULL


class Puzzle(package.Puzzle[Firsts, View]):
    """A puzzle with one answer for all six cards."""

    def play(self, deck: Firsts, of_day: Sequence[str], seed: bytes, moves: str) -> View:
        """The puzzle with this answer."""
        return puzzle.play(deck, of_day, seed, moves)

    def joined(self, moves: str, form: Mapping[str, list[str]]) -> str:  # noqa: ARG002 - the form has the whole answer
        """The answer in the form."""

        def chosen(name: str, card: int) -> str:
            return form.get(f"{name}-{card}", [""])[-1][:2]

        return "-".join(f"{chosen('column', card)}.{chosen('row', card)}" for card in range(CARDS))

    def prepare(self, view: View, tr: Translator) -> dict[str, object]:
        """The cards with the choice for each; after the end, also with the truth."""
        periods = [period.name[tr.lang] for period in view.periods]
        return {
            "cards": [
                {
                    "n": n,
                    "front": {
                        "text": front.text[tr.lang],
                        "motif": motif(front.field, joker=front.joker),
                        "joker": front.joker,
                    },
                    "column": column,
                    "row": row,
                    "roman": ROMAN[row or 0],
                    "period": "" if column is None else periods[column],
                    "back": None if not view.over else _back(view.backs[n], periods, tr),
                }
                for n, (front, (column, row)) in enumerate(zip(view.fronts, view.fields, strict=True))
            ],
            "periods": periods,
            "rows": [{"row": row, "roman": ROMAN[row]} for row in ROWS],
            "asks": _asks(view, tr),
            "score": view.score,
            "most": MOST,
        }

    def said(self, view: View, tr: Translator) -> str:
        """The points."""
        return tr._("{n} of {most} points.").format(n=view.score, most=MOST)


def _back(back: puzzle.Back, periods: Sequence[str], tr: Translator) -> dict[str, object]:
    return {
        "year": back.year,
        "who": back.who,
        "comment": back.comment[tr.lang],
        "source": back.source,
        "corrected": back.corrected,
        "period": periods[back.column],
        "right": back.right,
    }


def _asks(view: View, tr: Translator) -> str:
    """What is still missing in an answer."""
    if view.doubled:
        return tr._("Two cards are in row {row}. Each row takes one card.").format(row=ROMAN[view.doubled[0]])
    if view.moves and view.lacking:
        return tr._("Choose a period and a row for every card.")
    return ""


class Daily(package.Daily):
    """A puzzle with six of the day's eight cards, so that no two are about one woman."""

    deck = "firsts"
    each = 8
    pitch = N_("Six cards, six rows: put what you know best where it counts most.")
    puzzle = Puzzle()

    def middle(self, figure: int, tr: Translator) -> str:
        """Points."""
        return tr.ngettext("median {n} point", "median {n} points", figure).format(n=figure)
