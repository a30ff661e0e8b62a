"""The daily: eight cards against three bots. Everybody meets the same bots with the same beliefs."""

from spieltisch import package
from spieltisch.game import Result
from spieltisch.games.annodomini.beliefs import LEVELS
from spieltisch.games.annodomini.state import Public
from spieltisch.i18n import N_, Translator


class Daily(package.Daily):
    """A table of four with forty cards: 32 are dealt, eight are the pile."""

    deck = "events"
    each = 40
    options = {"cards_per_player": 8}  # noqa: RUF012 - read only
    bots = tuple(LEVELS)
    pitch = N_(
        "Which came first? Lay eight events in order, or doubt the chain. Against three bots, about five minutes."
    )
    family = True

    def said(self, public: Public, result: Result, seat: int, tr: Translator, *, helped: bool) -> str:  # noqa: ARG002
        """The place."""
        assert result.ranking is not None
        at = next(at for at, seats in enumerate(result.ranking) if seat in seats)
        place = 1 + sum(map(len, result.ranking[:at]))
        return tr._("place {n} of {m}").format(n=place, m=len(public.hands)) + "."
