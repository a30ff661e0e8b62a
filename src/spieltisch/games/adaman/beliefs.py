"""A bot's level. Its view already holds everything it may know about the cards."""

from spieltisch import package
from spieltisch.dice import Dice
from spieltisch.games.adaman.decktet import Deck
from spieltisch.games.adaman.state import Hidden
from spieltisch.i18n import N_

LEVELS = {"thumb": N_("Rule of thumb"), "hint": N_("Hint"), "coach": N_("Coach")}


class Beliefs(package.Beliefs[Deck, Hidden, str, object]):
    """The level of play."""

    def form(self, hidden: Hidden, dice: Dice, level: str) -> str:
        """The level."""
        return level
