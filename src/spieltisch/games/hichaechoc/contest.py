"""The others' answer to a play in a strict game: §10 to §12."""

from msgspec.structs import replace

from spieltisch.game import Illegal, State
from spieltisch.games.hichaechoc import news
from spieltisch.games.hichaechoc.agreement import agree, readings
from spieltisch.games.hichaechoc.state import Accept, Action, Contest, GameState, Known, Own, Play
from spieltisch.games.hichaechoc.turns import idle, put, stand, take, without


def answer(state: GameState, seat: int, action: Action) -> GameState:
    """§10: the first contest decides. A play that everybody accepts stands, right or wrong."""
    p = state.public
    play = p.turn.pending
    assert play is not None
    match action:
        case Accept():
            told = (news.Accepted(seat),)
            asked = without(p.acting, seat)
            if asked:
                return State(replace(p, acting=asked, news=told), state.own, state.hidden)
            return State(stand(p, p.hands, p.known, play, told), state.own, state.hidden)
        case Contest():
            judged = judge(state, seat, play)
            return _stands(state, play, judged) if judged.right else _goes_back(state, play, judged)
    raise Illegal("First answer: “Fine” or “Objection!”")


def judge(state: GameState, by: int, play: Play) -> news.Judged:
    """§11: a reading is wrong if the card does not have it, or if it does not agree with the top card in exactly two
    criteria.
    """
    p, table = state.public, state.hidden.table
    top, said = p.middle.top, p.middle.said
    assert table is not None
    assert top is not None
    own = readings(table, play.form)
    beneath: tuple[int, ...] = ()
    right = play.reading in own
    if right and said is None:  # §5: an undeclared first card may be any of its readings
        beneath = readings(table, top)
    if right:
        right = any(agree(play.reading, cell) == 2 for cell in (beneath if said is None else (said,)))
    return news.Judged(p.turn.seat, by, play.form, play.reading, own, top, said, beneath, right, table)


def _goes_back(state: GameState, play: Play, judged: news.Judged) -> GameState:
    """§11: the card goes back to the hand, known to everybody, and the turn is over."""
    p, seat = state.public, judged.seat
    hand = (*state.own[seat].hand, play.form)
    known = Known(put(p.known.hands, seat, (*p.known.hands[seat], play.form)), p.known.bottom)
    public = idle(p, put(p.hands, seat, len(hand)), known, 0, (judged,))
    return State(public, put(state.own, seat, Own(hand)), state.hidden)


def _stands(state: GameState, play: Play, judged: news.Judged) -> GameState:
    """§12: an unjustified contest may have a price, but not at the end of the game."""
    p = stand(state.public, state.public.hands, state.public.known, play, (judged,))
    if p.end or not p.terms.options.contest_price:
        return State(p, state.own, state.hidden)
    told = (*p.news, news.Fined(judged.by))
    p = replace(p, turn=replace(p.turn, owes=judged.by), acting=(), news=told)
    return take(p, state.own, state.hidden, told) if p.middle.pile else State(p, state.own, state.hidden)
