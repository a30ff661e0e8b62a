"""The laws that every game keeps, for us and for authors of other games; and playthroughs to read.

`check_game(rules, …)` plays random games and checks, at every step, what `spieltisch.game` promises.
"""

import itertools
import json
import math
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from typing import Any, Generic

import msgspec
from msgspec import Struct

from spieltisch import games
from spieltisch.decks.text import ALWAYS, TAGS
from spieltisch.dice import LONGEST, FastDice, after, throw
from spieltisch.game import (
    A,
    D,
    Game,
    GameState,
    GameView,
    H,
    HasCards,
    Illegal,
    O,
    Outcome,
    P,
    PendingChance,
    Rules,
    State,
    View,
    X,
    own_news,
    see,
)
from spieltisch.languages import DEFAULT
from spieltisch.package import K, Record

Taken = tuple[PendingChance | int, Outcome | A]  # a step of a game whose actions are `A`
Deal = Callable[[FastDice], tuple[int, X, D]]  # seats, options, deck
Cards = Callable[[State[P, O, H]], Iterable[Hashable]]
Counts = Callable[[State[P, O, H]], object]
Quiet = Callable[[State[P, O, H], int, A], bool]

AGAIN = "chance is pending again and again"


def check_game(
    game: Game[X, D, P, O, H, A, K],
    deal: Deal[X, D] | None = None,
    *,
    cards: Cards[P, O, H] | None = None,
    counts: Counts[P, O, H] | None = None,
    quiet: Quiet[P, O, H, A] | None = None,
    bound: int | None = None,
    plies: int = 400,
    examples: int = 30,
) -> None:
    """Checks the laws on random games; AssertionError, with the seed of the game, where one is broken.

    `game` is the module of the rules. `deal(dice)` says what is played: (seats, options, deck); without it any number
    of seats with the default options and the default deck. `cards(state)` lists every card of a dealt state,
    each once for the place where it lies: the list is the same all game long, and in imagined worlds.
    `counts(state)` asserts that what `public` counts is as many as it says. `quiet(state, seat, action)` is
    true for actions that tell the others nothing but themselves. A game ends within `bound` actions; where no
    bound is known (None), games are left after `plies`. `examples` random games are played.
    """
    laws, deal = _Laws(game, cards, counts, quiet, bound, plies), deal or _usual(game)
    for seed in range(examples):
        dice = FastDice(seed)
        try:
            laws.check(*deal(dice), dice)
        except Exception as error:
            error.add_note(f"in the random game with the seed {seed}")
            raise


def _usual(game: Game[X, D, P, O, H, A, K]) -> Deal[X, D]:
    """Any number of seats, all else by default."""
    folder = getattr(game, "__package__", None)
    package = games.load(folder) if folder else None
    record: Any = Record(game, getattr(game, "DECK", None)) if package is None else package.record

    def deal(dice: FastDice) -> tuple[int, X, D]:
        seats = dice.choice(game.seats)
        options, deck = record.load(record.default, seats)
        return seats, options, deck

    return deal


