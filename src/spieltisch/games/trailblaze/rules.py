"""The rules of Trailblaze, in the order of the rulebook: start, deal, swap, place, reveal, end (see README.md).

`state` defines what is known, `board` where stones may go and what they score, `imagine` what may be.
"""

from collections.abc import Callable

from msgspec.structs import replace

from spieltisch.game import Illegal, Invalid, Outcome, PendingChance, Pick, Result, Shuffle, State
from spieltisch.games.trailblaze import news as told
from spieltisch.games.trailblaze.board import ROWS, Parts, Stone, covers_rows, free_rows, open_rows, rows_for, score
from spieltisch.games.trailblaze.firsts import Firsts, Period
from spieltisch.games.trailblaze.imagine import imagine
from spieltisch.games.trailblaze.news import Front
from spieltisch.games.trailblaze.options import Options
from spieltisch.games.trailblaze.state import (
    Action,
    Bonus,
    GameState,
    GameView,
    Hidden,
    Keep,
    LeaveBonus,
    NoBonus,
    Own,
    Place,
    Public,
    Replace,
    Skip,
    Swap,
    TakeBonus,
)
from spieltisch.i18n import N_

__all__ = ["Action", "Options", "imagine"]

name = "trailblaze"
version = 1
seats = range(2, 7)
Deck = Firsts
STONES = 12  # each; the draw for the start has 11 stones and the bonus stone, also 12


