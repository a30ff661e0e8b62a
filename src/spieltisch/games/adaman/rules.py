"""The rules of Adaman, in the order of the rulebook ("§" refers to README.md in this folder).

One player wins over the personalities of the realm. All cards lie open except the pile, and the player knows which
cards are in it. `state` defines what is known, `imagine` what may be.
"""

from typing import Literal

from msgspec import Struct

from spieltisch.game import Illegal, Invalid, Outcome, Result, Shuffle, State
from spieltisch.games.adaman.decktet import EXTRA, SUITS, Deck
from spieltisch.games.adaman.imagine import imagine
from spieltisch.games.adaman.news import Controlled, Ended, Moved, News, PassedOver, TurnedUp
from spieltisch.games.adaman.options import Options
from spieltisch.games.adaman.state import (
    ROW,
    Action,
    Cards,
    Control,
    Excuse,
    GameState,
    GameView,
    Hidden,
    Own,
    Public,
    Worth,
)

__all__ = ["Action", "Control", "Excuse", "Hidden", "Options", "Own", "Public", "imagine"]

name = "adaman"
version = 1
seats = range(1, 2)

# -- dealing -------------------------------------------------------------------------------------------------


def setup(seats: int, options: Options, deck: Deck) -> GameState:
    if seats != 1:
        raise Invalid("Adaman is for one player, not for {n}", n=seats)
    cards = deck.cards
    if not cards:
        raise Invalid("the deck has no cards")
    if sorted(options.extra) != sorted(card.id for card in cards if card.kind in EXTRA):
        raise Invalid("the deck's added cards must be those of the option extra, each exactly once")
    bits = {suit: 1 << i for i, suit in enumerate(SUITS)}
    worth = Worth(
        tuple([card.value for card in cards]),
        tuple([sum([bits[suit] for suit in card.suits]) for card in cards]),
        tuple([card.person for card in cards]),
        next((i for i, card in enumerate(cards) if card.kind == "excuse"), -1),
    )
    return State(Public(deck, worth, len(cards)), (Own(),), Hidden(tuple(range(len(cards)))))


def pending_chance(state: GameState) -> Shuffle | None:
    """The pile is shuffled once, before anything is dealt (§1)."""
    return Shuffle(state.hidden.pile) if state.public.pile == len(state.public.deck.cards) else None


def resolve_chance(state: GameState, outcome: Outcome) -> GameState:
    assert isinstance(outcome, tuple)
    return _refill(state.public, _Rows([], [], [], (), (), []), outcome)


class _Rows(Struct):
    """The table in the middle of a move."""

    capital: list[int]
    palace: list[int]
    resources: list[int]
    personalities: Cards
    discarded: Cards
    news: list[News]


def _refill(public: Public, rows: _Rows, pile: Cards) -> GameState:
    """Fill up the rows from the pile, and find out what ends by that (§1, §2, §4).

    Before every card, the capital is filled first. That only matters after the Excuse has been answered: the refill
    then starts again.
    """
    cards, worth = public.deck.cards, public.worth
    capital, palace, resources, news = rows.capital, rows.palace, rows.resources, rows.news
    discarded = rows.discarded
    excuse = None
    at = 0
    while at < len(pile) and excuse is None and len(palace) <= ROW:
        if len(capital) < ROW:
            place, row, other = "capital", capital, resources
        elif len(resources) < ROW:
            place, row, other = "resources", resources, capital
        else:
            break
        card = pile[at]
        at += 1
        if card == worth.excuse and not other:
            discarded += (card,)  # no card to move for it: the next card takes its place
            news.append(PassedOver(cards[card]))
            continue
        if card == worth.excuse:
            excuse = "resource" if row is capital else "capital"
        elif row is resources and worth.people[card]:
            place, row = "palace", palace  # the capital's refill sends nobody there
        row.append(card)
        news.append(TurnedUp(cards[card], place))
    end = None if excuse else _end(worth, rows, len(pile) - at)
    if end:
        news.append(Ended(end, _score(worth, end, rows.personalities, resources)))
    return State(
        Public(
            public.deck, worth, len(pile) - at, tuple(capital), tuple(palace), tuple(resources),
            rows.personalities, discarded, excuse, end, tuple(news),
        ),
        (Own(),),
        Hidden(pile[at:]),
    )  # fmt: skip


# -- the end -------------------------------------------------------------------------------------------------


def _end(worth: Worth, rows: _Rows, pile: int) -> Literal["won", "lost", "hanged"] | None:
    """The state of the game after the set-up or a whole move (§5)."""
    if len(rows.palace) > ROW:
        return "hanged"
    ranks, suits, people = worth.ranks, worth.suits, worth.people
    if not pile and not rows.palace and not any(people[card] for card in rows.capital):
        return "won"
    for target in rows.palace + rows.capital:
        colours = suits[target]
        if sum([ranks[card] for card in rows.resources if suits[card] & colours]) >= ranks[target]:
            return None
    # No card can be won any more. Cards left in the pile do not matter once everybody is won over.
    return "won" if len(rows.personalities) == sum(people) else "lost"


