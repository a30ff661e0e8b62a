"""The rules of Anno Domini, in the order of the rulebook ("§" refers to README.md in this folder).

All events lie open, but no dates. Players lay events into a chain through time, until somebody doubts it. `state`
defines what is known, `imagine` what may be.
"""

from itertools import permutations

from msgspec.structs import replace

from spieltisch.game import Illegal, Invalid, Outcome, Result, Shuffle, State
from spieltisch.games.annodomini import news
from spieltisch.games.annodomini.cards import Card, Laid, Reveal, show, wrong_pairs
from spieltisch.games.annodomini.events import Event
from spieltisch.games.annodomini.imagine import imagine
from spieltisch.games.annodomini.options import Options
from spieltisch.games.annodomini.state import (
    Action,
    Deck,
    Doubt,
    End,
    GameState,
    GameView,
    Hidden,
    Numbers,
    Open,
    Own,
    Penalty,
    Place,
    Public,
)

__all__ = ["Action", "Deck", "Doubt", "Hidden", "Open", "Options", "Own", "Place", "Public", "imagine"]

name = "anno-domini"
version = 1
seats = range(2, 11)


# -- the contract --------------------------------------------------------------------------------------------


def setup(seats: int, options: Options, deck: Deck) -> GameState:
    if not 2 <= seats <= 10:
        raise Invalid("Anno Domini is for 2 to 10 players, not for {n}", n=seats)
    for seat, cards in options.fewer_cards:
        if not 0 <= seat < seats:
            raise Invalid("fewer_cards: there is no seat {seat}, only 0 to {last}", seat=seat, last=seats - 1)
        if not 1 <= cards < options.cards_per_player:
            raise Invalid(
                "fewer_cards: seat {seat} cannot get {cards} cards, only 1 to {most}",
                seat=seat, cards=cards, most=options.cards_per_player - 1,
            )  # fmt: skip
    if (chosen := [seat for seat, _ in options.fewer_cards]) != sorted(set(chosen)):
        raise Invalid("fewer_cards: name each seat once, in ascending order")
    # A child's fewer cards do not allow a smaller deck: the full number counts (§7, §R4).
    if len(deck.cards) < (least := seats * options.cards_per_player + 2):
        raise Invalid(
            "{seats} players need a deck of at least {least} cards ({each} each); this one has {n}",
            seats=seats, each=options.cards_per_player, least=least, n=len(deck.cards),
        )  # fmt: skip
    n = len(deck.cards)
    return State(Public(options, ((),) * seats, n), (Own(),) * seats, Hidden(deck.cards, tuple(range(n))))


def pending_chance(state: GameState) -> Shuffle | None:
    """The deal, and a shuffle of the cards set aside if the pile is empty when a card is needed (§R1)."""
    p = state.public
    if not p.round:
        return Shuffle(tuple(range(p.pile)))
    return Shuffle(state.hidden.set_aside) if _waits(p) else None


def resolve_chance(state: GameState, outcome: Outcome) -> GameState:
    assert isinstance(outcome, tuple)
    p, hidden = state.public, state.hidden
    if not p.round:
        return _uncover(p, _start(_deal(state, outcome)))
    told = (*p.news, news.Reshuffled(len(outcome)))
    shuffled = replace(p, pile=len(outcome), set_aside=0, news=told)
    hidden = replace(hidden, pile=outcome, set_aside=())
    return _uncover(p, _go_on(replace(state, public=shuffled, hidden=hidden)))


def to_act(public: Public) -> tuple[int, ...]:
    return () if public.end or not public.round or _waits(public) else (public.turn,)


def legal(view: GameView) -> tuple[Action, ...]:
    p, seat = view.public, view.seat
    if seat is None or seat not in to_act(p):
        return ()
    if not p.chain:
        cards = tuple(card.number for card in p.turned + p.hands[seat])
        return tuple(map(Open, permutations(cards)))
    places = range(len(p.chain) + 1)
    actions: list[Action] = [Place(card.number, at) for card in p.hands[seat] for at in places]
    return tuple(actions) if p.last is None else (*actions, Doubt())


