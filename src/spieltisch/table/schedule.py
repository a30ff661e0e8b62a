"""When bots and clocks take their turns. These times reveal nothing about hands."""

import asyncio
import contextlib
import heapq
import random
from collections.abc import Callable, Sequence
from typing import Literal

from msgspec import Struct

from spieltisch.package import Package
from spieltisch.table.log import TableSetup
from spieltisch.table.position import Position

SCREEN = 2.5  # seconds for which a public screen shows a reveal before bots continue


class DueTurn(Struct, frozen=True):
    """A turn of a bot or clock: when it will answer the question of this seat."""

    at: float
    seat: int
    question: int
    by: Literal["bot", "clock"]
    seconds: float = 0.0  # the clock's limit


def bots_pause() -> float:
    """A bot's delay in seconds, mostly less than one. It is random and independent of the bot's hand."""
    return random.uniform(0.4, 1.4)  # noqa: S311 - nothing hangs on it


def turns(
    package: Package,
    setup: TableSetup,
    position: Position,
    before: tuple[DueTurn, ...],
    now: float,
    pause: Callable[[], float],
    *,
    screened: bool = False,
    asked_at: Callable[[int], float | None] = lambda _: None,
) -> tuple[DueTurn, ...]:
    """All turns that are due at this moment. Turns of `before` keep their time while their question is open.

    A bot answers after a random pause of its own. If the table is `screened`, that is, shown on a public screen, this
    pause begins when a reveal has been shown there, after a fixed time whatever the screen does.

    Clocks answer for people at tables with several people: within `answer_seconds` if the offer includes the game's
    `silence` and not all others are bots, else within `turn_seconds`. No clock runs while pages show a reveal row by
    row, or for people who share a device. Nothing is due while the table is paused; afterwards clocks start again.

    At a slow table an answer has days from the time when its question was asked, which `asked_at` returns by the
    question's number. So a server that restarts, or reads the table again, does not extend it.
    """
    if setup.stage != "playing" or setup.paused or position.result is not None:
        return ()
    kept = {(turn.seat, turn.question, turn.by): turn for turn in before}
    devices = [chair.key or str(seat) for seat, chair in enumerate(setup.chairs) if not chair.plays_itself]
    shown = package.page.reveal_seconds(position.state.public)
    rest = shown + SCREEN if shown and screened else 0.0
    due = []
    for seat in position.to_act:
        chair, question = setup.chairs[seat], position.since[seat]
        if chair.plays_itself:
            due.append(kept.get((seat, question, "bot")) or DueTurn(now + rest + pause(), seat, question, "bot"))
        elif devices.count(chair.key) < 2 and (limit := _limit(package, setup, position, seat, len(devices))):
            old = kept.get((seat, question, "clock"))
            if old is None or old.seconds != limit:
                begins = asked_at(question) if setup.is_slow else None
                old = DueTurn((now if begins is None else begins) + shown + limit, seat, question, "clock", limit)
            due.append(old)
    return tuple(due)


def _limit(package: Package, setup: TableSetup, position: Position, seat: int, people: int) -> float:
    """The seconds for this seat; 0: no limit. `people` is the number of people who do not share a device."""
    patience, answer = setup.chairs[seat].patience, setup.answer_seconds if people > 1 else None
    if not patience or len(setup.chairs) == 1 or (answer is None and setup.turn_seconds is None):
        return 0.0
    if setup.is_slow:
        return (setup.turn_seconds or 0.0) * patience
    contest = package.silence is not None and package.silence in position.legal(seat)
    return ((answer if contest else setup.turn_seconds) or 0.0) * patience


def unanswered(package: Package, legal: Sequence[Struct]) -> Struct | None:
    """The answer that a clock gives: the game's `silence`, or else the first legal one of its `passes`. None if the
    game has neither.
    """
    said = (package.silence, *package.passes)
    return next((action for action in said if action is not None and action in legal), None)


class Agenda:
    """Tables by the time of their next turn."""

    def __init__(self) -> None:
        self._heap: list[tuple[float, str]] = []
        self._sooner = asyncio.Event()

    def put(self, at: float, table: str) -> None:
        """Look at this table at this time."""
        if not self._heap or at < self._heap[0][0]:
            self._sooner.set()
        heapq.heappush(self._heap, (at, table))

    def take(self, now: float) -> set[str]:
        """The tables to look at by now."""
        due = set()
        while self._heap and self._heap[0][0] <= now:
            due.add(heapq.heappop(self._heap)[1])
        return due

    async def wait(self, now: float, longest: float) -> None:
        """Wait until something is due, at most `longest` seconds."""
        self._sooner.clear()
        next_at = self._heap[0][0] if self._heap else now + longest
        seconds = min(next_at - now, longest)
        if seconds > 0:
            with contextlib.suppress(TimeoutError):  # not wait_for: before Python 3.12 it can lose a cancellation
                async with asyncio.timeout(seconds):
                    await self._sooner.wait()
