"""One game of a setting with all its chance: the cards' numbers, the signals of each seat, and the rules' own chance.

An episode says what chance is due and who is to act. Its driver throws the dice, or enumerates the outcomes.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from spieltisch.dice import Dice, dues, throw
from spieltisch.game import (
    GameState,
    GameView,
    HasCards,
    Invalid,
    Outcome,
    PendingChance,
    Pick,
    Shuffle,
    aliased,
    own_news,
    see,
)
from spieltisch.study.environments.knowledge import Signals
from spieltisch.study.environments.offer import Offer
from spieltisch.study.environments.setting import Setting

DEALS = 1000  # of which one at least has to be open


class Episode:
    """One game.

    `state` is the rules' state; None before the cards have their numbers. `signals` are what each seat was told. `seat`
    is the one to act, the first of several; None at the end or while chance is due. `view` is what that seat sees. With
    `remembers`, the observations of every seat are kept, for `memory`.
    """

    __slots__ = (
        "_log",
        "_offer",
        "_remembers",
        "_secrets",
        "_start",
        "_telling",
        "_told",
        "actions",
        "seat",
        "setting",
        "signals",
        "state",
        "view",
    )

    def __init__(self, setting: Setting, *, remembers: bool = False) -> None:
        self.setting = setting
        self.state: Any = None
        self.signals: tuple[Signals, ...] = ((),) * setting.seats
        self.actions = 0
        self._told: tuple[int, ...] = ()  # the errors thrown so far, seat by seat
        self._secrets: tuple[int, ...] = ()
        self._remembers = remembers
        self._log: Any = None  # the log before, a state, and who did what that led to it
        self._start: tuple[int, ...] = ()
        self._offer: Offer | None = None
        self.seat: int | None = None
        self.view: Any = None
        self._telling = False  # whether somebody is still to be told something
        if not setting.hides:
            self._begin(setting.deck)

    @classmethod
    def seen(cls, setting: Setting, view: GameView, dice: Dice, told: Signals = ()) -> "Episode":
        """Return a game as it may be for a seat with this view and these signals; without signals nobody was told
        anything.
        """
        found = cls(setting)
        found._stand(setting.rules.imagine(view, dice, found._trusted(told, dice) if told else None))
        if told:
            others = [found._made_up((0,) * len(told), found.state.hidden, dice) for _ in range(setting.seats)]
            found.signals = tuple(told if seat == view.seat else other for seat, other in enumerate(others))
        return found

    def __copy__(self) -> "Episode":
        other = object.__new__(Episode)
        for name in Episode.__slots__:
            setattr(other, name, getattr(self, name))
        return other

    def __deepcopy__(self, memo: object) -> "Episode":
        return self.__copy__()  # its parts never change

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is open, which is computed again. The log becomes a list, since pickle cannot recurse that
        deep.
        """
        kept = {name: getattr(self, name) for name in Episode.__slots__ if name != "_offer"}
        return kept | {"_log": self._steps()}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self._offer = None
        for name, value in kept.items():
            setattr(self, name, value)
        self._log = None
        for step in kept["_log"]:
            self._log = (self._log, *step)

    @classmethod
    def dealt(cls, setting: Setting, dice: Dice) -> "Episode":
        """Return a new game in which somebody can act. Deals that are over at once are skipped."""
        for _ in range(DEALS):
            one = cls(setting)
            one.throw(dice)
            if one.seat is not None:
                return one
        raise Invalid("{n} deals were over before anybody could act", n=DEALS)

    # -- chance ----------------------------------------------------------------------------------------------

    def throw(self, dice: Dice) -> None:
        """Resolve all chance that is due with these dice."""
        for due in self.dues():
            self.resolve(throw(dice, due))

    def dues(self) -> Iterator[PendingChance]:
        """The chance that is due, until somebody can act. Raises Faulty if that never happens."""
        return dues(self.due, self.setting.rules.name, len(self.setting.heard))

    def due(self) -> PendingChance | None:
        """The chance that is due now."""
        if self.seat is not None:  # then nobody has to ask the rules
            return None
        if self._telling:
            return Pick(self.setting.knowledge.steps)
        due = self._rules_due()
        if due is None or self.setting.narrowed.luck is None:
            return due
        some = self._outcomes(due)
        return due if some is None else Pick(len(some))

    def chosen(self) -> Sequence[Outcome] | None:
        """Return the equally likely outcomes to which the setting narrows this chance; None for all."""
        due = None if self._telling else self._rules_due()
        return None if due is None else self._outcomes(due)

    @property
    def secrets(self) -> tuple[int, ...]:
        """The hidden things that could be known; empty before the cards have their numbers."""
        return self._secrets

    def _rules_due(self) -> PendingChance | None:
        if self.state is None:
            return Shuffle(tuple(range(len(self.setting.deck.cards))))
        return self.setting.rules.pending_chance(self.state)

    def _outcomes(self, due: PendingChance) -> Sequence[Outcome] | None:
        luck = self.setting.narrowed.luck
        return None if luck is None else luck(self.state, due)

    def resolve(self, outcome: Outcome) -> None:
        """Continue with this outcome of the chance that is due."""
        if self.setting.narrowed.luck is not None and (some := self.chosen()) is not None:
            assert isinstance(outcome, int)
            outcome = some[outcome]
        if self.state is None:
            assert isinstance(outcome, tuple)
            self._begin(aliased(self.setting.deck, outcome), outcome)
        elif self._telling:
            assert isinstance(outcome, int)
            self._told += (outcome,)
            self._telling = len(self._told) < len(self.setting.heard)
            if not self._telling:
                self._tell()
        else:
            self._stand(self.setting.rules.resolve_chance(self.state, outcome))
            if self._remembers:
                self._notice(None, None)

    def _begin(self, deck: HasCards, order: tuple[int, ...] = ()) -> None:
        setting = self.setting
        self._stand(setting.rules.setup(setting.seats, setting.options, deck))
        self._telling = setting.knowledge.sigma is not None and bool(setting.heard)
        if self._telling:
            self.seat = self.view = None  # nobody acts before
        if setting.hides:
            self._secrets = setting.package.beliefs.secrets(self.state.hidden)
        if self._remembers:
            self._start = setting.started(self.state.public)
        table = setting.knowledge.table
        if table is not None:
            self.signals = setting.dealt(table, order, self._secrets)

    def _stand(self, state: GameState) -> None:
        """Set the state. Who is to act and what that seat sees is computed once, since both are read often."""
        self.state, self._offer = state, None
        acting = self.setting.rules.to_act(state.public) if self.actions < self.setting.most else ()
        if acting:
            self.seat = seat = acting[0]
            self.view = see(state, seat)
        else:
            self.seat = self.view = None

    def _tell(self) -> None:
        setting = self.setting
        chances, sigma = setting.knowledge.chances(), setting.knowledge.sigma
        assert sigma is not None
        told = setting.package.beliefs.told
        signals: list[list[int | None]] = [[None] * setting.secrets for _ in range(setting.seats)]
        for (seat, which), error in zip(setting.heard, self._told, strict=True):
            signals[seat][which] = told(self._secrets, which, sigma, chances[error])
        self.signals = tuple(map(tuple, signals))
        self._stand(self.state)

    # -- acting ----------------------------------------------------------------------------------------------

    def open(self) -> Offer:
        """The actions of the seat to act."""
        offer = self._offer
        if offer is None:
            setting, view = self.setting, self.view
            numbered = setting.numbered
            self._offer = offer = numbered.nothing if view is None else numbered.offered(view, setting.legal(view))
        return offer

    def act(self, action: Struct) -> None:
        """Let the seat to act take this action."""
        seat = self.seat
        assert seat is not None
        state = self.setting.rules.apply(self.state, seat, action)
        self.actions += 1
        self._stand(state)
        if self._remembers:
            self._notice(seat, action)

    @property
    def left(self) -> bool:
        """Whether the game was left before its end."""
        return self.actions >= self.setting.most and self.setting.rules.result(self.state.public) is None

    @property
    def over(self) -> bool:
        """Whether the game has ended or was left."""
        return self.state is not None and (self.left or self.setting.rules.result(self.state.public) is not None)

    def returns(self) -> tuple[float, ...]:
        """Return what each seat has been paid so far."""
        reward = self.setting.reward
        if reward == "win":
            return self.wins()
        if self.state is None or (reward == "score" and not self.over):
            return (0.0,) * self.setting.seats
        return (self.setting.points(self.state.public),)  # only alone

    def wins(self) -> tuple[float, ...]:
        """Return what each seat has won. Each stakes 1, and the winners share all stakes.

        In a game for one, a win is 1. Before the end it is nothing. If the game is left, the setting's judge decides,
        or it is nothing.
        """
        seats = self.setting.seats
        result = self.setting.rules.result(self.state.public) if self.state is not None else None
        if result is None:
            judged = self.setting.narrowed.judge if self.state is not None and self.left else None
            return (0.0,) * seats if judged is None else judged(self.state.public)
        if result.ranking is None:
            return (float(result.end == "won"),) * seats
        first = result.ranking[0]
        return tuple((seat in first) * seats / len(first) - 1.0 for seat in range(seats))

    # -- what a seat knows -----------------------------------------------------------------------------------

    def _notice(self, seat: int | None, action: Struct | None) -> None:
        self._log = (self._log, self.state, seat, action)

    def _steps(self) -> list[tuple[Any, int | None, Struct | None]]:
        """Return what was noticed, in order: states, and the actions that led to them."""
        steps, log = [], self._log
        while log is not None:
            log, *step = log
            steps.append(tuple(step))
        return steps[::-1]

    def memory(self, seat: int) -> list[int]:
        """Return all that a seat has noticed and done since the beginning, as numbers.

        These are its signals and the start. Then follow for each step the public news, its own news, and what it did: 0
        if another seat acted. After chance its own part follows, since somebody who is dealt cards looks at them and no
        news says so.
        """
        assert self._remembers, "this episode does not remember"
        found = [seat]
        for told in self.signals[seat]:
            found += (0,) if told is None else (1, told)
        found += self._start
        setting = self.setting
        for state, by, action in self._steps():
            found += setting.news(state.public.news)
            found += setting.own_news(own_news(see(state, seat)))
            found += (1, *setting.deeds(action)) if by == seat else (0,)
            if by is None:
                found += setting.owned(state.own[seat])
        return found

    def imagined(self, seat: int, dice: Dice) -> "Episode":
        """Return the game as it may be for all that a seat can see and was told.

        Hidden things and the others' signals are made up. The log stays what the seat has noticed.
        """
        setting, signals = self.setting, self.signals[seat]
        trusted, other = self._trusted(signals, dice), self.__copy__()
        other._stand(setting.rules.imagine(see(self.state, seat), dice, trusted))  # noqa: SLF001 - its own kind
        other.signals = tuple(
            told if i == seat else self._made_up(told, other.state.hidden, dice) for i, told in enumerate(self.signals)
        )
        return other

    def _trusted(self, signals: Signals, dice: Dice) -> Any:
        """Return what `imagine` takes for true for somebody with these signals."""
        known, beliefs = self.setting.knowledge, self.setting.package.beliefs
        if known.sigma is None:
            return beliefs.trusting(signals) if any(told is not None for told in signals) else None
        chances = known.chances()
        return beliefs.trusting(
            [None if told is None else beliefs.guessed(told, known.sigma, dice.choice(chances)) for told in signals]
        )

    def _made_up(self, told: Signals, hidden: Struct, dice: Dice) -> Signals:
        """Return signals that another seat may have got if this is hidden."""
        known, beliefs = self.setting.knowledge, self.setting.package.beliefs
        if known.sigma is None:
            return dice.shuffle(told)
        secrets, chances, sigma = beliefs.secrets(hidden), known.chances(), known.sigma
        return tuple(
            None if before is None else beliefs.told(secrets, i, sigma, dice.choice(chances))
            for i, before in enumerate(told)
        )
