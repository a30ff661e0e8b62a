"""When bots and clocks have their turns. What is due says nothing about anybody's hand."""

import asyncio
import contextlib
import heapq
from collections.abc import Callable, Sequence
from typing import Literal

from msgspec import Struct

from spieltisch.package import Package
from spieltisch.table.log import TableSetup
from spieltisch.table.position import Position

SCREEN = 2.5  # seconds for which a screen for all shows what was revealed, before bots go on


class DueTurn(Struct, frozen=True):
    """A bot's or the clock's turn: at this time it answers the question that this seat has been asked."""

    at: float
    seat: int
    question: int
    by: Literal["bot", "clock"]
    seconds: float = 0.0  # that a clock gave


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
    """All turns due at this moment. Those of `before` stay where their question is still asked.

    A bot answers after a pause that is drawn for it alone. At a table that is `screened`, shown on a screen for
    all, the pause begins when a reveal has been shown and read there: after a fixed time, whatever the screen does.

    The clock answers for people, where several sit: within `answer_seconds` to questions whose offer holds the game's
    `silence`, unless all others are bots, which do not mind waiting; within `turn_seconds` otherwise. While pages show
    a reveal row by row no clock runs, and who shares a device has none. While the table pauses nothing is due;
    afterwards clocks begin anew.

    At a slow table each answer has days, counted from when the question was asked: `asked_at` knows that by its number.
    A server that starts again, or reads the table again, gives nobody more time.
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
    """The seconds that this seat has, of so many who do not share a device; 0: as many as it likes."""
    patience, answer = setup.chairs[seat].patience, setup.answer_seconds if people > 1 else None
    if not patience or len(setup.chairs) == 1 or (answer is None and setup.turn_seconds is None):
        return 0.0
    if setup.is_slow:
        return (setup.turn_seconds or 0.0) * patience
    contest = package.silence is not None and package.silence in position.legal(seat)
    return ((answer if contest else setup.turn_seconds) or 0.0) * patience


def unanswered(package: Package, legal: Sequence[Struct]) -> Struct | None:
    """What stands for an answer not given in time: the game's `silence`, else the first of its `passes` that is
    open. None where a game knows no such thing.
    """
    said = (package.silence, *package.passes)
    return next((action for action in said if action is not None and action in legal), None)


class Agenda:
    """Tables by the time of their next turn, for the one who lets them have it."""

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
        """Until something is due, at most so many seconds."""
        self._sooner.clear()
        next_at = self._heap[0][0] if self._heap else now + longest
        seconds = min(next_at - now, longest)
        if seconds > 0:
            with contextlib.suppress(TimeoutError):  # not wait_for: before Python 3.12 it can lose a cancellation
                async with asyncio.timeout(seconds):
                    await self._sooner.wait()
