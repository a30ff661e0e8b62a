"""Who is told beyond the page that it is their turn: one document a table, which is the queue, too.

Each process looks at these tables in the background, never in the request that moves. What is to be told follows from
the game, so neither a restart nor another process forgets it. A process writes into the document that it looks before
it sends, so only one of several sends. If that one dies meanwhile, a message is sent again, under the same id.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from types import UnionType
from typing import TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from spieltisch.game import Refused
from spieltisch.table.evening import code_of
from spieltisch.table.host import Host
from spieltisch.table.log import tag
from spieltisch.table.store import Unsaved
from spieltisch.table.table import Table

log = logging.getLogger(__name__)
W = TypeVar("W", "Hook", "Mail")

PREFIX = "remind "
POLL = 5.0  # seconds between questions which tables are due
PACE, SELDOM = 60.0, 3600.0  # seconds from look to look, while a table is played at and long after
REST = 60  # after a rest, the next look comes within this part of it, so abandoned tables cost next to nothing
AGAIN = (60.0, 300.0, 1800.0, 7200.0, 21_600.0)  # seconds until a failed message is tried again; then it is given up
AT_ONCE = 8  # tables
MAIL_AFTER = 300.0  # seconds that a turn waits before it is mailed: people who are there do not need that
CONFIRM = 86_400.0  # seconds in which a mail address can be confirmed


class Hook(Struct, frozen=True, tag="hook"):
    """A web address, and the secret with which it can check who calls it."""

    url: str
    secret: str


class Mail(Struct, frozen=True, tag="mail", omit_defaults=True):
    """A mail address. `until` is when it is forgotten unless its owner confirms it; None once they have."""

    address: str
    until: float | None = None


Way = Hook | Mail


class Reminder(Struct, frozen=True, omit_defaults=True):
    """One way to tell a person, who is known by the hash of their seat's key.

    `told` is the turn that is told last or next, `due` when that is tried (None: nothing is to be told), `failed` how
    often it failed.
    """

    key: str
    lang: str
    to: Way
    told: str = ""
    due: float | None = None
    failed: int = 0


class Reminders(Struct, frozen=True):
    """All that people are told at the games of an evening, and when a process looked at them last."""

    rev: int = 0
    looked: float = 0.0
    people: tuple[Reminder, ...] = ()

    def of(self, key: str, kind: type[W]) -> W | None:
        """Return the way of this kind by which the person with the key of this hash is told."""
        return next((one.to for one in self.people if one.key == key and isinstance(one.to, kind)), None)

    def without(self, key: str, kind: type[Way] | UnionType = Way) -> "Reminders":
        """Return the same without this person's ways of this kind."""
        kept = (one for one in self.people if one.key != key or not isinstance(one.to, kind))
        return replace(self, people=tuple(kept))

    def having(self, one: Reminder) -> "Reminders":
        """Return the same with this reminder in place of its person's former one of this kind."""
        return replace(self, people=(*self.without(one.key, type(one.to)).people, one))


Send = Callable[[Reminder, Table, tuple[int, ...], str], Awaitable[None]]
"""Tells a person that it is the turn of these seats; the text is the turn's id. Raises OSError if that fails."""


def turn_of(table: Table, key: str) -> tuple[str, tuple[int, ...]]:
    """Return the id of this person's turn ("" if it is not theirs) and their seats. `key` is the hash of their key."""
    chairs = table.setup.chairs
    seats = tuple(seat for seat in table.to_act if chairs[seat].key == key and not chairs[seat].plays_itself)
    return (f"{table.id}.{max(map(table.question, seats))}" if seats else ""), seats


def noted(one: Reminder, table: Table, now: float) -> Reminder | None:
    """Return the reminder with what is to be told now; None if its person has no seat any more, or their name has been
    deleted.
    """
    holders = (holder for chair in table.setup.chairs for holder in (chair, chair.lender) if holder is not None)
    if not any(holder.key == one.key and holder.name for holder in holders):
        return None
    turn, seats = turn_of(table, one.key)
    if isinstance(one.to, Mail) and one.to.until is not None:
        return one if one.to.until > now else None
    if not turn:
        return replace(one, due=None, failed=0)
    if turn == one.told:
        return one
    asked = max(table.asked_at(seat) or now for seat in seats)
    return replace(one, told=turn, due=asked + MAIL_AFTER if isinstance(one.to, Mail) else now, failed=0)


