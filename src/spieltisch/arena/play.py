"""One game of a contest: its players are seated and asked in turn, and what came of it is written down."""

import contextlib
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, nullcontext
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from spieltisch.arena import lines
from spieltisch.arena.contest import Contest, Placing
from spieltisch.arena.endpoint import Answers
from spieltisch.arena.model import Exchange, Talker, model, translator
from spieltisch.arena.player import USUAL, Player, habits
from spieltisch.arena.seated import ForfeitError, House, Seated
from spieltisch.decks.things import in_play
from spieltisch.dice import FastDice
from spieltisch.game import Invalid, Result
from spieltisch.match import Match

if TYPE_CHECKING:
    from spieltisch.arena.served import Server

PLAYOUTS = 8  # of each doubt of a model, and as many of what our bot would do
LONGEST = 20_000  # actions after which a game is a draw


class Played(Struct, frozen=True, omit_defaults=True):
    """A game that was played: as it was placed, the place of each seat (1 is the first; alone 1 for a win, else 2), the
    points that the game gives (None: none), the actions of all, how it ended. Of a game that was forfeited `forfeit` is
    the seat that did, and `why` says what it did. `exchanges` has what models were asked.
    """

    number: int
    deal: int
    players: tuple[int, ...]
    places: tuple[int, ...]
    scores: tuple[int, ...] | None
    actions: int
    end: str
    forfeit: int | None = None
    why: str = ""
    exchanges: tuple[Exchange, ...] = ()

    @property
    def wins(self) -> tuple[float, ...]:
        """Each seat's part of the victory, from 0 to 1: a shared one is divided."""
        first = self.places.count(1)
        return tuple((place == 1) / first if first else 0.0 for place in self.places)


def play(contest: Contest, placings: Iterable[Placing]) -> Iterator[Played]:
    """Play these games, and yield each as it ends."""
    with ExitStack() as held:
        house = None
        if any(one.kind == "http" for one in contest.players):
            from spieltisch.arena.served import server  # noqa: PLC0415 - an extra brings it

            house = held.enter_context(server(contest.deck))
        for placing in placings:
            yield game(contest, placing, house)


def match_of(contest: Contest, placing: Placing) -> Match:
    """The match of a placing, dealt."""
    size = len(placing.players)
    key = contest.key(placing.deal, size)
    package, options, deck = contest.loaded(size)
    return Match(package, options, in_play(deck, key), ("",) * size, key)


def game(contest: Contest, placing: Placing, house: "Server | None" = None) -> Played:
    """Play one game; who plays by HTTP does so in the `house`. Raises Invalid where a program cannot be started."""
    match, players = match_of(contest, placing), [contest.players[n] for n in placing.players]
    turns, actions = FastDice(contest.key(placing.deal, match.seats) + b"turns"), 0
    with ExitStack() as held:
        guests = None
        if house is not None and any(one.kind == "http" for one in players):
            from spieltisch.arena.served import Guests  # noqa: PLC0415 - an extra brings it

            guests = Guests(house, match, contest.top, contest.seconds)
            seeds = [contest.own_seed(placing.deal, match.seats, seat) for seat in range(match.seats)]
            guests.begin(players, contest.key(placing.deal, match.seats), seeds, held)
            if guests.unseated is not None:
                seat, why = guests.unseated
                return _forfeited(placing, seat, 0, why)
        seated: list[Seated] = [
            guests
            if guests is not None and one.kind == "http"
            else held.enter_context(_seated(contest, placing, match, seat, one))
            for seat, one in enumerate(players)
        ]
        talkers = [one for one in seated if isinstance(one, Talker)]
        truth = _Truth(match) if talkers else None
        for one in talkers:
            one.hear()
        while not match.over and actions < LONGEST:
            seat = turns.choice(match.to_act) if guests is None else guests.turn(match.to_act, turns)
            view = match.view(seat)
            try:
                action = seated[seat].choose(view, match.legal_for(seat))
            except ForfeitError as forfeit:
                for other in (one for one in seated if one is not seated[seat]):
                    other.end(None)
                lost = _forfeited(placing, seat, actions, str(forfeit))
                return replace(lost, exchanges=_exchanges(talkers))
            if truth is not None:
                truth.note(seat, action, seated[seat])
            match.play(action, seat)
            actions += 1
            for one in talkers:
                one.hear()
            if guests is not None:
                guests.follow(seat, action)
        for one in seated:
            one.end(match.result)
    played = partial(Played, placing.number, placing.deal, placing.players, exchanges=_exchanges(talkers))
    if match.result is None:
        return played((1,) * match.seats, None, actions, "unfinished")
    return played(_places(match.result, match.seats), match.result.scores, actions, match.result.end)


