"""How Matches is shown and told."""

from collections.abc import Sequence
from typing import Any

from spieltisch.games.matches.analysis import Look
from spieltisch.games.matches.rules import Began, GameView, News, Public, Take, Took

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

    def tell(self, news: News, public: Public, tr: Translator) -> str:
        mine = news.seat == tr.me
        match news:
            case Began():
                words = tr._("You begin.") if mine else tr._("{name} begins.")
            case Took(_, n):
                if mine:
                    words = tr.ngettext("You take {n} match.", "You take {n} matches.", n)
                else:
                    words = tr.ngettext("{name} takes {n} match.", "{name} takes {n} matches.", n)
        return words.format(name=tr.name(news.seat), n=getattr(news, "n", 0))

    def describe(self, view: GameView, action: Take, tr: Translator) -> str:
        return tr.ngettext("Take {n} match", "Take {n} matches", action.n).format(n=action.n)

    def review(
        self, games: Sequence[FinishedGame], seats: int, thoughts: Sequence[Look], tr: Translator
    ) -> dict[str, Any]:
        return {"looks": thoughts}