def setup(seats: int, options: Options, deck: Firsts) -> GameState:
    if not 2 <= seats <= 6:
        raise Invalid("Trailblaze is for 2 to 6 players, not for {n}", n=seats)
    if len(deck.cards) <= seats:
        raise Invalid("{n} players need a deck of at least {least} cards", n=seats, least=seats + 1)
    public = Public(
        options=options,
        periods=deck.periods,
        cards=(None,) * seats,
        stones=((STONES // options.patterns,) * options.patterns,) * seats,
        deck=len(deck.cards),
    )
    return State(public, (Own(),) * seats, Hidden(deck.cards, tuple(range(len(deck.cards)))))


def pending_chance(state: GameState) -> PendingChance | None:
    p = state.public
    if p.starter is None:
        return Pick(STONES)
    if p.phase != "deal":
        return None
    return Shuffle(tuple(range(p.deck)) if p.round == 0 else p.away)


def resolve_chance(state: GameState, outcome: Outcome) -> GameState:
    p, hidden = state.public, state.hidden
    if isinstance(outcome, int):  # stones are drawn in turn from seat 0 on; this one is the bonus stone
        seat = outcome % len(p.cards)
        return State(replace(p, starter=seat, news=(*p.news, told.Started(seat))), state.own, hidden)
    if p.round == 0:
        p = replace(p, round=1)
    p = replace(p, deck=len(outcome), away=(), news=(*p.news, told.Shuffled(len(outcome))))
    return _deal(State(p, state.own, replace(hidden, deck=outcome)))


def _front(hidden: Hidden, number: int) -> Front:
    card = hidden.cards[number]
    joker = card.year is None
    return Front(number, card.front, "" if joker else card.field, joker)


def _around(p: Public) -> list[int]:
    """The seats clockwise from the starter."""
    return [((p.starter or 0) + i) % len(p.cards) for i in range(len(p.cards))]


def _deal(state: GameState) -> GameState:
    """Rules: Deal. Continues from where it stopped, and stops when the deck is empty, because a shuffle is due."""
    p, hidden = state.public, state.hidden
    cards, middle, deck = list(p.cards), p.middle, list(hidden.deck)
    dealt: list[tuple[int | None, Front]] = []
    for seat in (*_around(p), None):
        if (middle if seat is None else cards[seat]) is not None:
            continue
        if not deck:
            break
        front = _front(hidden, deck.pop(0))
        dealt.append((seat, front))
        if seat is None:
            middle = front
        else:
            cards[seat] = front
    done = middle is not None and None not in cards
    top = _front(hidden, deck[0]) if deck else None
    p = replace(p, cards=tuple(cards), middle=middle, deck=len(deck), top=top)
    if dealt:
        p = replace(p, news=(*p.news, told.Dealt(p.round, tuple(dealt), top)))
    if done:
        p = replace(p, phase="swap", turn=p.starter)
    return State(p, state.own, replace(hidden, deck=tuple(deck)))


def to_act(public: Public) -> tuple[int, ...]:
    return () if public.turn is None else (public.turn,)


def legal(view: GameView) -> tuple[Action, ...]:
    p = view.public
    if view.seat is None or view.seat != p.turn:
        return ()
    patterns = [number for number, left in enumerate(p.stones[p.turn], start=1) if left]
    match p.phase:
        case "swap":
            return (Keep(), Swap())
        case "take":
            return (TakeBonus(), LeaveBonus())
        case "place":
            places = [Place(k, row, column) for row, column in fields(p) for k in patterns]
            return tuple(places) or (Skip(),)
        case "bonus":
            own = p.placed[-1].column
            places = [Bonus(row, column) for row, column in fields(p) if column != own]
            return (*places, NoBonus())
        case _:
            return tuple(Replace(k) for k in patterns)


def fields(p: Public) -> list[tuple[int, int]]:
    """The fields where a stone may go now, by column."""
    free: list[list[int]] = [[*ROWS] for _ in p.periods]
    for stone in p.board + p.placed:
        free[stone.column].remove(stone.row)
    return [(row, column) for column, rows in enumerate(free) for row in open_rows(rows, p.round)]


def apply(state: GameState, seat: int, action: Action) -> GameState:
    p = state.public
    if seat != p.turn:
        raise Illegal("It is not your turn.")
    kinds, asked, do = _ASKED[p.phase]
    if not isinstance(action, kinds):
        raise Illegal(asked)
    return do(state, seat, action)  # each action tells its own news


def _with(state: GameState, p: Public, **changes: object) -> GameState:
    return State(replace(p, **changes) if changes else p, state.own, state.hidden)


def _swap(state: GameState, seat: int, action: Keep | Swap) -> GameState:
    """Rules: Swap. The first to swap gets the bonus stone. If nobody did, the last is asked."""
    p = state.public
    if isinstance(action, Swap):
        first = p.bonus is None
        cards = (*p.cards[:seat], p.middle, *p.cards[seat + 1 :])
        p = replace(p, cards=cards, middle=p.cards[seat], news=(told.Swapped(seat, first),))
        if first:
            p = replace(p, bonus=seat, bonus_last=seat)
    else:
        p = replace(p, news=(told.Kept(seat),))
    following = (seat + 1) % len(p.cards)
    if following != p.starter:
        return _with(state, p, turn=following)
    if p.bonus is None:
        return _with(state, p, phase="take")
    return _with(state, p, phase="place", turn=p.starter)


def _take(state: GameState, seat: int, action: TakeBonus | LeaveBonus) -> GameState:
    p = replace(state.public, phase="place", turn=state.public.starter)
    if isinstance(action, TakeBonus):
        return _with(state, p, bonus=seat, bonus_last=seat, news=(told.TookBonus(seat),))
    return _with(state, p, news=(told.LeftBonus(seat),))


def _place(state: GameState, seat: int, action: Place | Skip) -> GameState:
    """Rules: Place. The holder of the bonus stone is asked for it next, but not after a skip: without a field for the
    own stone, there is none for the bonus stone.
    """
    p = state.public
    if isinstance(action, Skip):
        if fields(p):
            raise Illegal("There is still a free field. Place your stone.")
        return _next_to_place(_with(state, p, news=(told.Skipped(seat),)))
    _check_pattern(p, seat, action.pattern)
    _check_field(p, action.row, action.column)
    stone = Stone(action.row, action.column, seat, action.pattern)
    news = (told.Placed(stone, p.periods[stone.column].name),)
    p = replace(p, stones=_spend(p, seat, action.pattern), placed=(*p.placed, stone), news=news)
    return _with(state, p, phase="bonus") if p.bonus == seat else _next_to_place(_with(state, p))


def _bonus(state: GameState, seat: int, action: Bonus | NoBonus) -> GameState:
    p = state.public
    if isinstance(action, NoBonus):
        return _next_to_place(_with(state, p, news=(told.HeldBack(seat),)))
    if action.column == p.placed[-1].column:
        raise Illegal("Place the bonus stone in a different column from your own stone.")
    _check_field(p, action.row, action.column)
    stone = Stone(action.row, action.column, seat, None)
    news = (told.Placed(stone, p.periods[stone.column].name),)
    return _next_to_place(_with(state, p, placed=(*p.placed, stone), news=news))


def _replace(state: GameState, seat: int, action: Replace) -> GameState:
    p = state.public
    _check_pattern(p, seat, action.pattern)
    stone = replace(p.placed[0], pattern=action.pattern)
    p = replace(p, stones=_spend(p, seat, action.pattern), board=tuple(sorted((*p.board, stone))))
    return _put_away(_with(state, p, placed=(), news=(told.Replaced(stone, p.periods[stone.column].name),)))


_ASKED: dict[str, tuple[tuple[type, ...], str, Callable[..., GameState]]] = {
    "swap": ((Keep, Swap), N_("Keep your card or swap it."), _swap),
    "take": ((TakeBonus, LeaveBonus), N_("Take the bonus stone or leave it."), _take),
    "place": ((Place, Skip), N_("Place one of your stones."), _place),
    "bonus": ((Bonus, NoBonus), N_("Place the bonus stone or go on without it."), _bonus),
    "replace": ((Replace,), N_("Choose the stone that replaces the bonus stone."), _replace),
}


def _check_pattern(p: Public, seat: int, pattern: int) -> None:
    if not 1 <= pattern <= len(p.stones[seat]):
        raise Illegal("There are only the patterns p1 to p{last}.", last=len(p.stones[seat]))
    if not p.stones[seat][pattern - 1]:
        raise Illegal("You have no stones left with the pattern p{pattern}.", pattern=pattern)


def _check_field(p: Public, row: int, column: int) -> None:
    if row not in ROWS or not 0 <= column < len(p.periods):
        raise Illegal("The board has 6 rows and {columns} columns.", columns=len(p.periods))
    occupying = p.board + p.placed
    free = free_rows(occupying, column)
    if not free:
        raise Illegal("This column is full. Choose another one.")
    if row not in free:
        raise Illegal("This field is occupied. Choose another one.")
    allowed = rows_for(occupying, column, p.round)
    if row not in allowed and allowed[0] <= p.round:
        raise Illegal("Row {row} is not open yet. The last open row is row {last}.", row=row, last=p.round)
    if row not in allowed:
        raise Illegal("All open rows of this column are taken. Choose row {row}.", row=allowed[0])


def _spend(p: Public, seat: int, pattern: int) -> tuple[tuple[int, ...], ...]:
    """The stones left after this seat has placed one of this pattern."""
    left = list(p.stones[seat])
    left[pattern - 1] -= 1
    return (*p.stones[:seat], tuple(left), *p.stones[seat + 1 :])


def _next_to_place(state: GameState) -> GameState:
    p = state.public
    following = ((p.turn or 0) + 1) % len(p.cards)
    return _reveal(state) if following == p.starter else _with(state, p, phase="place", turn=following)


def _reveal(state: GameState) -> GameState:
    """Rules: Reveal. Right stones go to the board, wrong ones are spent, a right bonus stone is replaced."""
    p, hidden = state.public, state.hidden
    revealed = []
    right: list[Stone] = []
    wrong: list[Stone] = []
    for seat, front in ((seat, p.cards[seat]) for seat in _around(p)):
        assert front is not None
        card = hidden.cards[front.card]
        column = column_of(p.periods, card.year)
        stones = tuple(stone for stone in p.placed if stone.seat == seat)
        back = (card.year, card.who, card.place, card.comment, card.source, column, p.periods[column].name)
        revealed.append(told.Revealed(seat, front, *back, stones, card.corrected))
        for stone in stones:
            (right if stone.column == column else wrong).append(stone)
    own = [stone for stone in right if stone.pattern is not None]
    p = replace(
        p,
        board=tuple(sorted((*p.board, *own))),
        spent=(*p.spent, *(stone for stone in wrong if stone.pattern is not None)),
        placed=tuple(stone for stone in right if stone.pattern is None),
        revealed=tuple(revealed),
        news=(*p.news, *revealed),
    )
    if p.placed and any(p.stones[p.placed[0].seat]):
        return _with(state, p, phase="replace", turn=p.placed[0].seat)
    return _put_away(_with(state, p, placed=()))


def column_of(periods: tuple[Period, ...], year: int | None) -> int:
    """The column of a year; for a joker the last one, the future."""
    for column, period in enumerate(periods):
        if period.end is not None and year is not None and year <= period.end:
            return column
    return len(periods) - 1


def _put_away(state: GameState) -> GameState:
    """Return the bonus stone, put the cards away, check for the end, and deal the next round."""
    p, hidden = state.public, state.hidden
    away = tuple(card.card for seat in _around(p) if (card := p.cards[seat]))
    p = replace(p, bonus=None, cards=(None,) * len(p.cards), away=p.away + away, turn=None)
    if p.options.middle_card == "fresh" and p.middle is not None:
        alone = p.deck == 0
        hidden = replace(hidden, deck=(*hidden.deck, p.middle.card))
        p = replace(p, deck=p.deck + 1, top=p.middle if alone else p.top, middle=None)
        p = replace(p, news=(*p.news, told.PutUnder(_front(hidden, hidden.deck[-1]), alone)))
    end = _end(p)
    if end is not None:
        return State(replace(p, phase="over", news=(*p.news, told.Ended(end))), state.own, hidden)
    # to the left of the last holder of the bonus stone, or of the last starter without one
    last = p.starter if p.bonus_last is None else p.bonus_last
    starter = ((last or 0) + 1) % len(p.cards)
    return _deal(State(replace(p, round=p.round + 1, starter=starter, phase="deal"), state.own, hidden))


def _end(p: Public) -> str | None:
    """The first reason to end that applies after a round."""
    if any(covers_rows(stone for stone in p.board if stone.seat == seat) for seat in range(len(p.cards))):
        return "rows-complete"
    if not all(any(left) for left in p.stones):
        return "no-stones"
    if len(p.board) == len(ROWS) * len(p.periods):
        return "board-full"
    return None


def scores(public: Public) -> tuple[Parts, ...]:
    """Every seat's score by parts, on the current board."""
    mine = [[stone for stone in public.board if stone.seat == seat] for seat in range(len(public.cards))]
    return tuple(score(stones, len(public.periods)) for stones in mine)


def result(public: Public) -> Result | None:
    end = _end(public) if public.phase == "over" else None
    if end is None:
        return None
    return Result(standings(public), tuple(parts.total for parts in scores(public)), end)


def standings(public: Public) -> tuple[tuple[int, ...], ...]:
    """The most points first, on the current board."""
    totals = [parts.total for parts in scores(public)]
    places = sorted(set(totals), reverse=True)
    return tuple(tuple(seat for seat, total in enumerate(totals) if total == points) for points in places)


def lap(public: Public) -> int:
    """The number of the round."""
    return public.round