def apply(state: GameState, seat: int, action: Action) -> GameState:
    p = state.public
    if seat not in to_act(p):
        raise _not_to_act(p)
    state = replace(state, public=replace(p, news=()))
    if isinstance(action, Open):
        return _open(state, action.cards)
    if isinstance(action, Place):
        return _place(state, action.card, action.at)
    if p.last is None:
        raise Illegal("You can doubt once someone has placed a card in this round.")
    return _doubt(state, p.last, at_once=False)


def result(public: Public) -> Result | None:
    return Result(_places(public), None, public.end) if public.end else None


def standings(public: Public) -> tuple[tuple[int, ...], ...]:
    """The fewest cards first, as with `max_rounds`."""
    return _places(public)


def lap(public: Public) -> int:
    """A round ends with a doubt."""
    return public.round


# -- the deal and the start of a round -----------------------------------------------------------------------


def _deal(state: GameState, pile: Numbers) -> GameState:
    """Deal one card at a time, clockwise from seat 0. Players who have all their cards are skipped (§1, §7)."""
    p, fronts = state.public, state.hidden.cards
    fewer = dict(p.options.fewer_cards)
    hands: list[list[Card]] = [[] for _ in p.hands]
    pile_top = iter(pile)
    for number in range(p.options.cards_per_player):
        for seat, hand in enumerate(hands):
            if number < fewer.get(seat, p.options.cards_per_player):
                hand.append(_face(fronts, next(pile_top)))
    rest, dealt = tuple(pile_top), tuple(map(tuple, hands))
    public = replace(p, hands=dealt, pile=len(rest), round=1, news=(news.Dealt(dealt),))
    return replace(state, public=public, hidden=replace(state.hidden, pile=rest))


def _waits(p: Public) -> bool:
    """Whether a card is due from an empty pile, and there are cards set aside."""
    if p.end or p.pile or not p.set_aside:
        return False
    return p.penalty.left > 0 if p.penalty else not p.chain and len(p.turned) < _needed(p)


def _needed(p: Public) -> int:
    """The number of cards turned up to start a round: two if the player holds exactly one (§5)."""
    return 2 if len(p.hands[p.turn]) == 1 else 1


def _go_on(state: GameState) -> GameState:
    """Proceed to the next choice or chance: draw the penalty, then start a new round."""
    p = state.public
    if p.penalty:
        seat, left = p.penalty.seat, p.penalty.left
        state, drawn = _take(state, left)
        p = state.public
        hands = tuple(hand + drawn if i == seat else hand for i, hand in enumerate(p.hands))
        told = (*p.news, news.Drew(seat, drawn)) if drawn else p.news
        p = replace(p, hands=hands, penalty=Penalty(seat, left - len(drawn)), paid=p.paid + len(drawn), news=told)
        state = replace(state, public=p)
        if _waits(p):
            return state
        if p.round == p.options.max_rounds:
            return _end(replace(state, public=replace(p, penalty=None)), "rounds")
        state = replace(state, public=replace(p, penalty=None, round=p.round + 1, last=None))
    return _start(state)


def _start(state: GameState) -> GameState:
    """Turn up the cards that start the round. With none left the game is over (§R1); with one of two, the player opens
    with that one (§R2).
    """
    p = state.public
    needed = _needed(p)
    state, cards = _take(state, needed - len(p.turned))
    p = state.public
    turned = p.turned + cards
    if needed == 1 and turned:
        started = news.Started(p.turn, p.round, turned[0])
        p = replace(p, chain=(Laid(turned[0], None),), news=(*p.news, started))
    else:
        told = (*p.news, news.TurnedUp(p.turn, p.round, cards)) if cards else p.news
        p = replace(p, turned=turned, news=told)
        if not turned and not p.set_aside:
            return _end(replace(state, public=p), "pile-empty")
    return replace(state, public=p)


def _take(state: GameState, n: int) -> tuple[GameState, tuple[Card, ...]]:
    """Take up to n cards off the pile, event side up. Everybody then sees the one beneath."""
    p, hidden = state.public, state.hidden
    cards, rest = tuple(_face(hidden.cards, i) for i in hidden.pile[:n]), hidden.pile[n:]
    top = _face(hidden.cards, rest[0]) if rest else None
    p = replace(p, pile=len(rest), top=top)
    return replace(state, public=p, hidden=replace(hidden, pile=rest)), cards


