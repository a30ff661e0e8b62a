"""The daily: the same cards for everybody on a day, on every server with the same release of a deck.

The seed of a day is the SHA-256 of the game, the day and the hash of the deck as released, before any errata. A card
does not return for `APART` days, because decks are dealt in cycles. Each cycle cuts the deck into the same windows of
some days, and shuffles only the cards within a window again.
"""

import hashlib
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta

from spieltisch.dice import CommittedDice
from spieltisch.game import Shuffle

FIRST = date(2026, 11, 1)
"""The first day of all dailies."""
APART = 30
"""Days within which a card does not return."""
AHEAD = timedelta(hours=14)
"""The time zone furthest ahead of UTC."""


def today(at: float) -> date:
    """The day in UTC at this POSIX time. A visitor's own day may differ: see `dayHere` in `daily.js`."""
    return datetime.fromtimestamp(at, UTC).date()


def has_begun(day: date, at: float) -> bool:
    """Whether this day has begun somewhere on earth at this POSIX time."""
    return day <= (datetime.fromtimestamp(at, UTC) + AHEAD).date()


def number(day: date) -> int:
    """The number of a day, 1 for the first one; 0 for a day before it."""
    return max(0, (day - FIRST).days + 1)


def day(number: int) -> date | None:
    """The day with this number; None if there is none."""
    return FIRST + timedelta(number - 1) if 1 <= number <= (date.max - FIRST).days else None


def seed(game: str, day: date, deck: str) -> bytes:
    """The 16 bytes that decide what a day deals; `deck` is the hash of the released deck."""
    return _bytes(game, day.isoformat(), deck)


def cycle(cards: int, each: int) -> tuple[int, int]:
    """The number of windows in a cycle, and of days in a window. Cards stay away for `APART` days, unless the deck is
    too small; then a window is one day.
    """
    days = max(1, cards // each)
    longest = next((n for n in range(days, 0, -1) if days // n * n - n >= APART), 1)
    return days // longest, longest


def cards_of(game: str, deck: str, cards: Sequence[str], each: int, number: int) -> tuple[str, ...]:
    """The `each` cards of the day with this number; `deck` is the hash of the released deck, `cards` its ids."""
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
