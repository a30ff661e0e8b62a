"""A table in words: whose turn it is, what has happened, how it ended."""

import html
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct

from spieltisch import games
from spieltisch.game import GameView, HasNews, own_news
from spieltisch.i18n import N_, Translator
from spieltisch.package import GamePage, Package
from spieltisch.table.evening import listed
from spieltisch.table.log import Ask, EntryNews, SeatChange, TableSetup
from spieltisch.table.table import Table
from spieltisch.table.viewpoint import asked_seat
from spieltisch.web.core.catalog import library, title
from spieltisch.web.core.presence import Absence
from spieltisch.web.core.renderer import CUT, Html

TOLD = 12  # entries in a page's story
_NEXT = f"{CUT}</li><li>{CUT}"  # between the items of the story, each of which is a part of its own
HEARD = 4  # entries kept as sentences for screen readers; for a page that missed more, they are made again


class Staged(Struct, frozen=True):
    """The last entry that pages show step by step, and when it was made."""

    seq: int
    at: float


def several(names: list[str], tr: Translator) -> str:
    """Return the names in a row: A, B and C."""
    if len(names) < 2:
        return "".join(names)
    return tr._("{some} and {last}").format(some=", ".join(names[:-1]), last=names[-1])


def standing_line(table: Table, tr: Translator) -> str:
    """Return how far a game is, from what everybody knows; "" before it begins."""
    return table.package.page.standing(table.view(None).public, tr) if table.seq else ""


def waits_to_begin(table: Table) -> bool:
    """Whether a class's table is dealt and waits for the teacher to start all tables together."""
    return table.setup.waits


def turn_line(table: Table, tr: Translator, shared: tuple[int, ...] = ()) -> str:
    """Return whom the table waits for. People who share a device are called by name."""
    if table.setup.stage == "closed":
        return _stopped(table, tr)
    if table.halt is not None:
        return tr.refusal(table.halt)
    if table.result is not None:
        return tr._("The game is over.")
    if table.setup.paused:
        if waits_to_begin(table):
            return tr._("Sit down together. Your teacher starts the game.")
        return tr._("The game is paused.")
    said = _whose_turn(table, tr, shared)
    return said + " " + tr._("This is the last round.") if table.setup.last_round is not None else said


def _stopped(table: Table, tr: Translator) -> str:
    """Return what to say of a closed table, with the ranking if it ended after a last round."""
    if not table.setup.places:
        return tr._("This table has been closed.")
    several_ = [several([tr.name(seat) for seat in seats], tr) for seats in table.setup.places]
    places = [1 + sum(map(len, table.setup.places[:i])) for i in range(len(several_))]
    told = ", ".join(f"{place}. {names}" for place, names in zip(places, several_, strict=True))
    return tr._("Ended after the last round. Ranking by the rules: {places}.").format(places=told)


def _whose_turn(table: Table, tr: Translator, shared: tuple[int, ...]) -> str:
    acting = table.to_act
    if shared and (asked := asked_seat(table, shared)) is not None:
        contest = table.is_contest(asked)
        said = N_("{name}, your answer is needed.") if contest else N_("{name}, it is your turn.")
        return tr._(said).format(name=tr.name(asked))
    if tr.me is not None and tr.me in acting and not table.setup.chairs[tr.me].away:
        return tr._("Your answer is needed.") if table.is_contest(tr.me) else tr._("Your turn.")
    names = [tr.name(seat) for seat in acting]
    if len(names) == 1:
        return tr._("{name}’s turn.").format(name=names[0])
    return tr._("Waiting for {names}.").format(names=several(names, tr)) if names else ""


def page_title(table: Table, game: str, tr: Translator, asked: int | None) -> str:
    """Return the title of the page. It begins with the call to move if a seat of the viewer is `asked`."""
    if asked is None:
        return f"{game} – Spieltisch"
    return tr._(N_("Your answer is needed – {game}") if table.is_contest(asked) else N_("Your turn – {game}")).format(
        game=game
    )


def headline(table: Table, tr: Translator) -> str:
    """Return who won, or how the game ended if it has no ranking."""
    result = table.result
    if result is None:
        return ""
    if result.ranking:
        first = list(result.ranking[0])
        if tr.me in first and len(first) == 1:
            return tr._("You win.")
        names = [tr.name(seat) for seat in first if seat != tr.me]
        if tr.me in first:
            return tr._("You win together with {names}.").format(names=several(names, tr))
        if len(first) == 1:
            return tr._("{name} wins.").format(name=names[0])
        return tr._("{names} win together.").format(names=several(names, tr))
    if result.end == "won":
        return tr._("You win.")
    return tr._("You lose.") if result.end == "lost" else tr._("The game is over.")


