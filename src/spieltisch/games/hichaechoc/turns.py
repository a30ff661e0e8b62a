"""The course of a turn: a card is drawn, a play stands, or nothing happens."""

from typing import TypeVar

from spieltisch.game import State
from spieltisch.games.hichaechoc import news
from spieltisch.games.hichaechoc.news import News
from spieltisch.games.hichaechoc.state import (
    JOKER,
    SEATS,
    GameState,
    Hidden,
    Known,
    Middle,
    Own,
    Play,
    PlayJoker,
    Public,
    Stall,
    Turn,
)

T = TypeVar("T")

ALONE = tuple((seat,) for seat in range(SEATS))
TURNS = tuple(Turn(seat) for seat in range(SEATS))
AFTER_DRAWING = tuple(Turn(seat, True) for seat in range(SEATS))
UNSEEN = tuple(news.Drawn(seat, None) for seat in range(SEATS))
MOVING = Stall()


def take(p: Public, owns: tuple[Own, ...], hidden: Hidden, told: tuple[News, ...]) -> GameState:
    """The next card goes to the seat that owes one, or else to the player whose turn it is."""
    m, known = p.middle, p.known
    turn = p.turn.seat
    own_turn = p.turn.owes is None
    seat = turn if own_turn else p.turn.owes
    assert seat is not None
    card = hidden.pile[0]
    drawn = news.Drawn(seat, card)
    hand = (*owns[seat].hand, card)
    open_news = UNSEEN[seat]
    if known.bottom and m.pile == 1:  # everybody saw the joker go there
        known = Known(put(known.hands, seat, (*known.hands[seat], card)))
        open_news = drawn
    public = Public(
        p.terms,
        Middle(m.pile - 1, m.top, m.said, m.joker, m.played),
        AFTER_DRAWING[turn] if own_turn else TURNS[turn],
        ALONE[turn],
        put(p.hands, seat, len(hand)),
        p.out,
        known,
        MOVING,
        None,
        (*told, open_news),
    )
    own = Own(hand, card if own_turn else None, (drawn,))
    return State(public, put(owns, seat, own), Hidden(hidden.pile[1:], hidden.table))


def stand(p: Public, hands: tuple[int, ...], known: Known, play: Play | PlayJoker, told: tuple[News, ...]) -> Public:
    """The card stays and counts as declared (§7). Then the next turn, or the end of the game (§15)."""
    m, seat, out = p.middle, p.turn.seat, p.out
    top = m.top
    assert top is not None
    if type(play) is Play:
        under = m.played + ((top, JOKER) if m.joker else (top,))
        middle = Middle(m.pile, play.form, play.reading, False, under)
    else:  # §13: the card under the joker still counts
        middle = Middle(m.pile, top, m.said, True, m.played)
    if not hands[seat]:
        out = (*out, seat)
        told = (*told, news.Finished(seat))
        if not p.terms.options.play_on or len(out) == len(hands) - 1:
            return Public(p.terms, middle, TURNS[seat], (), hands, out, known, MOVING, "out-of-cards", told)
    after = _after(seat, hands)
    return Public(p.terms, middle, TURNS[after], ALONE[after], hands, out, known, MOVING, None, told)


def idle(p: Public, hands: tuple[int, ...], known: Known, passes: int, told: tuple[News, ...]) -> Public:
    """The turn ends without a play. Then the next turn, or the game is blocked (§17).

    `passes` in a row include this turn; a play that was taken back interrupts the row.
    """
    seat, still = p.turn.seat, len(hands) - len(p.out)
    stall = MOVING if p.turn.drawn else Stall(passes, p.stall.turns + 1)
    if stall.passes == still or stall.turns == 3 * still:
        told = (*told, news.Blocked())
        return Public(p.terms, p.middle, TURNS[seat], (), hands, p.out, known, stall, "blocked", told)
    after = _after(seat, hands)
    return Public(p.terms, p.middle, TURNS[after], ALONE[after], hands, p.out, known, stall, None, told)


def _after(seat: int, hands: tuple[int, ...]) -> int:
    """The next seat clockwise that still holds cards."""
    after = seat + 1 if seat + 1 < len(hands) else 0
    return after if hands[after] else _after(after, hands)


def put(places: tuple[T, ...], seat: int, thing: T) -> tuple[T, ...]:
    """A copy with this value at that seat."""
    changed = [*places]
    changed[seat] = thing
    return tuple(changed)


def without(cards: tuple[int, ...], card: int) -> tuple[int, ...]:
    """The cards without one."""
    left = [*cards]
    left.remove(card)
    return tuple(left)
