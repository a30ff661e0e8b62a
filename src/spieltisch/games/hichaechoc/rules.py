"""The rules of hic – haec – hoc ("§" refers to README.md in this folder).

`state` defines what is known, `agreement` what fits on what, `turns` the course of a turn, `contest` the others'
answers to a play, `imagine` what may be.
"""

from collections.abc import Sequence
from functools import lru_cache

from msgspec.structs import replace

from spieltisch.game import Illegal, Invalid, Outcome, Result, Shuffle, State
from spieltisch.games.hichaechoc import news
from spieltisch.games.hichaechoc.agreement import FITTING, fitting_on_any
from spieltisch.games.hichaechoc.contest import answer
from spieltisch.games.hichaechoc.forms import CELLS, Card, Paradigm
from spieltisch.games.hichaechoc.imagine import imagine
from spieltisch.games.hichaechoc.options import Options
from spieltisch.games.hichaechoc.state import (
    ANY,
    JOKER,
    SEATS,
    Accept,
    Action,
    Contest,
    Draw,
    GameState,
    GameView,
    Hidden,
    Known,
    Middle,
    Own,
    Pass,
    Play,
    PlayJoker,
    Public,
    Terms,
    Turn,
    plays,
    written,
)
from spieltisch.games.hichaechoc.turns import ALONE, MOVING, TURNS, idle, put, stand, take, without

__all__ = ["Action", "Options", "imagine"]

name = "hic-haec-hoc"
version = 1
seats = range(2, SEATS + 1)
Deck = Paradigm

silence = Accept()
"""The default answer when the time for answers is up."""

DRAW, PASS, ANSWERS = Draw(), Pass(), (Accept(), Contest())
passes = (PASS, DRAW)
"""The default actions when the time for a turn is up: the first legal one counts."""


# -- the deal ------------------------------------------------------------------------------------------------


def setup(seats: int, options: Options, deck: Paradigm) -> GameState:
    if not 2 <= seats <= SEATS:
        raise Invalid("hic – haec – hoc is for 2 to 5 players, not {n}", n=seats)
    each = options.cards_per_player
    if seats * each + 1 > len(CELLS):
        raise Invalid("{n} players with {m} cards each need more than 30 cards", n=seats, m=each)
    in_cells = _in_cells(frozenset(deck.cards))
    if in_cells is None or len(deck.cards) != len(CELLS):
        raise Invalid("a deck of forms has one card for each of the 30 cells")
    numbers: dict[str, int] = {}
    cards = tuple([numbers.setdefault(card.form, len(numbers)) for card in deck.cards])
    table = bytes([numbers[form] for form in in_cells])
    everything = (*cards, JOKER) if options.joker else cards
    assisted = options.mode == "assisted"
    terms = Terms(options, tuple(numbers), everything, table if assisted else None)
    known = Known(((),) * seats)
    public = Public(terms, Middle(), TURNS[0], (), (0,) * seats, (), known, MOVING, None, ())
    return State(public, (Own(),) * seats, Hidden((), None if assisted else table))


@lru_cache(64)
def _in_cells(cards: frozenset[Card]) -> tuple[str, ...] | None:
    """The forms row by row; None unless there is a card for each cell. Cached: the order of the deck, new in every
    game, does not matter.
    """
    written = {card.cell: card.form for card in cards}
    return tuple([written[cell] for cell in CELLS]) if written.keys() == {*CELLS} else None


def pending_chance(state: GameState) -> Shuffle | None:
    """§1: the deal. §9: when the pile is used up, a shuffle of the played cards except the top one."""
    p = state.public
    if p.acting or p.end:
        return None
    return Shuffle(p.terms.cards if p.middle.top is None else p.middle.played)


def resolve_chance(state: GameState, outcome: Outcome) -> GameState:
    assert isinstance(outcome, tuple)
    p = state.public
    if p.middle.top is None:
        return _deal(state, outcome)
    p = replace(p, middle=replace(p.middle, pile=len(outcome), played=()))
    told = (*p.news, news.Shuffled(len(outcome)))
    return take(p, state.own, Hidden(outcome, state.hidden.table), told)


def _deal(state: GameState, cards: tuple[int, ...]) -> GameState:
    """§1: one at a time clockwise from seat 0, then the card in the middle. §13: never the joker."""
    p = state.public
    n, each = len(p.hands), p.terms.options.cards_per_player
    hands = tuple(Own(cards[seat : n * each : n]) for seat in range(n))
    top, *pile = cards[n * each :]
    joker = top == JOKER
    if joker:
        top, *pile = *pile, JOKER
    dealt = Public(
        p.terms,
        Middle(len(pile), top),
        TURNS[0],
        ALONE[0],
        (each,) * n,
        (),
        Known(p.known.hands, joker),
        MOVING,
        None,
        (news.TurnedUp(top, joker),),
    )
    return State(dealt, hands, Hidden(tuple(pile), state.hidden.table))


# -- whose turn it is, and what they can do ------------------------------------------------------------------


def to_act(public: Public) -> tuple[int, ...]:
    return public.acting


def legal(view: GameView) -> Sequence[Action]:
    p, own = view.public, view.own
    if own is None or view.seat not in p.acting:
        return ()
    if p.turn.pending is not None:
        return ANSWERS
    if own.drawn is not None:  # §4: only the drawn card
        return (*_offers(p, own.drawn), PASS)
    found: list[Action] = []
    if p.terms.table is None:
        for card in dict.fromkeys(own.hand):
            found += ANY[card]
    else:
        readings, fitting, cards = p.terms.readings, _fitting(p), []
        for card in own.hand:
            fits = readings[card] & fitting
            if fits and card not in cards:
                cards.append(card)
                found += plays(card, fits)
        if found:
            return found  # §8: assisted, a hand with a fitting card does not draw or pass
    found.append(DRAW if p.middle.pile or p.middle.played else PASS)
    return found


