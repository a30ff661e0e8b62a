"""The daily: the same cards for everybody, day by day, on every server with the same release of a deck.

Nobody has to be asked. The seed of a day is the SHA-256 of the game, the day and the hash of the deck as it was
released, before any errata. A deck is dealt in cycles, so that a card does not come back for `APART` days: it is cut
into windows of some days each, the same in every cycle, and only the cards of a window are shuffled anew.
"""

import hashlib
from collections.abc import Sequence
from datetime import date, timedelta

from spieltisch.dice import CommittedDice
from spieltisch.game import Shuffle

FIRST = date(2026, 11, 1)
"""The first day of all dailies."""
APART = 30
"""For so many days a card does not come back."""


def number(day: date) -> int:
    """The number of a day, 1 for the first one; 0 for a day before it."""
    return max(0, (day - FIRST).days + 1)


def day(number: int) -> date | None:
    """The day with this number; None if there is none."""
    return FIRST + timedelta(number - 1) if 1 <= number <= (date.max - FIRST).days else None


def seed(game: str, day: date, deck: str) -> bytes:
    """The 16 bytes from which a day is dealt; `deck` is the hash of the released deck."""
    return _bytes(game, day.isoformat(), deck)


def cycle(cards: int, each: int) -> tuple[int, int]:
    """How many windows a cycle has, and how many days a window: as many as keep a card away for `APART` days. A deck
    that is too small for that has windows of one day.
    """
    days = max(1, cards // each)
    longest = next((n for n in range(days, 0, -1) if days // n * n - n >= APART), 1)
    return days // longest, longest


def cards_of(game: str, deck: str, cards: Sequence[str], each: int, number: int) -> tuple[str, ...]:
    """The `each` cards of the day with this number, of a released deck with this hash and these cards."""
    windows, days = cycle(len(cards), each)
    turn, place = divmod(number - 1, windows * days)
    window, at = divmod(place, days)
    whole = _shuffled(sorted(cards), _bytes(game, "windows", deck))
    first, last = (len(whole) * n // windows for n in (window, window + 1))
    own = _shuffled(whole[first:last], _bytes(game, f"window/{turn}/{window}", deck))
    return own[at * each : (at + 1) * each]


def _bytes(*of: str) -> bytes:
    return hashlib.sha256("/".join(("spieltisch/daily", *of)).encode()).digest()[:16]


def _shuffled(cards: Sequence[str], seed: bytes) -> tuple[str, ...]:
    order = CommittedDice(seed, "daily").throw(Shuffle(tuple(range(len(cards)))), 0)
    assert isinstance(order, tuple)
    return tuple(cards[place] for place in order)
