"""What has happened at a table, in sentences."""

import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from spieltisch.game import View, own_news
from spieltisch.games import GamePackage
from spieltisch.i18n import Translator
from spieltisch.protocols import Page
from spieltisch.table.log import Ask, EntryNews, SeatChange, TableSetup
from spieltisch.table.table import Table
from spieltisch.web.presence import Absence


def public_story(table: Table, tr: Translator, after: int) -> list[tuple[int, list[str]]]:
    """The sentences of every entry after `after` that is still remembered, oldest first, with its number."""
    entries = table.news_after(after)
    return told(entries, table.package.page, table.view(None).public, tr) if entries else []


def told(entries: Sequence[EntryNews], page: Page, public: Any, tr: Translator) -> list[tuple[int, list[str]]]:
    """The sentences of these entries, with their numbers."""
    return [(entry.seq, _sentences(entry, page, public, tr)) for entry in entries]


def _sentences(entry: EntryNews, page: Page, public: Any, tr: Translator) -> list[str]:
    """What one entry told everybody, in words."""
    if entry.undo:
        return [tr._("The move was taken back.")]
    timed_out = entry.by == "clock" and entry.seat is not None
    said = [tr._("{name}: the time was up.").format(name=tr.name(entry.seat))] if timed_out else []
    return [*said, *(one for news in entry.news if (one := page.tell(news, public, tr)))]


def private_story(view: View[Any, Any], package: GamePackage, tr: Translator) -> list[str]:
    """What this seat alone learned in the last step, in words."""
    return [one for news in own_news(view) if (one := package.page.tell(news, view.public, tr))]


def changes_of_setup(old: TableSetup, new: TableSetup, tr: Translator) -> list[str]:
    """What has changed on the seats since the setup was `old`, and that the game pauses or goes on, in words."""
    said = [seat_change(one, tr) for one in new.seat_log if one.rev > old.rev]
    if old.paused != new.paused:
        said.append(tr._("The game is paused.") if new.paused else tr._("The game goes on."))
    if new.last_round is not None and old.last_round is None:
        said.append(tr._("This is the last round."))
    return said


def seat_change(one: SeatChange, tr: Translator) -> str:
    """A change of seats in words."""
    if one.deed == "sits":
        said = tr._("{name} now plays for {old}.") if one.old else tr._("{name} has sat down.")
    elif one.deed == "name":
        said = tr._("{old} is now called {name}.")
    else:
        said = {
            "back": tr._("{name} is back."),
            "key": tr._("{name} has a new key."),
            "left": tr._("{name} has left; a bot plays on."),
            "bot": tr._("A bot plays on for {name}."),
            "free": tr._("{name} has got up."),
            "offered": tr._("Whoever comes may take {name}’s seat."),
        }[one.deed]
    nameless = tr._("Seat {n}").format(n=one.seat + 1)
    return said.format(name=one.name or nameless, old=one.old or nameless)


def seat_changes(setup: TableSetup, tr: Translator) -> list[dict[str, Any]]:
    """The log of seats, the newest first: when, what, and who did it, if it was somebody else."""
    return [
        {
            "at": datetime.fromtimestamp(one.at, UTC).isoformat(timespec="seconds"),
            "clock": time.strftime("%H:%M", time.localtime(one.at)),
            "words": seat_change(one, tr),
            "by": "" if one.by in {one.name, one.old} else one.by,
        }
        for one in reversed(setup.seat_log)
    ]


def who_came_and_went(old: Sequence[Absence], new: Sequence[Absence], table: Table, tr: Translator) -> list[str]:
    """Who is away now and was not, and the other way round, in words; nothing of oneself."""
    was, now = {one.seat for one in old}, {one.seat for one in new}
    said = {seat: tr._("{name} is away.") for seat in now - was} | {seat: tr._("{name} is back.") for seat in was - now}
    seats = [seat for seat in sorted(said) if seat != tr.me and seat < len(table.setup.chairs)]
    return [said[seat].format(name=tr.name(seat)) for seat in seats]


def who_asks(asks: Sequence[Ask], tr: Translator) -> list[str]:
    """Who asks for which seat, in words."""
    return [tr._("{name} asks for {old}’s seat.").format(name=ask.name, old=tr.name(ask.seat)) for ask in asks]