def places(table: Table) -> list[dict[str, Any]]:
    """Return the ranking: each place with its seats, and their score if they have the same."""
    result = table.result
    if result is None or not result.ranking or len(table.setup.chairs) == 1:
        return []
    found, place = [], 1
    for seats in result.ranking:
        scores = {result.scores[seat] for seat in seats} if result.scores is not None else set()
        score = scores.pop() if len(scores) == 1 else None
        found.append({"place": place, "seats": list(seats), "score": score})
        place += len(seats)
    return found


def wins(table: Table) -> list[int]:
    """Return how often each seat has won this evening, including this game."""
    first = table.result.ranking[0] if table.result is not None and table.result.ranking else ()
    return [chair.wins + (seat in first) for seat, chair in enumerate(table.setup.chairs)]


def tally(table: Table, tr: Translator) -> str:
    """Return the wins of the evening in words; "" after the first game and in games for one."""
    if table.result is None or len(table.setup.chairs) == 1 or not table.setup.before:
        return ""
    return tr._("Today: {tally}").format(tally=standings(wins(table), tr))


def others(table: Table, tr: Translator) -> list[tuple[str, str]]:
    """Return the other games that the same people can play: name and title."""
    people = sum(chair.kind == "person" for chair in table.setup.chairs)
    found = [one for one in library(games.packages().values()) if 1 < one.rules.seats[-1] >= people]
    return [(one.name, title(one, tr)) for one in found if one is not table.package]


def evening_so_far(table: Table, tr: Translator) -> list[dict[str, object]]:
    """Return the finished games of the evening up to this one: number, id, title, winners, and pages that look back."""
    setup, packages, played = table.setup, games.packages(), table.setup.evening
    if table.result is not None:
        played = listed(setup, [seat for seat, n in enumerate(wins(table)) if n > setup.chairs[seat].wins])
    following = setup.number + (table.result is not None)
    return [
        {
            "n": following - len(played) + i,
            "table": one.id,
            "title": title(package, tr) if package else one.game,
            "won": several([name for name in one.winners if name], tr),
            "review": _said(package, package.page.review_title, tr) if package else "",
            "stories": bool(package and package.page.has_stories),
        }
        for i, one in enumerate(played)
        for package in [packages.get(one.game)]
    ]


def _said(package: Package, words: str, tr: Translator) -> str:
    """Translate another game's words with that game's own catalogue."""
    return package.translator(tr.lang)._(words) if words else ""


def standings(won: list[int], tr: Translator) -> str:
    """Return how often each seat has won, the most wins first; "" if nobody has won."""
    order = sorted(range(len(won)), key=lambda seat: -won[seat])
    return ", ".join(f"{tr.name(seat)} {won[seat]}" for seat in order) if any(won) else ""


def public_story(table: Table, tr: Translator, after: int) -> list[tuple[int, list[str]]]:
    """Return the number and sentences of each remembered entry after `after`, the oldest first."""
    entries = table.news_after(after)
    return told(entries, table.package.page, table.view(None).public, tr) if entries else []


def told(entries: Sequence[EntryNews], page: GamePage, public: HasNews, tr: Translator) -> list[tuple[int, list[str]]]:
    """Return the number and sentences of each of these entries."""
    return [(entry.seq, _sentences(entry, page, public, tr)) for entry in entries]


def _sentences(entry: EntryNews, page: GamePage, public: HasNews, tr: Translator) -> list[str]:
    """Return what one entry told everybody, in words."""
    if entry.undo:
        return [tr._("The move was taken back.")]
    timed_out = entry.by == "clock" and entry.seat is not None
    said = [tr._("{name} ran out of time.").format(name=tr.name(entry.seat))] if timed_out else []
    return [*said, *page.tell_step(entry.news, public, tr)]


def private_story(view: GameView, package: Package, tr: Translator) -> list[str]:
    """Return what only this seat learned in the last step, in words."""
    return list(package.page.tell_step(own_news(view), view.public, tr))


