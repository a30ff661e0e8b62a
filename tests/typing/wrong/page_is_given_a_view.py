"""A page shows views, and gets states only for the look back. It returns text."""

from collections.abc import Mapping, Sequence
from typing import Any

from spieltisch import package
from spieltisch.game import State
from spieltisch.i18n import Translator
from spieltisch.package import Pieces


class Peeks(package.Page):
    def prepare(  # error
        self, view: State[Any, Any, Any], legal: Sequence[Any], tr: Translator, pieces: Pieces
    ) -> Mapping[str, Any]:
        return {"hidden": view.hidden}

    def tell(self, news: Any, public: Any, tr: Translator) -> list[str]:  # error
        return []