class ReminderService:
    """Keeps reminders, and tells people. `await run()` never ends; cancel it to stop."""

    def __init__(self, host: Host, send: Send) -> None:
        self._host = host
        self._send = send
        self._busy: set[str] = set()

    async def get(self, code: str) -> Reminders:
        """Return the reminders of an evening's games."""
        body = await self._host.store.document(PREFIX + code)
        return Reminders() if body is None else msgspec.json.decode(body, type=Reminders)

    async def change(
        self, code: str, change: Callable[[Reminders], Reminders], due: Callable[[Reminders], float] | None = None
    ) -> None:
        """Change them. `change` may be called again on newer ones. `due` says of the former ones when the table is
        looked at next; by default, now.
        """
        while True:
            old = await self.get(code)
            new = replace(change(old), rev=old.rev + 1)
            if not new.people:
                await self._host.store.drop_document(PREFIX + code)
                return
            if await self._put(code, new, self._host.clock() if due is None else due(old)):
                return

    async def forget(self, code: str, key: str, kind: type[Way] | UnionType = Way) -> None:
        """Forget the ways of this kind by which the person with the key of this hash is told."""
        old = await self.get(code)
        if old.without(key, kind) != old:
            await self.change(code, lambda old: old.without(key, kind))

    async def run(self) -> None:
        """Tell people when it is their turn."""
        limit = asyncio.Semaphore(AT_ONCE)
        async with asyncio.TaskGroup() as tasks:
            while True:
                try:
                    due = await self._host.store.due_documents(self._host.clock(), PREFIX)
                except Unsaved:
                    due = []
                for code in {one.removeprefix(PREFIX) for one in due} - self._busy:
                    self._busy.add(code)
                    tasks.create_task(self._look(code, limit))
                await asyncio.sleep(POLL)

    async def _look(self, code: str, limit: asyncio.Semaphore) -> None:
        try:
            async with limit:
                await self.look(code)
        except (Refused, OSError):
            return  # it is logged elsewhere why this table or the store cannot be read; tried again in a minute
        except Exception:
            log.exception("table %s: cannot send reminders", tag(code))
        finally:
            self._busy.discard(code)

    async def look(self, code: str) -> None:
        """Look at a table, and tell its people what is due; only once in `PACE` seconds."""
        store, now, old = self._host.store, self._host.clock(), await self.get(code)
        games = await store.games(code)
        if not games or not old.people:
            await store.drop_document(PREFIX + code)
            return
        claimed = replace(old, rev=old.rev + 1, looked=now)
        if now < old.looked + PACE or not await self._put(code, claimed, now + PACE):
            return  # another process looks
        table = await self._host.latest(games[-1])
        sent = await asyncio.gather(*(self._told(one, table) for one in old.people))
        changed = {one: new for one, new in zip(old.people, sent, strict=True) if new != one}
        rest = now - max(table.setup.touched, 0.0 if table.last is None else table.last.at)
        wanted = [now + min(SELDOM, max(PACE, rest / REST)), *(one.due for one in sent if one and one.due is not None)]
        due = max(now + PACE, min(wanted))
        if changed or due > now + PACE:
            await self.change(
                code,
                lambda new: replace(new, people=tuple(
                    kept for one in new.people if (kept := changed.get(one, one)) is not None
                )),
                lambda new: due if new.rev == claimed.rev else now,
            )  # fmt: skip

    async def _told(self, one: Reminder, table: Table) -> Reminder | None:
        """Return the reminder after its person was told, if that was due; None if they have left the table."""
        now, new = self._host.clock(), noted(one, table, self._host.clock())
        if new is None or new.due is None or new.due > now:
            return new
        try:
            await self._send(new, table, turn_of(table, new.key)[1], new.told)
        except Exception as error:  # whatever it is, the others are told once
            text = "table %s: a reminder was not delivered: %s"
            log.info(text, tag(code_of(table.id)), type(error).__name__, exc_info=not isinstance(error, OSError))
            later = next(iter(AGAIN[new.failed : new.failed + 1]), None)
            return replace(new, due=None if later is None else now + later, failed=new.failed + 1)
        return replace(new, due=None, failed=0)

    async def _put(self, code: str, new: Reminders, due: float) -> bool:
        return await self._host.store.put_document(PREFIX + code, new.rev, msgspec.json.encode(new), due)
