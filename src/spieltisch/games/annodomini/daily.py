"""The daily: eight cards against three bots, the same three with the same beliefs for everybody."""

from spieltisch import package
from spieltisch.games.annodomini.beliefs import LEVELS
from spieltisch.i18n import N_


class Daily(package.Daily):
    """A table of four that plays with forty cards: 32 are dealt, eight lie in the pile."""

    deck = "events"
    each = 40
    options = {"cards_per_player": 8}  # noqa: RUF012 - read only
    bots = tuple(LEVELS)
    pitch = N_("Eight cards against three bots. About five minutes.")
    family = True
