"""The sentences of Inventions; it has no templates, so the generic page shows it."""

from spieltisch.games.inventions.rules import Action, GameView

from spieltisch import package
from spieltisch.i18n import Translator


class Page(package.Page):
    labels = {"cards": "Cards for each"}

    def describe(self, view: GameView, action: Action, tr: Translator) -> str:
        return tr._("Before 1900") if action.early else tr._("From 1900 on")