def _face(cards: tuple[Event, ...], number: int) -> Card:
    return Card(number, cards[number].front)


def _uncover(before: Public, state: GameState) -> GameState:
    """Announce a new card on top of the pile."""
    p = state.public
    if p.top is None or p.top == before.top:
        return state
    return replace(state, public=replace(p, news=(*p.news, news.Uncovered(p.top))))


# -- the actions ---------------------------------------------------------------------------------------------


def _place(state: GameState, number: int, at: int) -> GameState:
    p = state.public
    if not p.chain:
        raise Illegal("Lay your last card together with the cards turned up.")
    hand = p.hands[p.turn]
    card = next((card for card in hand if card.number == number), None)
    if card is None:
        raise Illegal("You do not have this card.")
    if not 0 <= at <= len(p.chain):
        raise Illegal("A place in this chain is a number from 0 to {n}, not {at}.", n=len(p.chain), at=at)
    p = replace(p, chain=(*p.chain[:at], Laid(card, p.turn), *p.chain[at:]), news=(news.Placed(p.turn, card, at),))
    return _laid(replace(state, public=p), tuple(other for other in hand if other != card))


def _open(state: GameState, numbers: Numbers) -> GameState:
    p = state.public
    if p.chain:
        raise Illegal("You can only do this when you start a round with one card.")
    cards = {card.number: card for card in p.turned + p.hands[p.turn]}
    if len(numbers) != len(cards) or set(numbers) != cards.keys():
        raise Illegal("Lay your last card and all cards turned up, each once.")
    turned = {card.number for card in p.turned}
    laid = tuple(Laid(cards[i], None if i in turned else p.turn) for i in numbers)
    told = news.Opened(p.turn, tuple(one.card for one in laid))
    return _laid(replace(state, public=replace(p, chain=laid, turned=(), news=(told,))), ())


def _laid(state: GameState, hand: tuple[Card, ...]) -> GameState:
    """The turn passes; a last card is doubted at once (§6)."""
    p, seat = state.public, state.public.turn
    hands = (*p.hands[:seat], hand, *p.hands[seat + 1 :])
    state = replace(state, public=replace(p, hands=hands, last=seat, turn=_next(p, seat)))
    return state if hand else _doubt(state, seat, at_once=True)


def _doubt(state: GameState, last: int, *, at_once: bool) -> GameState:
    """Turn the chain over (§4). If it is correct, the doubter pays; if not, the player who placed last. The payer comes
    last in the next round.
    """
    p, hidden = state.public, state.hidden
    rows = tuple(show(hidden.cards[laid.card.number], laid.by) for laid in p.chain)
    reveal = Reveal(p.turn, last, at_once, rows, wrong_pairs(tuple(row.span for row in rows)))
    p = replace(p, revealed=reveal, paid=0, news=(*p.news, news.Doubted(reveal)))
    if reveal.correct and not p.hands[last]:
        return _end(replace(state, public=p), "out-of-cards")
    if reveal.correct:
        penalty, starter = Penalty(p.turn, p.options.doubter_penalty), _next(p, p.turn)
    else:
        penalty, starter = Penalty(last, p.options.last_player_penalty), p.turn
    away = hidden.set_aside + tuple(laid.card.number for laid in p.chain)
    over = replace(p, chain=(), set_aside=len(away), last=None, penalty=penalty, turn=starter)
    hidden = replace(hidden, set_aside=away)
    return _uncover(p, _go_on(replace(state, public=over, hidden=hidden)))


def _next(p: Public, seat: int) -> int:
    return (seat + 1) % len(p.hands)


def _end(state: GameState, end: End) -> GameState:
    p = replace(state.public, end=end)
    return replace(state, public=replace(p, news=(*p.news, news.Ended(_places(p)[0], end))))


def _places(p: Public) -> tuple[tuple[int, ...], ...]:
    """The fewest cards in hand first. Equal hands share a place (§R3)."""
    counts = [len(hand) for hand in p.hands]
    return tuple(tuple(seat for seat, n in enumerate(counts) if n == most) for most in sorted(set(counts)))


def _not_to_act(p: Public) -> Illegal:
    if p.end:
        return Illegal("The game is over.")
    if not to_act(p):
        return Illegal("The cards have to be shuffled first.")
    return Illegal("It is not your turn.")
