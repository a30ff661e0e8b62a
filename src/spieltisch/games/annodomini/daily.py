"""The daily: eight cards against three bots. Everybody meets the same bots with the same beliefs."""

from spieltisch import package
from spieltisch.games.annodomini.beliefs import LEVELS
from spieltisch.i18n import N_


class Daily(package.Daily):
    """A table of four with forty cards: 32 are dealt, eight are the pile."""

    deck = "events"
    each = 40
    options = {"cards_per_player": 8}  # noqa: RUF012 - read only
    bots = tuple(LEVELS)
    pitch = N_("Eight cards against three bots. About five minutes.")
    family = True
