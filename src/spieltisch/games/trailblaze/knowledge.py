"""What a bot of this game brings along: made once, with mistakes, from the backs that it will never see."""

import math

from spieltisch.dice import Dice
from spieltisch.games.trailblaze.state import Belief, Hidden

LEVELS = {"novice": "Novice", "connoisseur": "Connoisseur", "chronicler": "Chronicler"}
NEAR = 3.0  # by how many years one is off about last year
FAR = {"novice": 0.3, "connoisseur": 0.15, "chronicler": 0.05}  # and by how much more for every year before that
LOGISTIC = math.sqrt(3) / math.pi  # of the scale to the standard deviation
TODAY = 2026


def believe(hidden: Hidden, dice: Dice, level: str = "connoisseur") -> tuple[Belief, ...]:
    """A belief for every card: some things one knows well, others hardly; and what is long ago, less well."""
    return tuple(_belief(card.year, FAR[level], dice) for card in hidden.cards)


def _belief(year: int | None, far: float, dice: Dice) -> Belief:
    if year is None:
        return Belief(TODAY, 1.0)  # its front says that it is a joker
    spread = LOGISTIC * (NEAR + far * (TODAY - year)) * (0.25 + 1.5 * dice.random())
    chance = min(max(dice.random(), 1e-6), 1 - 1e-6)
    return Belief(round(year + spread * math.log(chance / (1 - chance))), spread)