class _Laws(Generic[X, D, P, O, H, A, K]):
    def __init__(
        self,
        game: Game[X, D, P, O, H, A, K],
        cards: Cards[P, O, H] | None,
        counts: Counts[P, O, H] | None,
        quiet: Quiet[P, O, H, A] | None,
        bound: int | None,
        plies: int,
    ) -> None:
        self.game, self.cards, self.counts, self.quiet = game, cards, counts, quiet
        self.bound, self.plies = bound, plies
        self.view_type = View[game.Public, game.Own]  # ty: ignore[invalid-type-form] - what a game's types are is known now

    def check(self, seats: int, options: X, deck: D, dice: FastDice) -> None:
        game = self.game
        assert seats in game.seats
        assert _again(options, game.Options) == options
        assert _again(deck, game.Deck) == deck
        start = game.setup(seats, options, deck)
        walk = list(self._walk(start, dice))
        hashes = [hash(state) for state, _ in walk]
        self._replays(start, walk)
        foreign = [step[1] for _, step in walk if step and not isinstance(step[1], int | tuple)]
        dealt: Counter[Hashable] | None = None
        for number, (state, _) in enumerate(walk):
            thorough = number < 4 or number >= len(walk) - 3 or dice.below(max(1, len(walk) // 12)) == 0
            self._turns(state, seats, foreign, dice, thorough)
            self._together(state, options)
            if game.pending_chance(state) is None or dealt:
                dealt = dealt or self._cards(state)
                assert self._cards(state) == dealt, "a card lies in two places, or in none"
                if self.counts:
                    self.counts(state)
                if thorough:
                    self._views(state, seats, dealt, dice)
        assert [hash(state) for state, _ in walk] == hashes, "an earlier state has changed"

    def _walk(self, state: State[P, O, H], dice: FastDice) -> Iterator[tuple[State[P, O, H], Taken[A] | None]]:
        """States with the step that is taken in each (None in the last)."""
        actions = chances = 0
        while True:
            step = self._step(state, dice)
            if step is None or (self.bound is None and actions >= self.plies):
                yield state, None
                return
            yield state, step
            acts = isinstance(step[0], int)
            actions, chances = actions + acts, 0 if acts else chances + 1
            assert chances <= LONGEST, AGAIN
            assert self.bound is None or actions <= self.bound, f"the game has not ended after {self.bound} actions"
            state = self._take(state, step)

    def _step(self, state: State[P, O, H], dice: FastDice) -> Taken[A] | None:
        due = self.game.pending_chance(state)
        if due is not None:
            return due, throw(dice, due)
        acting = self.game.to_act(state.public)
        if not acting:
            return None
        seat = dice.choice(acting)
        return seat, dice.choice(self.game.legal(see(state, seat)))

    def _take(self, state: State[P, O, H], step: Taken[A]) -> State[P, O, H]:
        return after(self.game, state, step)

    def _replays(self, state: State[P, O, H], walk: list[tuple[State[P, O, H], Taken[A] | None]]) -> None:
        for then, step in walk:
            assert state == then, "the same log led to another state"
            if step:
                state = self._take(state, step)

    def _turns(self, state: State[P, O, H], seats: int, foreign: list[A], dice: FastDice, thorough: bool) -> None:
        """Who acts has a choice, others have none; legal actions apply, others are refused."""
        game = self.game
        acting = game.to_act(state.public)
        due = game.pending_chance(state)
        assert list(acting) == sorted(set(acting)), "to_act is ascending"
        assert all(0 <= seat < seats for seat in acting)
        result = game.result(state.public)
        assert (due is not None) + bool(acting) + (result is not None) == 1, "due, to_act, result: one of them"
        if result and result.ranking is not None:
            assert sorted(itertools.chain(*result.ranking)) == list(range(seats))
        before = hash(state)
        assert not game.legal(see(state, None)), "a spectator has nothing to do"
        for seat in range(seats):
            legal = list(game.legal(see(state, seat)))
            assert len(legal) <= 1000, "legal is a list of a few hundred at most"
            assert bool(legal) == (seat in acting), f"seat {seat} acts, or has actions, but not both"
            assert len(set(legal)) == len(legal), "an action is listed twice"
            if not thorough:
                continue
            for action in legal if len(legal) <= 24 else [dice.choice(legal) for _ in range(24)]:
                assert _again(action, game.Action) == action
                game.apply(state, seat, action)
            offered = set(legal)
            for action in dice.shuffle(foreign)[:24]:
                if action not in offered:
                    try:
                        game.apply(state, seat, action)
                    except Illegal as refusal:
                        assert str(refusal)  # noqa: PT017 - the reason can be said
                    else:
                        raise AssertionError(f"{action} is not legal for seat {seat}, but was taken")
        assert hash(state) == before, "legal or apply changed the state"

    def _together(self, state: State[P, O, H], options: X) -> None:
        """Where the rules say that those of a kind stand together in `legal`, they do."""
        grouped = getattr(self.game, "grouped", None)
        if grouped is not None and grouped(options):
            for seat in self.game.to_act(state.public):
                kinds = [kind for kind, _ in itertools.groupby(map(type, self.game.legal(see(state, seat))))]
                assert len(kinds) == len(set(kinds)), "legal lists others between those of a kind, see grouped"

    def _cards(self, state: State[P, O, H]) -> Counter[Hashable]:
        return Counter(self.cards(state)) if self.cards else Counter()

    def _views(self, state: State[P, O, H], seats: int, dealt: Counter[Hashable], dice: FastDice) -> None:
        """What can be imagined from a view fits it, is a world, and plays on; the news tell all."""
        game = self.game
        for seat in (None, *range(seats)):
            view = see(state, seat)
            assert _again(view, self.view_type) == view
            worlds = [game.imagine(view, dice) for _ in range(2)]
            for world in worlds:
                assert see(world, seat) == view, f"a world imagined by seat {seat} does not look like its view"
                assert type(game.pending_chance(world)) is type(game.pending_chance(state))
                assert self._cards(world) == dealt, f"in a world imagined by seat {seat} cards are missing or doubled"
                if self.counts:
                    self.counts(world)
            ends = list(self._walk(worlds[0], dice))
            assert self.bound is None or game.result(ends[-1][0].public) is not None
            for _ in range(4):
                self._news(worlds, seat, dice)

    def _news(self, worlds: list[State[P, O, H]], watcher: int | None, dice: FastDice) -> None:
        """The same action in two worlds that look alike to the watcher, who is told of it afterwards."""
        game = self.game
        acting = game.to_act(worlds[0].public)
        if not acting:
            return
        seat = dice.choice(acting)
        both = set(game.legal(see(worlds[1], seat)))
        shared = [action for action in game.legal(see(worlds[0], seat)) if action in both]
        if not shared:
            return
        action = dice.choice(shared)
        quiet = self.quiet and seat != watcher and all(self.quiet(world, seat, action) for world in worlds)
        after = [game.apply(world, seat, action) for world in worlds]
        views = [see(world, watcher) for world in after]
        if quiet:
            assert views[0] == views[1], f"{action} told seat {watcher} more than itself"
        for _ in range(LONGEST):
            if _news(views[0]) == _news(views[1]):
                assert views[0] == views[1], f"the news of {action} did not tell seat {watcher} all it can see"
            dues = [due for world in after if (due := game.pending_chance(world)) is not None]
            if len(dues) < len(after):
                return
            after = [game.resolve_chance(world, throw(dice, due)) for world, due in zip(after, dues, strict=True)]
            views = [see(world, watcher) for world in after]
        raise AssertionError(AGAIN)


def _news(view: GameView) -> tuple[object, object]:
    return view.public.news, own_news(view)


def _again(value: Any, shape: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value), type=shape)


def check_imagination(
    game: Rules, view: GameView, worlds: Collection[GameState], *, samples: int = 4000, seed: int = 1
) -> None:
    """All worlds that fit a view come equally often (Pearson's chi-squared), and no other comes.

    `worlds` lists them all, worked out apart from the rules, with a reduced deck (some dozens at most).
    A right game fails with probability below one in a million; the seed is fixed, so it never flickers.
    """
    dice = FastDice(seed)
    seen = Counter(game.imagine(view, dice) for _ in range(samples))
    strangers = seen.keys() - set(worlds)
    assert not strangers, f"imagined {len(strangers)} worlds that do not fit, such as {next(iter(strangers))}"
    expected = samples / len(worlds)
    assert expected >= 5, "too few samples for so many worlds"
    statistic = sum((seen[world] - expected) ** 2 / expected for world in worlds)
    freedom = len(worlds) - 1
    # Wilson and Hilferty's approximation of the quantile at 4.9 standard deviations
    limit = freedom * (1 - 2 / (9 * freedom) + 4.9 * math.sqrt(2 / (9 * freedom))) ** 3 if freedom else 0.0
    assert statistic <= limit, f"chi-squared {statistic:.1f} over {limit:.1f} with {freedom} degrees of freedom"


# -- playthroughs --------------------------------------------------------------------------------------------


def playthrough(
    game: Rules,
    seats: int,
    options: Struct,
    deck: HasCards,
    seed: int,
    *,
    most: int = 60,
    choose: Callable[[GameView, Sequence[Struct], FastDice], Struct] | None = None,
) -> str:
    """A random game as text: every step, and after it what has changed in each part of the state.

    What stands under `public` all views show; what stands under `own 1` only that of seat 1; `hidden` none.
    """
    dice = FastDice(seed)
    state = game.setup(seats, options, deck)
    lines = [
        f"{game.name}, rules version {game.version}, {seats} seats, seed {seed}",
        f"options {_line(options)}",
        "",
        *_parts(None, state),
    ]
    for number in range(1, most + 1):
        due, acting, before = game.pending_chance(state), game.to_act(state.public), state
        if due is not None:
            outcome = throw(dice, due)
            state = game.resolve_chance(state, outcome)
            lines += ["", f"{number}. chance: {type(due).__name__} -> {_line(outcome)}"]
        elif acting:
            seat = dice.choice(acting)
            legal = game.legal(see(state, seat))
            action = choose(see(state, seat), legal, dice) if choose else dice.choice(legal)
            state = game.apply(state, seat, action)
            lines += ["", f"{number}. seat {seat} (of {len(legal)} actions): {_line(action)}"]
        else:
            break
        lines += _parts(before, state)
    return "\n".join([*lines, "", f"result {_line(game.result(state.public))}", ""])


def _parts(before: GameState | None, state: GameState) -> list[str]:
    lines = []
    parts: Sequence[tuple[str, object, object]] = [
        ("public", before.public if before else None, state.public),
        *((f"own {i}", before.own[i] if before else None, own) for i, own in enumerate(state.own)),
        ("hidden", before.hidden if before else None, state.hidden),
    ]
    for name, then, now in parts:
        for field in now.__struct_fields__ if hasattr(now, "__struct_fields__") else ():
            value = getattr(now, field)
            if then is None or getattr(then, field) != value:
                lines.append(f"   {name}.{field}: {_line(value)}")
    return lines


def _line(value: object) -> str:
    return json.dumps(_short(msgspec.to_builtins(value)), ensure_ascii=False, separators=(", ", ": "))


def _short(value: object) -> object:
    """The same with less ink: a text in one language, a numbered front as one word, nothing that is empty."""
    if isinstance(value, dict):
        if value.keys() <= {*TAGS} and value.keys() >= {*ALWAYS}:
            return next(filter(None, (value[DEFAULT], *value.values())), "")
        found = {key: _short(item) for key, item in value.items() if item not in ("", [], None)}
        return f"{found['number']} {found['front']}" if found.keys() == {"number", "front"} else found
    return [_short(item) for item in value] if isinstance(value, list | tuple) else value
