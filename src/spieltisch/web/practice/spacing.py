"""When a card comes back. FSRS reckons it from the days on which the card was tried and how that went.

How it went is what was played: nobody says how well they know a card. A card comes back on another day at the
earliest, so FSRS has no steps within a day here; and always on the same day for the same tries, so nothing is random.
"""

import datetime as dt
from collections.abc import Sequence
from typing import Literal

from fsrs import Card, Rating, Scheduler

Went = Literal[0, 1, 2, 3]
"""How a try went: 0 wrong in a game, 1 wrong in practice, 2 right at the second try, 3 right at once."""
Try = tuple[dt.date, Went]

LONGEST = 365  # days until a card comes back
RATINGS = {0: Rating.Again, 1: Rating.Again, 2: Rating.Hard, 3: Rating.Good}
_FSRS = Scheduler(learning_steps=(), relearning_steps=(), maximum_interval=LONGEST, enable_fuzzing=False)


def due(tries: Sequence[tuple[dt.date, int]]) -> dt.date:
    """Return the day on which a card is due after these tries, of which there is at least one."""
    card = Card(card_id=1)
    for day, went in sorted(tries, key=lambda one: one[0]):
        card, _ = _FSRS.review_card(card, RATINGS[went], dt.datetime.combine(day, dt.time(), dt.UTC))
    return card.due.date()
