"""One game of a setting, with all its chance: which card has which number, what each seat is told, the rules' own.

An episode says what is due and who is to act; whoever drives it throws the dice, or goes through all outcomes.
"""

from typing import Any

from spieltisch.dice import Dice
from spieltisch.game import Outcome, PendingChance, Pick, Shuffle, aliased, own_news, see
from spieltisch.study.environments.knowledge import Signals
from spieltisch.study.environments.setting import NO_OFFER, Offer, Setting


class Episode:
    """One game. `state` is the rules' (None before the cards have their numbers), `signals` what each seat was told.

    `remembers`: keeps what every seat has noticed, for `memory`.
    """

    __slots__ = (
        "_log",
        "_offer",
        "_remembers",
        "_secrets",
        "_start",
        "_told",
        "actions",
        "setting",
        "signals",
        "state",
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
        if not setting.hides:
            self._begin(setting.deck)

    def __copy__(self) -> "Episode":
        other = object.__new__(Episode)
        for name in Episode.__slots__:
            setattr(other, name, getattr(self, name))
        return other

    def __deepcopy__(self, memo: object) -> "Episode":
        return self.__copy__()  # its parts never change

    # -- chance ----------------------------------------------------------------------------------------------

    def due(self) -> PendingChance | None:
        """What chance has to decide now."""
        if self.state is None:
            return Shuffle(tuple(range(len(self.setting.deck.cards))))
        if self._told_all():
            return self.setting.rules.pending_chance(self.state)
        return Pick(self.setting.knowledge.steps)

    def resolve(self, outcome: Outcome) -> None:
        """Go on with this outcome of what is due."""
        self._offer = None
        if self.state is None:
            assert isinstance(outcome, tuple)
            self._begin(aliased(self.setting.deck, outcome), outcome)
        elif self._told_all():
            self.state = self.setting.rules.resolve_chance(self.state, outcome)
            self._notice(None, None)
        else:
            assert isinstance(outcome, int)
            self._told += (outcome,)
            if self._told_all():
                self._tell()

    def _begin(self, deck: Any, order: tuple[int, ...] = ()) -> None:
        setting = self.setting
        self.state = setting.rules.setup(setting.seats, setting.options, deck)
        if setting.hides:
            self._secrets = setting.package.beliefs.secrets(self.state.hidden)
        if self._remembers:
            self._start = setting.started(self.state.public)
        table = setting.knowledge.table
        if table is not None:
            self.signals = setting.dealt(table, order, self._secrets)

    def _told_all(self) -> bool:
        setting = self.setting
        return setting.knowledge.sigma is None or len(self._told) == setting.seats * setting.secrets

    def _tell(self) -> None:
        setting = self.setting
        n, chances, sigma = setting.secrets, setting.knowledge.chances(), setting.knowledge.sigma
        told = setting.package.beliefs.told
        self.signals = tuple(
            tuple(told(self._secrets, i, sigma, chances[self._told[seat * n + i]]) for i in range(n))
            for seat in range(setting.seats)
        )

    # -- acting ----------------------------------------------------------------------------------------------

    def seat(self) -> int | None:
        """The seat to act; None when the game is over, or left, or chance is due. Of several the first."""
        if self.actions >= self.setting.most:
            return None
        acting = self.setting.rules.to_act(self.state.public)
        return acting[0] if acting else None

    def open(self) -> Offer:
        """The actions of the seat to act."""
        if self._offer is None:
            seat = self.seat()
            self._offer = NO_OFFER if seat is None else self.setting.offered(self.setting.legal(self.state, seat))
        return self._offer

    def act(self, action: Any) -> None:
        """Let the seat to act do this."""
        seat = self.seat()
        assert seat is not None
        self.state = self.setting.rules.apply(self.state, seat, action)
        self.actions += 1
        self._offer = None
        self._notice(seat, action)

    @property
    def left(self) -> bool:
        """Whether the game is left before its end."""
        return self.actions >= self.setting.most and self.setting.rules.result(self.state.public) is None

    def returns(self) -> tuple[float, ...]:
        """What each seat has won: each stakes 1, and who comes first shares all stakes with those who do, too.
        Alone: 1 for a game that is won. Nothing before the end, and where the game was left.
        """
        seats = self.setting.seats
        result = self.setting.rules.result(self.state.public) if self.state is not None else None
        if result is None:
            return (0.0,) * seats
        if result.ranking is None:
            return (float(result.end == "won"),) * seats
        first = result.ranking[0]
        return tuple((seat in first) * seats / len(first) - 1.0 for seat in range(seats))

    # -- what a seat knows -----------------------------------------------------------------------------------

    def _notice(self, seat: int | None, action: Any) -> None:
        if self._remembers:
            self._log = (self._log, self.state, seat, action)

    def memory(self, seat: int) -> list[int]:
        """All that a seat has noticed and done since the beginning, as numbers: its signals, how it began, and for
        each step what all were told, what it alone was told, and what it did, 0 if that was not its step.
        """
        assert self._remembers, "this episode does not remember"
        found = [seat]
        for told in self.signals[seat]:
            found += (0,) if told is None else (1, told)
        found += self._start
        steps, log = [], self._log
        while log is not None:
            log, *step = log
            steps.append(step)
        setting = self.setting
        for state, by, action in reversed(steps):
            found += setting.news(state.public.news)
            found += setting.own_news(own_news(see(state, seat)))
            found += (1, *setting.deeds(action)) if by == seat else (0,)
        return found

    def imagined(self, seat: int, dice: Dice) -> "Episode":
        """The same game as it may be for all that a seat can see and was told: what lies hidden, and what the others
        were told, is made up. What has happened is what the seat has noticed of it.
        """
        setting, known = self.setting, self.setting.knowledge
        beliefs, trusted = setting.package.beliefs, None
        signals = self.signals[seat]
        if known.sigma is not None:
            chances = known.chances()
            guesses = [beliefs.guessed(told, known.sigma, dice.choice(chances)) for told in signals]
            trusted = beliefs.trusting(guesses)
        elif any(told is not None for told in signals):
            trusted = beliefs.trusting(signals)
        other = self.__copy__()
        other._offer = None  # noqa: SLF001 - its own kind
        other.state = setting.rules.imagine(see(self.state, seat), dice, trusted)
        other.signals = tuple(
            told if i == seat else self._made_up(told, other.state.hidden, dice) for i, told in enumerate(self.signals)
        )
        return other

    def _made_up(self, told: Signals, hidden: Any, dice: Dice) -> Signals:
        """What another seat may have been told if this lies hidden."""
        known, beliefs = self.setting.knowledge, self.setting.package.beliefs
        if known.sigma is None:
            return dice.shuffle(told)
        secrets, chances, sigma = beliefs.secrets(hidden), known.chances(), known.sigma
        return tuple(beliefs.told(secrets, i, sigma, dice.choice(chances)) for i in range(len(secrets)))