class Story:
    """What a table's page tells one viewer in words: whose turn it is, and the last entries."""

    __slots__ = (
        "_changes",
        "_game",
        "_tr",
        "_whole",
        "heard",
        "lines",
        "newest",
        "private",
        "staged",
        "title",
        "turn_line",
    )

    def __init__(self, setup: TableSetup, tr: Translator, game: str) -> None:
        self._tr = tr
        self._game = game
        self.title = ""  # of the page
        self.turn_line = ""
        self.heard: list[tuple[int, list[str]]] = []  # the last entries: number and sentences
        self.private: list[str] = []  # what only this seat learned in the last step
        self.newest: list[str] = []  # the last entry, including that
        self.lines = Html()  # the entries as items of a list, the newest first
        self.staged: Staged | None = None
        self._whole: list[str] = []  # the same, one text for each entry, without private sentences
        self._changes: dict[int, list[str]] = {}  # of seats, by the entry before them
        for one in setup.seat_log:
            self._changes.setdefault(one.seq, []).append(seat_change(one, tr))

    def hear(self, table: Table, view: GameView, asked: int | None, shared: tuple[int, ...]) -> None:
        """Read what has happened since the last call. `asked`: the viewer's seat that is to act; `shared`: the seats of
        people who share the viewer's device.
        """
        page, tr, changes = table.package.page, self._tr, self._changes
        self.title = page_title(table, self._game, tr, asked)
        self.turn_line = turn_line(table, tr, shared)
        entries = table.news_after(self.heard[-1][0] if self.heard else 0)
        for entry in entries:
            if page.is_marked(entry.news):
                self.staged = Staged(entry.seq, round(entry.at, 3))
        heard = told(entries[-TOLD:], page, view.public, tr)
        self.heard = [*self.heard, *heard][-HEARD:]
        newest = [_items([*said, *changes.get(seq, ())]) for seq, said in reversed(heard)]
        self._whole = [*newest, *self._whole][:TOLD]
        self.private = private_story(view, table.package, tr)
        self.newest = [*self.heard[-1][1], *self.private] if self.heard else []
        lines = self._whole
        if self.private:
            seq, said = self.heard[-1]
            lines = [_items([*said, *self.private, *changes.get(seq, ())]), *self._whole[1:]]
        lines = [*filter(None, lines)]
        self.lines = Html(f"<li>{CUT}{_NEXT.join(lines)}{CUT}</li>" if lines else "")


def _items(lines: Sequence[str]) -> str:
    """Return the items of a list, one for each line, the last line first, without the tags around them."""
    return _NEXT.join([html.escape(line) for line in reversed(lines)])


def changes_of_setup(old: TableSetup, new: TableSetup, tr: Translator) -> list[str]:
    """Return what changed between two setups, in words: seats, pauses, the last round."""
    said = [seat_change(one, tr) for one in new.seat_log if one.rev > old.rev]
    if old.paused != new.paused:
        said.append(tr._("The game is paused.") if new.paused else tr._("The game goes on."))
    if new.last_round is not None and old.last_round is None:
        said.append(tr._("This is the last round."))
    return said


def seat_change(one: SeatChange, tr: Translator) -> str:
    """Return a change of seats in words."""
    if one.deed == "sits":
        said = tr._("{name} now plays for {old}.") if one.old else tr._("{name} has sat down.")
    elif one.deed == "name":
        said = tr._("{old} is now called {name}.")
    else:
        said = {
            "back": tr._("{name} is back."),
            "key": tr._("{name} has a new key."),
            "left": tr._("{name} has left. A bot plays on."),
            "bot": tr._("A bot plays on for {name}."),
            "free": tr._("{name} has left their seat."),
            "offered": tr._("Newcomers may take {name}’s seat."),
        }[one.deed]
    nameless = tr._("Seat {n}").format(n=one.seat + 1)
    return said.format(name=one.name or nameless, old=one.old or nameless)


def seat_changes(setup: TableSetup, tr: Translator) -> list[dict[str, object]]:
    """Return the log of seats, the newest first: when, what, and who did it if it was somebody else."""
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
    """Return which other people went away or came back, in words."""
    was, now = {one.seat for one in old}, {one.seat for one in new}
    said = {seat: tr._("{name} is away.") for seat in now - was} | {seat: tr._("{name} is back.") for seat in was - now}
    seats = [seat for seat in sorted(said) if seat != tr.me and seat < len(table.setup.chairs)]
    return [said[seat].format(name=tr.name(seat)) for seat in seats]


def who_asks(asks: Sequence[Ask], tr: Translator) -> list[str]:
    """Return who asks for which seat, in words."""
    return [tr._("{name} asks for {old}’s seat.").format(name=ask.name, old=tr.name(ask.seat)) for ask in asks]
