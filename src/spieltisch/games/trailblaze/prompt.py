"""How Trailblaze is told to a language model: columns are numbered from 1 on, as rows are, and patterns have names."""

from collections.abc import Sequence

from spieltisch import package
from spieltisch.games.trailblaze import rules
from spieltisch.games.trailblaze.news import Front
from spieltisch.games.trailblaze.page import PATTERNS
from spieltisch.games.trailblaze.state import (
    Action,
    Bonus,
    GameState,
    GameView,
    Hidden,
    Keep,
    LeaveBonus,
    NoBonus,
    Options,
    Own,
    Place,
    Public,
    Replace,
    Skip,
    Swap,
    TakeBonus,
)
from spieltisch.i18n import N_, Translator
from spieltisch.package import Judged

RULES = N_(
    "This is Trailblaze: when was a woman the first to do it? The board has six rows and a column for each"
    " period. Cards show what was achieved; everybody sees all of them, and nobody sees a year. A joker shows"
    " what only men have done so far, and belongs in the last column, the future.\n"
    "In a round, everybody gets a card, and one more lies in the middle with the bonus stone. In turn you"
    " keep your card or swap it with the one in the middle; the first to swap gets the bonus stone. Then"
    " everybody places a stone in the column where they think that their card belongs. In round 1 row 1 is"
    " open, in round 2 rows 1 and 2, and so on. The holder of the bonus stone may place it in another column.\n"
    "Then the cards are turned over. A right stone stays, a wrong one is spent, and a right bonus stone is"
    " replaced by one of your own. A right stone counts as many points as its row. The pattern that you have"
    " most often counts once more. A stone in every row brings {full} points, a stone in every column as many."
    " The game ends when somebody has a stone in every row or no stone left, or when the board is full. The"
    " most points win."
)


class Prompt(package.Prompt[Options, Public, Own, Hidden, Action]):
    """The game in text alone."""

    listed = False

    def rules(self, _options: Options, tr: Translator, /) -> str:
        return tr._(RULES).format(full=5)

    def ask(self, view: GameView, tr: Translator, /) -> Sequence[str]:
        p, seat = view.public, view.seat
        assert seat is not None
        card, left = p.cards[seat], p.stones[seat]
        stones = ", ".join(f"{tr._(PATTERNS[n])} {count}" for n, count in enumerate(left, 1))
        own = [
            tr._("You are {name}, in round {n}.").format(name=tr.name(seat), n=p.round),
            tr._("Your card: {card}").format(card=_said(card, tr)),
            tr._("Your stones left: {stones}").format(stones=stones),
            tr._("In the middle: {card}").format(card=_said(p.middle, tr)),
        ]
        parts = ["\n".join(own), "\n".join([tr._("Columns:"), *_columns(p, tr)]), _asked(p, tr)]
        points = ", ".join(f"{tr.name(one)} {part.total}" for one, part in enumerate(rules.scores(p)))
        others = [tr.labelled(tr.name(one), _said(front, tr)) for one, front in enumerate(p.cards) if one != seat]
        return ["\n\n".join(parts), tr._("Points: {points}").format(points=points), "\n".join(others)]

    def claim(self, view: GameView, tr: Translator, /) -> str:
        return tr._("that your card belongs in the column you name") if view.public.phase == "place" else ""

    def write(self, _view: GameView, action: Action, tr: Translator, /) -> str:
        match action:
            case Place(pattern, row, column):
                said = tr._("place {pattern} in column {column} row {row}")
                return said.format(pattern=tr._(PATTERNS[pattern]), column=column + 1, row=row)
            case Bonus(row, column):
                return tr._("bonus in column {column} row {row}").format(column=column + 1, row=row)
            case Replace(pattern):
                return tr._("replace with {pattern}").format(pattern=tr._(PATTERNS[pattern]))
        return tr._(_WORDS[type(action)])

    def judge(self, state: GameState, seat: int, action: Action, /) -> Judged | None:
        card = state.public.cards[seat]
        if not isinstance(action, Place) or card is None:
            return None
        column = rules.column_of(state.public.periods, state.hidden.cards[card.card].year)
        return Judged(action.column == column, checked=True)


_WORDS: dict[type, str] = {
    Keep: N_("keep"),
    Swap: N_("swap"),
    TakeBonus: N_("take the bonus stone"),
    LeaveBonus: N_("leave the bonus stone"),
    Skip: N_("place nothing"),
    NoBonus: N_("no bonus"),
}
_ASKS = {
    "swap": N_("Write “keep” or “swap”."),
    "take": N_("Write “take the bonus stone” or “leave the bonus stone”."),
    "place": N_("Place a stone: “place {pattern} in column 2 row 1”. If no field is free: “place nothing”."),
    "bonus": N_("Place the bonus stone in another column: “bonus in column 3 row 1”, or write “no bonus”."),
    "replace": N_("Your bonus stone was right. Replace it: “replace with {pattern}”."),
}


def _asked(p: Public, tr: Translator) -> str:
    """What is to be done now."""
    return tr._(_ASKS[p.phase]).format(pattern=tr._(PATTERNS[1]))


def _said(front: Front | None, tr: Translator) -> str:
    if front is None:
        return "–"
    return tr._("{text} (joker)").format(text=front.text[tr.lang]) if front.joker else front.text[tr.lang]


def _columns(p: Public, tr: Translator) -> list[str]:
    """The columns, each with its period, the rows where a stone may go, and the stones that are right."""
    free: dict[int, list[int]] = {}
    for row, column in rules.fields(p):
        free.setdefault(column, []).append(row)
    lines = []
    for column, period in enumerate(p.periods):
        rows = ", ".join(map(str, free.get(column, ()))) or "–"
        words = tr._("{n}. {period}: rows {rows}").format(n=column + 1, period=period.name[tr.lang], rows=rows)
        stand = [f"{stone.row} {tr.name(stone.seat)}" for stone in p.board if stone.column == column]
        lines.append(words + (f" ({', '.join(stand)})" if stand else ""))
    return lines
