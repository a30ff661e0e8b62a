"""What has happened at a table, in sentences."""

from collections.abc import Sequence
from typing import Any

from spieltisch.game import View, own_news
from spieltisch.games import GamePackage
from spieltisch.i18n import Translator
from spieltisch.protocols import Page
from spieltisch.table.log import EntryNews, TableSetup
from spieltisch.table.table import Table
from spieltisch.web.presence import Absence


def public_story(table: Table, tr: Translator, after: int) -> list[tuple[int, list[str]]]:
    """The sentences of every entry after `after` that is still remembered, oldest first, with its number."""
    if not table.news:
        return []
    page, public = table.package.page, table.view(None).public
    return [(entry.seq, _sentences(entry, page, public, tr)) for entry in table.news if entry.seq > after]


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
    """Who has come, gone or come back since the setup was `old`, and that the game pauses or goes on, in words."""
    said = []
    for seat, (was, now) in enumerate(zip(old.chairs, new.chairs, strict=False)):
        names = {"name": now.name or tr.name(seat), "old": was.name or tr.name(seat)}
        if now.kind == "person" and now.key != was.key:
            said.append(tr._("{name} now plays for {old}.").format_map(names))
        elif was.plays_itself and not now.plays_itself:
            said.append(tr._("{name} is back.").format_map(names))
        elif now.plays_itself and not was.plays_itself:
            said.append(tr._("A bot plays on for {name}.").format_map(names))
    if old.paused != new.paused:
        said.append(tr._("The game is paused.") if new.paused else tr._("The game goes on."))
    return said


def who_came_and_went(old: Sequence[Absence], new: Sequence[Absence], table: Table, tr: Translator) -> list[str]:
    """Who is away now and was not, and the other way round, in words; nothing of oneself."""
    was, now = {one.seat for one in old}, {one.seat for one in new}
    said = {seat: tr._("{name} is away.") for seat in now - was} | {seat: tr._("{name} is back.") for seat in was - now}
    seats = [seat for seat in sorted(said) if seat != tr.me and seat < len(table.setup.chairs)]
    return [said[seat].format(name=tr.name(seat)) for seat in seats]
