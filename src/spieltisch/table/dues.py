"""When bots and clocks have their turns. What is due says nothing about anybody's hand."""

import asyncio
import heapq
from collections.abc import Callable
from typing import Any, Literal

from msgspec import Struct

from spieltisch.game import Game
from spieltisch.table.log import Plan
from spieltisch.table.position import Position


class Turn(Struct, frozen=True):
    """A bot's or the clock's turn: at this time it answers the question that this seat has been asked."""

    at: float
    seat: int
    question: int
    by: Literal["bot", "clock"]


def turns(
    plan: Plan, position: Position, before: tuple[Turn, ...], now: float, pause: Callable[[], float]
) -> tuple[Turn, ...]:
    """All turns due at this moment. Those of `before` stay where their question is still asked.

    A bot answers after a pause that is drawn for it alone. The clock answers for people whose offer holds the
    game's `silence` (the action that stands for no answer), at tables of two or more people. While the table pauses
    nothing is due; afterwards clocks begin anew.
    """
    if plan.stage != "playing" or plan.paused or position.result is not None:
        return ()
    kept = {(turn.seat, turn.question, turn.by): turn for turn in before}
    silence = silence_of(position.rules)
    timed = plan.answer_seconds is not None and sum(not chair.plays_itself for chair in plan.chairs) > 1
    due = []
    for seat in position.to_act:
        chair, question = plan.chairs[seat], position.since[seat]
        if chair.plays_itself:
            due.append(kept.get((seat, question, "bot")) or Turn(now + pause(), seat, question, "bot"))
        elif timed and chair.patience and silence is not None and silence in position.legal(seat):
            limit = (plan.answer_seconds or 0.0) * chair.patience
            due.append(kept.get((seat, question, "clock")) or Turn(now + limit, seat, question, "clock"))
    return tuple(due)


def silence_of(rules: Game) -> Any:
    """The action that stands for an answer not given, None where a game knows no such thing."""
    return getattr(rules, "silence", None)


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
            try:
                await asyncio.wait_for(self._sooner.wait(), seconds)
            except TimeoutError:
                return
