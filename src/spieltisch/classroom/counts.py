"""What a class decided about cards: each claim during the lesson, afterwards only counts by card.

It shows neither points nor speed. Counts from earlier lessons name no pupil.
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

LEAST = 5  # claims; below it no share is shown


class Tally(Struct, frozen=True, omit_defaults=True):
    """For one card: how often the class was right, wrong, and did not notice an error."""

    deck: str
    card: str
    right: int = 0
    wrong: int = 0
    passed: int = 0

    @property
    def claims(self) -> int:
        """The number of claims about it, right or wrong."""
        return self.right + self.wrong

    @property
    def missed(self) -> int:
        """How often the class did not know it."""
        return self.wrong + self.passed


class Decided(Struct, frozen=True):
    """A pupil's decision about a card: the lesson's table (0: a closed one), the game, the pupil's name. `bot`: a bot
    that did not come as a pupil.
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
    """All decisions in a lesson's games; or none, and the number of games still running."""

    rows: list[Decided]
    running: int

    @property
    def shown(self) -> list[Decided]:
        """People's decisions; if only bots came, to try a lesson, theirs."""
        return [one for one in self.rows if not one.bot] or self.rows


class LessonGame(Struct, frozen=True):
    """A played game of a lesson, perhaps unfinished: its table (0: a closed one), and the decisions of people or of
    bots that came as pupils, with their entries.
    """

    table: int
    setup: TableSetup
    game: Replay
    found: list[tuple[EntryNews, Decision]]


async def decided(host: Host, tables: Iterable[str], former: Iterable[str] = ()) -> LessonCount:
    """The decisions at these tables, none while one of them plays. `former` tables were closed in the same lesson."""
    return await counted(host, *await lesson_games(host, tables, former))


async def counted(host: Host, games: Iterable[LessonGame], running: int) -> LessonCount:
    """The decisions in these games; `running` tables still play."""
    found: list[Decided] = []
    async for one in in_turns(games):
        found += await _of_game(host, one)
    return LessonCount(found, running)


async def lesson_games(host: Host, tables: Iterable[str], former: Iterable[str] = ()) -> tuple[list[LessonGame], int]:
    """The played games at these tables, none while one still plays, and the number that still play."""
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
    """By game: people's decisions or, if only bots came, theirs. Like `LessonCount.shown`."""
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
    """The decisions of people, and of bots that came as pupils, with their entries."""
    news = [(entry, one) for entry in game.news for one in entry.news]
    finished = FinishedGame(game.at(1).state, [one for _, one in news])
    decided = [(news[one.at][0], one) for one in game.at(len(game)).package.page.decisions(finished)]
    return [(entry, one) for entry, one in decided if entry.by == "seat" or _is_trial(setup, entry, one.seat)]


def _is_trial(setup: TableSetup, entry: EntryNews, seat: int) -> bool:
    chair = setup.chairs[seat]
    return entry.by == "bot" and chair.kind == "bot" and bool(chair.pupil or chair.key)


def added(tallies: Iterable[Tally], rows: Iterable[Decided]) -> tuple[Tally, ...]:
    """The counts with these decisions added."""
    return together(tallies, map(_counted, rows))


def _counted(row: Decided) -> Tally:
    what = "passed" if row.deed == "passed" else "right" if row.right else "wrong"
    return Tally(row.deck, row.card, **{what: 1})


def together(tallies: Iterable[Tally], more: Iterable[Tally]) -> tuple[Tally, ...]:
    """The sum of two counts."""
    found: dict[tuple[str, str], Tally] = {}
    for one in chain(tallies, more):
        key = one.deck, one.card
        old = found.get(key, Tally(*key))
        found[key] = Tally(*key, old.right + one.right, old.wrong + one.wrong, old.passed + one.passed)
    return tuple(found.values())


def share(right: int, claims: int) -> tuple[float, float, float] | None:
    """The share that was right, with its 95 % interval (Wilson); None for too few claims."""
    if claims < LEAST:
        return None
    part = right / claims
    low, high = wilson(part, claims)
    return part, max(0.0, low), min(1.0, high)
