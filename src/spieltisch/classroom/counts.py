"""What a class decided about cards: claim by claim in the lesson that is, as counts of the class by card afterwards.

Nothing here tells the points of a game or how fast somebody was. What stays from lesson to lesson names no pupil.
"""

from collections.abc import Iterable
from itertools import chain

from msgspec import Struct

from spieltisch.bounded import aside
from spieltisch.decks.exporting.objectives import decks_of
from spieltisch.intervals import wilson
from spieltisch.package import Decision, Deed, FinishedGame
from spieltisch.table.evening import code_of
from spieltisch.table.host import Host, Missing
from spieltisch.table.log import EntryNews, TableSetup
from spieltisch.table.replay import Replay
from spieltisch.table.seat_log import sat_then
from spieltisch.table.sessions import LONG
from spieltisch.table.tasks import in_turns

LEAST = 5  # claims below which no share is told


class Tally(Struct, frozen=True, omit_defaults=True):
    """Of a card: how often the class was right and wrong about it, and how often an error with it was let pass."""

    deck: str
    card: str
    right: int = 0
    wrong: int = 0
    passed: int = 0

    @property
    def claims(self) -> int:
        """What was said about it, right or wrong."""
        return self.right + self.wrong

    @property
    def missed(self) -> int:
        """How often the class did not know better."""
        return self.wrong + self.passed


class Decided(Struct, frozen=True):
    """What a pupil decided about a card: at which table of the lesson (0: one that was put away), in which of its
    games, under which name. `bot`: it was none that came to try a lesson.
    """

    table: int
    number: int
    game: str
    name: str
    deed: Deed
    deck: str
    card: str
    right: bool
    off: int | None
    said: str
    bot: bool


class LessonCount(Struct, frozen=True):
    """All that was decided in the games of a lesson, when none of them goes on; else how many still do."""

    rows: list[Decided]
    running: int

    @property
    def shown(self) -> list[Decided]:
        """What people decided; where only bots came, to try a lesson, what they did."""
        return [one for one in self.rows if not one.bot] or self.rows


class LessonGame(Struct, frozen=True):
    """A game of a lesson that was played, to its end or not: at which table (0: a former one), and what people decided
    in it, or bots that came to try a lesson, each with the entry in which they did.
    """

    table: int
    setup: TableSetup
    game: Replay
    found: list[tuple[EntryNews, Decision]]


async def decided(host: Host, tables: Iterable[str], former: Iterable[str] = ()) -> LessonCount:
    """What was decided at these tables, nothing while one of them plays; `former` ones were put away in the same
    lesson.
    """
    return await counted(host, *await lesson_games(host, tables, former))


async def counted(host: Host, games: Iterable[LessonGame], running: int) -> LessonCount:
    """All that was decided in these games; so many tables still play."""
    found: list[Decided] = []
    async for one in in_turns(games):
        found += await _of_game(host, one)
    return LessonCount(found, running)


async def lesson_games(host: Host, tables: Iterable[str], former: Iterable[str] = ()) -> tuple[list[LessonGame], int]:
    """The games that were played at these tables, none while one of them still plays; and how many do."""
    over: list[tuple[int, TableSetup]] = []
    running = 0
    async for n, code in in_turns(chain(((0, code) for code in former), enumerate(tables, 1))):
        for game in await host.store.games(code_of(code)):
            try:
                table = await host.latest(game)
            except Missing:
                continue
            if table.setup.stage == "playing":
                running += 1
            elif table.fresh and table.seq:
                over.append((n, table.setup))
    games: list[LessonGame] = []
    if not running:
        async for n, setup in in_turns(over):
            game = await host.replay(setup.id, broken_off=True)
            games.append(LessonGame(n, setup, game, await aside(_decisions, setup, game, large=len(game) > LONG)))
    return games, running


def shown(games: Iterable[LessonGame]) -> list[list[Decision]]:
    """By game what people decided; where only bots came, to try a lesson, what they did. As `LessonCount.shown`."""
    found = [one.found for one in games]
    people = any(entry.by != "bot" for one in found for entry, _ in one)
    return [[decision for entry, decision in one if not people or entry.by != "bot"] for one in found]


async def _of_game(host: Host, one: LessonGame) -> list[Decided]:
    ids = [decision.card for _, decision in one.found]
    decks = await host.library.reading(lambda: decks_of(host.library, one.game.deck, ids))
    return [
        Decided(
            one.table, one.setup.number, one.setup.game, sat_then(one.setup, said.seat, entry.seq), said.deed,
            decks[said.card], said.card, said.right, said.off, said.said, entry.by == "bot",
        )
        for entry, said in one.found
    ]  # fmt: skip


def _decisions(setup: TableSetup, game: Replay) -> list[tuple[EntryNews, Decision]]:
    """What people decided, and bots that came to try a lesson, each with the entry in which they did."""
    news = [(entry, one) for entry in game.news for one in entry.news]
    finished = FinishedGame(game.at(1).state, [one for _, one in news])
    decided = [(news[one.at][0], one) for one in game.at(len(game)).package.page.decisions(finished)]
    return [(entry, one) for entry, one in decided if entry.by == "seat" or _is_trial(setup, entry, one.seat)]


def _is_trial(setup: TableSetup, entry: EntryNews, seat: int) -> bool:
    chair = setup.chairs[seat]
    return entry.by == "bot" and chair.kind == "bot" and bool(chair.pupil or chair.key)


def added(tallies: Iterable[Tally], rows: Iterable[Decided]) -> tuple[Tally, ...]:
    """The counts with these decisions."""
    return together(tallies, map(_counted, rows))


def _counted(row: Decided) -> Tally:
    what = "passed" if row.deed == "passed" else "right" if row.right else "wrong"
    return Tally(row.deck, row.card, **{what: 1})


def together(tallies: Iterable[Tally], more: Iterable[Tally]) -> tuple[Tally, ...]:
    """Two counts as one."""
    found: dict[tuple[str, str], Tally] = {}
    for one in chain(tallies, more):
        key = one.deck, one.card
        old = found.get(key, Tally(*key))
        found[key] = Tally(*key, old.right + one.right, old.wrong + one.wrong, old.passed + one.passed)
    return tuple(found.values())


def share(right: int, claims: int) -> tuple[float, float, float] | None:
    """The share that was right, with the interval in which it lies in 95 of 100 cases (Wilson); None where there are
    too few to tell.
    """
    if claims < LEAST:
        return None
    part = right / claims
    low, high = wilson(part, claims)
    return part, max(0.0, low), min(1.0, high)
