"""What a bot brings along: how much it thinks. Of the cards there is nothing that it could know besides its view."""

from spieltisch import package
from spieltisch.dice import Dice
from spieltisch.games.adaman.decktet import Deck
from spieltisch.games.adaman.state import Hidden
from spieltisch.i18n import N_

LEVELS = {"thumb": N_("Rule of thumb"), "hint": N_("Hint"), "coach": N_("Coach")}


class Beliefs(package.Beliefs[Deck, Hidden, str, object]):
    """A level of play, nothing else."""

    def form(self, hidden: Hidden, dice: Dice, level: str) -> str:
        """The level."""
        return level