def _exchanges(talkers: Iterable[Talker]) -> tuple[Exchange, ...]:
    return tuple(one for talker in talkers for one in talker.exchanges)


class _Truth:
    """Tells models the truth about their actions when they have taken them, for the report."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._open: Talker | None = None  # whose last action can still be doubted

    def note(self, seat: int, action: Struct, by: Seated) -> None:
        """An action that this seat is about to take."""
        told = self._match.package.prompt.judge(self._match.state, seat, action)
        if self._open is not None and not (told is not None and told.answers):
            self._open.answered(told is not None and told.doubts)
            self._open = None
        if not isinstance(by, Talker):
            return
        by.judge(told, _gain(self._match, seat, action) if told is not None and told.doubts else None)
        if told is not None and not (told.doubts or told.answers or told.checked):
            self._open = by


def _gain(match: Match, seat: int, action: Struct) -> float:
    """What an action brings this seat in winning, -1 to 1, beside what our bot does there, if bots play on.

    Both ways have the same cards and the same chance, with other beliefs of all bots each time.
    """
    return (
        sum(
            _won(fork(), seat, action) - _won(fork(), seat, fork().bot(seat=seat))
            for fork in (partial(match.fork, number) for number in range(PLAYOUTS))
        )
        / PLAYOUTS
    )


def _won(match: Match, seat: int, action: Struct) -> float:
    """Return this seat's part of the victory after an action, 0 to 1."""
    match.play(action, seat)
    for _ in range(LONGEST):
        if match.over:
            break
        match.play(match.bot())
    if match.result is None:
        return 0.0
    places = _places(match.result, match.seats)
    return (places[seat] == 1) / places.count(1) if 1 in places else 0.0


def _places(result: Result, seats: int) -> tuple[int, ...]:
    if result.ranking is None:
        return (1 if result.end == "won" else 2,) * seats
    places, place = [0] * seats, 1
    for group in result.ranking:
        for seat in group:
            places[seat] = place
        place += len(group)
    return tuple(places)


def _forfeited(placing: Placing, seat: int, actions: int, why: str) -> Played:
    """Who forfeits is the last, and the others share the victory."""
    last = max(2, len(placing.players))
    places = tuple(last if one == seat else 1 for one in range(len(placing.players)))
    return Played(placing.number, placing.deal, placing.players, places, None, actions, "forfeited", seat, why)


def _seated(contest: Contest, placing: Placing, match: Match, seat: int, one: Player) -> AbstractContextManager[Seated]:
    if one.kind == "bot":
        return nullcontext(House(match, seat, "" if one.command == USUAL else one.command))
    seed = contest.own_seed(placing.deal, match.seats, seat)
    if one.kind == "lines":
        return lines.seated(match, seat, one.command, contest.seconds, seed)
    if one.kind in {"model", "planted"}:
        if one.kind == "model":
            found = model(one.command, contest.asking, contest.seconds, seed)
        else:
            found = _planted(contest, match, seat, one)
        return contextlib.closing(Talker(match, seat, found, contest.asking, seed))
    from spieltisch.arena.openspiel import Searcher  # noqa: PLC0415 - an extra brings it

    return nullcontext(Searcher(contest, match.seats, seat, one.command, seed, match.state.hidden))


def _planted(contest: Contest, match: Match, seat: int, one: Player) -> Answers:
    """It knows the same in every game of a contest."""
    tr = translator(match, seat, contest.asking.lang)
    found = match.package.prompt.planted(match.deck, habits(one.command), f"{contest.seed}/{one.name}", tr)
    if found is None:
        raise Invalid("{game} has no planted players: it has no dates to know", game=match.package.name)
    return Answers(found)