def _score(worth: Worth, end: str | None, personalities: Cards, resources: list[int] | Cards) -> int:
    if end == "hanged":
        return 0
    counted = (*personalities, *resources) if end == "won" else personalities
    return sum([worth.ranks[card] for card in counted])


def score(public: Public) -> int:
    """The points; before the end the ranks of the personalities won over."""
    return _score(public.worth, public.end, public.personalities, public.resources)


def result(public: Public) -> Result | None:
    return Result(None, (score(public),), public.end) if public.end else None


# -- moving --------------------------------------------------------------------------------------------------


def to_act(public: Public) -> Cards:
    return () if public.end or public.pile == len(public.deck.cards) else (0,)


def legal(view: GameView) -> tuple[Action, ...]:
    """Every target with every sufficient payment, also overpaid ones (§3). With the Excuse: every card that can move
    for it (§6). With at most five resources and ten targets, there are never more than 310.
    """
    public = view.public
    if view.seat != 0 or not to_act(public):
        return ()
    if public.excuse:
        row = public.resources if public.excuse == "resource" else public.capital
        return tuple([Excuse(card) for card in row])
    ranks, suits = public.worth.ranks, public.worth.suits
    choices: list[Control] = []
    for target in public.palace + public.capital:
        rank, colours = ranks[target], suits[target]
        payments: list[tuple[Cards, int]] = [((), 0)]
        for card in public.resources:
            if suits[card] & colours:
                payments += [((*paid, card), total + ranks[card]) for paid, total in payments]
        choices += [Control(target, paid) for paid, total in payments if total >= rank]
    return tuple(choices)


def apply(state: GameState, seat: int, action: Action) -> GameState:
    public = state.public
    if seat != 0 or not to_act(public):
        raise Illegal("It is not your turn.")
    if isinstance(action, Excuse):
        return _excuse(state, action.card)
    if public.excuse:
        raise Illegal("First move a card for the Excuse.")
    return _control(state, action.target, action.payment)


def _control(state: GameState, target: int, payment: Cards) -> GameState:
    public, worth, cards = state.public, state.public.worth, state.public.deck.cards
    if target not in public.capital and target not in public.palace:
        raise Illegal("You can only win cards from the capital or the palace.")
    if not payment:
        raise Illegal("Pay with at least one resource.")
    total = 0
    for card in payment:
        if card not in public.resources:
            raise Illegal("You can only pay with your resources.")
        if not worth.suits[card] & worth.suits[target]:
            raise Illegal("Each card you pay with must share a suit with the target.")
        total += worth.ranks[card]
    if len(set(payment)) < len(payment):
        raise Illegal("You can pay with each card only once.")
    if total < (rank := worth.ranks[target]):
        raise Illegal("You are paying {total}. You need {rank}.", total=total, rank=rank)
    rows = _Rows(
        _without(public.capital, (target,)),
        _without(public.palace, (target,)),
        _without(public.resources, payment),
        public.personalities,
        public.discarded + payment,
        [Controlled(cards[target], tuple([cards[card] for card in payment]))],
    )
    if worth.people[target]:
        rows.personalities += (target,)
    else:
        rows.resources.append(target)
    return _refill(public, rows, state.hidden.pile)


def _excuse(state: GameState, card: int) -> GameState:
    """A resource goes to the capital, or a card of the capital to the resources; the Excuse goes (§6)."""
    public, worth = state.public, state.public.worth
    if not public.excuse:
        raise Illegal("There is no Excuse here, so no card has to move.")
    row = public.resources if public.excuse == "resource" else public.capital
    if card == worth.excuse or card not in row:
        if public.excuse == "resource":
            raise Illegal("Put one of your resources in place of the Excuse.")
        raise Illegal("Put a card from the capital in place of the Excuse.")
    gone = (card, worth.excuse)
    rows = _Rows(
        _without(public.capital, gone), list(public.palace), _without(public.resources, gone),
        public.personalities, (*public.discarded, worth.excuse), [],
    )  # fmt: skip
    if public.excuse == "resource":
        place, into = "capital", rows.capital
    elif worth.people[card]:
        place, into = "palace", rows.palace  # like everybody who would join the resources
    else:
        place, into = "resources", rows.resources
    into.append(card)
    rows.news.append(Moved(public.deck.cards[card], place))
    return _refill(public, rows, state.hidden.pile)


def _without(row: Cards, gone: Cards) -> list[int]:
    return [card for card in row if card not in gone]