def grouped(options: Options) -> bool:
    """Whether `legal` lists actions of one kind together: the joker keeps its place in the hand."""
    return not options.joker


def _offers(p: Public, card: int) -> tuple[Action, ...]:
    """The plays of a card to offer: in strict games all, in assisted games those that fit on the top card (§3, §5)."""
    return ANY[card] if p.terms.table is None else plays(card, p.terms.readings[card] & _fitting(p))


def _fitting(p: Public) -> int:
    """The readings, as bits, that fit on the top card. Assisted only: in strict games only the table of forms knows."""
    if (said := p.middle.said) is not None:
        return FITTING[said]
    assert p.middle.top is not None
    return fitting_on_any(p.terms.readings[p.middle.top])


# -- a turn --------------------------------------------------------------------------------------------------


def apply(state: GameState, seat: int, action: Action) -> GameState:
    p = state.public
    if seat not in p.acting:
        raise Illegal("The game is over.") if p.end else Illegal("It is not your turn.")
    if p.terms.table is None:
        if p.turn.pending is not None:
            return answer(state, seat, action)
        if p.terms.options.contest_price:  # a card drawn as a price is no longer new
            owns = tuple(Own(own.hand, own.drawn) if own.news else own for own in state.own)
            state = State(p, owns, state.hidden)
    if type(action) is Play:
        return _play(state, seat, action.form, action)
    if type(action) is Draw:
        return _draw(state, seat)
    if type(action) is Pass:
        return _pass(state, seat)
    if type(action) is PlayJoker:
        return _play(state, seat, JOKER, action)
    raise Illegal("There is nothing to answer. Play a card or draw one.")


def _play(state: GameState, seat: int, card: int, play: Play | PlayJoker) -> GameState:
    """§2: lay a card from the hand with its declared reading. §10: in strict games, the others are asked."""
    p, own = state.public, state.own[seat]
    hand, drawn = own.hand, own.drawn
    if card not in hand:
        raise Illegal("You do not hold {form}.", form=written(p, card))
    if drawn is not None and card != drawn:
        raise Illegal("After drawing you may only play the drawn card, {form}.", form=written(p, drawn))
    if play not in _offers(p, card):
        raise Illegal("{form} does not fit here with this reading.", form=written(p, card))
    left = without(hand, card)
    owns, hands, known = put(state.own, seat, Own(left)), put(p.hands, seat, len(left)), p.known
    if card in known.hands[seat]:
        known = Known(put(known.hands, seat, without(known.hands[seat], card)), known.bottom)
    if type(play) is not Play:  # the joker, §13: never wrong, never contested
        public = stand(p, hands, known, play, (news.JokerPlayed(seat),))
    elif p.terms.table is not None:  # assisted
        public = stand(p, hands, known, play, (news.Played(seat, card, play.reading),))
    else:
        others = tuple(other for other, cards in enumerate(hands) if cards and other != seat)
        turn, told = Turn(seat, p.turn.drawn, play), (news.Played(seat, card, play.reading),)
        public = Public(p.terms, p.middle, turn, others, hands, p.out, known, p.stall, None, told)
    return State(public, owns, state.hidden)


def _draw(state: GameState, seat: int) -> GameState:
    """§4: draw one card. §9: from the shuffled played cards if the pile is used up."""
    p, own = state.public, state.own[seat]
    if own.drawn is not None:
        raise Illegal("You have drawn {form}. Play it or keep it.", form=written(p, own.drawn))
    _check_nothing_fits(p, own)
    if p.middle.pile:
        return take(p, state.own, state.hidden, ())
    if not p.middle.played:
        raise Illegal("There is no card left to draw: you may pass.")
    return State(replace(p, acting=(), news=()), state.own, state.hidden)


def _pass(state: GameState, seat: int) -> GameState:
    """§4: pass after a draw. §9: pass when no card can be drawn."""
    p, own = state.public, state.own[seat]
    if own.drawn is None:
        _check_nothing_fits(p, own)
        if p.middle.pile or p.middle.played:
            raise Illegal("You can only pass after drawing a card.")
    public = idle(p, p.hands, p.known, p.stall.passes + 1, (news.Passed(seat),))
    return State(public, put(state.own, seat, Own(own.hand)), state.hidden)


def _check_nothing_fits(p: Public, own: Own) -> None:
    """§8: in assisted games, a hand with a fitting card may neither draw nor pass."""
    if p.terms.table is None:
        return
    readings, fitting = p.terms.readings, _fitting(p)
    for card in own.hand:
        if readings[card] & fitting:
            raise Illegal("You have a card that fits: play it.")


# -- the end -------------------------------------------------------------------------------------------------


def result(public: Public) -> Result | None:
    """§15, §16: players who shed their cards, in that order; then by cards in hand. Ties share a place."""
    return None if public.end is None else Result(standings(public), None, public.end)


def standings(public: Public) -> tuple[tuple[int, ...], ...]:
    """Places as in a blocked game."""
    groups: dict[int, tuple[int, ...]] = {}
    for seat, held in enumerate(public.hands):
        if seat not in public.out:
            groups[held] = (*groups.get(held, ()), seat)
    rest = [groups[held] for held in sorted(groups)]
    return (*[(seat,) for seat in public.out], *rest)
