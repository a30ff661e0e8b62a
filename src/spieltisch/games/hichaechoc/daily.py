"""The daily: a hand to shed alone, in the fewest moves."""

from collections.abc import Mapping, Sequence

from spieltisch import package
from spieltisch.game import Illegal
from spieltisch.games.hichaechoc import puzzle, wording
from spieltisch.games.hichaechoc.faces import face
from spieltisch.games.hichaechoc.forms import CELLS, Paradigm
from spieltisch.games.hichaechoc.page import declaration
from spieltisch.games.hichaechoc.puzzle import View
from spieltisch.i18n import N_, Translator


class Puzzle(package.Puzzle[Paradigm, View]):
    """A puzzle in which the player lays cards one by one, each with its declared reading."""

    def play(self, deck: Paradigm, of_day: Sequence[str], seed: bytes, moves: str) -> View:  # noqa: ARG002 - it uses the whole deck
        """The puzzle after these moves."""
        return puzzle.play(puzzle.layout(deck, seed), moves)

    def joined(self, moves: str, form: Mapping[str, list[str]]) -> str:
        """The moves with one more: a card laid or taken."""
        chosen = {name: values[-1] for name, values in form.items()}
        if chosen.get("do") == "take":
            move = "t"
        else:
            cell = tuple(chosen.get(name, "") for name in ("case", "number", "gender"))
            if cell not in CELLS or not chosen.get("card"):
                raise Illegal("Choose a card, and its case, number and gender.")
            move = f"{chosen['card']}.{CELLS.index(cell)}"
        return f"{moves}-{move}" if moves else move

    def prepare(self, view: View, tr: Translator) -> dict[str, object]:
        """The cards on the table, and why the last move was wrong."""
        return {
            "middle": face(view.middle, view.said, tr),
            "words": "" if view.said is None else wording.reading(view.said, tr),
            "hand": [{"card": card, **face(form, None, tr)} for card, form in view.hand],
            "row_left": [face(form, None, tr) for form in view.row],
            "best": view.best,
            "made": view.made,
            "left": view.left,
            "why": "" if view.wrong is None else _why(view.wrong, tr),
            "line": [
                {"form": form, "said": "" if reading is None else wording.reading(reading, tr)}
                for form, reading in view.line
            ],
            **declaration(tr, view.said),
        }

    def said(self, view: View, tr: Translator) -> str:
        """The number of moves, and the fewest possible."""
        if not view.won:
            return tr._("Not shed in {n} moves. Possible in {best}.").format(n=view.score, best=view.best)
        if view.score == view.best:
            return tr._("Shed in {n} moves, the fewest possible.").format(n=view.score)
        return tr._("Shed in {n} moves. Possible in {best}.").format(n=view.score, best=view.best)


def _why(wrong: puzzle.Wrong, tr: Translator) -> str:
    said = "" if wrong.said is None else wording.reading(wrong.said, tr)
    reading = wording.reading(wrong.reading, tr)
    words = tr._(wording.why_wrong(wrong.reading, wrong.said, possible=wrong.possible))
    return words.format(form=wrong.form, reading=reading, top=wrong.top, said=said)


class Daily(package.Daily):
    """A puzzle with cards of *hic*."""

    deck = "hic"
    pitch = N_("Shed seven cards alone, in as few moves as you can.")
    puzzle = Puzzle()

    def middle(self, figure: int, tr: Translator) -> str:
        """Moves."""
        return tr.ngettext("median {n} move", "median {n} moves", figure).format(n=figure)
