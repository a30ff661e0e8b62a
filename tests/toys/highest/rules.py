"""Highest: the smallest game with a hand, a pile and a secret.

1. Everybody gets one card. 2. In turn, each player keeps it or exchanges it for the top card of the pile; the old card
goes under the pile. 3. Then all cards are shown; the highest wins, and equal cards share the win.
"""

from msgspec import Struct

from spieltisch.dice import Dice
from spieltisch.game import Illegal, Invalid, PendingChance, Result, Shuffle, State, View

name = "highest"
version = 1
seats = range(2, 5)


class Options(Struct, frozen=True):
    change: bool = True  # whether cards may be exchanged at all


class Deck(Struct, frozen=True):
    cards: tuple[int, ...]  # each card's rank


DECK = Deck((1, 2, 3, 3, 4, 5, 6, 7))


class Keep(Struct, frozen=True, tag=True):
    pass


class Change(Struct, frozen=True, tag=True):
    pass


Action = Keep | Change


class Changed(Struct, frozen=True, tag=True):
    seat: int


class Kept(Struct, frozen=True, tag=True):
    seat: int


class Showed(Struct, frozen=True, tag=True):
    cards: tuple[int, ...]


News = Changed | Kept | Showed


class Got(Struct, frozen=True, tag=True):
    card: int


class Public(Struct, frozen=True):
    options: Options
    seats: int
    ranks: tuple[int, ...]
    turn: int | None = None
    changed: tuple[int, ...] = ()  # seats in order; their old cards are under the pile, the last one lowest
    shown: tuple[int, ...] = ()
    news: tuple[News, ...] = ()


class Own(Struct, frozen=True):
    card: int | None = None
    under: int | None = None  # the own card under the pile, which its owner remembers
    news: tuple[Got, ...] = ()


class Hidden(Struct, frozen=True):
    pile: tuple[int, ...] = ()


def setup(seats: int, options: Options, deck: Deck) -> State[Public, Own, Hidden]:
    if len(deck.cards) <= seats:
        raise Invalid("the deck has {n} cards, {least} are needed", n=len(deck.cards), least=seats + 1)
    return State(Public(options, seats, deck.cards), (Own(),) * seats, Hidden())


def pending_chance(state: State[Public, Own, Hidden]) -> PendingChance | None:
    if state.public.turn is None:
        return Shuffle(tuple(range(len(state.public.ranks))))
    return None


def resolve_chance(state: State[Public, Own, Hidden], outcome: tuple[int, ...]) -> State[Public, Own, Hidden]:
    p = state.public
    own = tuple(Own(card) for card in outcome[: p.seats])
    return State(Public(p.options, p.seats, p.ranks, 0), own, Hidden(outcome[p.seats :]))


def to_act(public: Public) -> tuple[int, ...]:
    return () if public.turn is None or public.turn == public.seats else (public.turn,)


def legal(view: View[Public, Own]) -> tuple[Action, ...]:
    if view.seat not in to_act(view.public):
        return ()
    return (Keep(), Change()) if view.public.options.change else (Keep(),)


def apply(state: State[Public, Own, Hidden], seat: int, action: Action) -> State[Public, Own, Hidden]:
    p, own, pile, changed = state.public, state.own, state.hidden.pile, state.public.changed
    if seat not in to_act(p):
        raise Illegal("It is not your turn.")
    news: tuple[News, ...] = (Kept(seat),)
    own = tuple(Own(o.card, o.under) for o in own)
    if isinstance(action, Change):
        if not p.options.change:
            raise Illegal("Cards are not changed in this game.")
        old = own[seat].card
        assert old is not None
        mine = Own(pile[0], old, (Got(pile[0]),))
        pile = (*pile[1:], old)
        own = (*own[:seat], mine, *own[seat + 1 :])
        news = (Changed(seat),)
        changed += (seat,)
    shown: tuple[int, ...] = ()
    if seat + 1 == p.seats:
        shown = tuple(o.card for o in own if o.card is not None)
        news += (Showed(shown),)
    return State(Public(p.options, p.seats, p.ranks, seat + 1, changed, shown, news), own, Hidden(pile))


def result(public: Public) -> Result | None:
    if not public.shown:
        return None
    ranks = [public.ranks[card] for card in public.shown]
    places = sorted(set(ranks), reverse=True)
    ranking = tuple(tuple(s for s in range(public.seats) if ranks[s] == place) for place in places)
    return Result(ranking, tuple(ranks), "shown")


def imagine(view: View[Public, Own], dice: Dice, beliefs: object = None) -> State[Public, Own, Hidden]:
    p = view.public
    if p.turn is None:
        return State(p, (Own(),) * p.seats, Hidden())
    cards = dict(enumerate(p.shown))
    under: dict[int, int] = {}
    if view.seat is not None and view.own is not None and view.own.card is not None:
        cards[view.seat] = view.own.card
        if view.own.under is not None:
            under[view.seat] = view.own.under
    known = {*cards.values(), *under.values()}
    unseen = list(dice.shuffle(card for card in range(len(p.ranks)) if card not in known))
    for seat in range(p.seats):
        cards.setdefault(seat, unseen.pop() if seat not in cards else 0)
    for seat in p.changed:
        under.setdefault(seat, unseen.pop() if seat not in under else 0)
    own = tuple(
        view.own if seat == view.seat and view.own else Own(cards[seat], under.get(seat)) for seat in range(p.seats)
    )
    return State(p, own, Hidden((*unseen, *(under[seat] for seat in p.changed))))
