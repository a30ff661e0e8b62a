"""How Matches is shown and told."""

from collections.abc import Sequence
from typing import Any

from spieltisch.games.matches.analysis import Look
from spieltisch.games.matches.rules import GameView, Take, Took

from spieltisch import package
from spieltisch.i18n import Translator
from spieltisch.package import FinishedGame, Pieces

LABELS = {
    "matches": "Matches",
    "matches?": "How many lie there at the beginning.",
    "last_wins": "The last match wins",
    "last_wins?": "Otherwise whoever takes the last match loses.",
}


class Page(package.Page):
    """The row of matches, a button for every number, and a look back."""

    labels = LABELS
    highlights = (Took,)
    review_title = "Where it was won"

    def prepare(self, view: GameView, legal: Sequence[Take], tr: Translator, pieces: Pieces) -> dict[str, Any]:
        p = view.public
        return {
            "left": p.left,
            "lying": range(p.left),
            "takes": [{"action": action, "n": action.n, "words": self.describe(view, action, tr)} for action in legal],
        }

    def describe(self, view: GameView, action: Take, tr: Translator) -> str:
        return tr.ngettext("Take {n} match", "Take {n} matches", action.n).format(n=action.n)

    def review(
        self, games: Sequence[FinishedGame], seats: int, thoughts: Sequence[Look], tr: Translator
    ) -> dict[str, Any]:
        return {"looks": thoughts}
