"""The page, computed from a view: the cards of the round, the board, the last reveal, the score."""

from collections.abc import Mapping, Sequence

from spieltisch import package
from spieltisch.game import Invalid
from spieltisch.games.trailblaze import reveal, review, rules, stories
from spieltisch.games.trailblaze.board import ROWS, Parts, Stone
from spieltisch.games.trailblaze.bot import Thought
from spieltisch.games.trailblaze.debrief import debrief
from spieltisch.games.trailblaze.decisions import decisions
from spieltisch.games.trailblaze.firsts import Period
from spieltisch.games.trailblaze.news import News, Placed, Revealed, ending, in_words
from spieltisch.games.trailblaze.state import (
    Action,
    Bonus,
    GameView,
    Hidden,
    Keep,
    LeaveBonus,
    NoBonus,
    Own,
    Place,
    Public,
    Replace,
    Swap,
    TakeBonus,
)
from spieltisch.i18n import N_, Translator
from spieltisch.package import Pieces, Way, WayName

LABELS = {
    "middle_card": N_("Middle card"),
    "middle_card?": N_("Fresh: a new card each round. Stays: dealt once, then left there."),
    "middle_card:fresh": N_("fresh each round"),
    "middle_card:stays": N_("stays"),
    "patterns": N_("Patterns"),
    "patterns?": N_("How many patterns your twelve stones have."),
}
# No option makes a game shorter: four bots always play about 8 rounds with 77 decisions. A clock does.
WAYS: Mapping[WayName, Way] = {
    "quick": Way(words=N_("short thinking time"), turn_seconds=30.0),
    "classic": Way(words=N_("four patterns, a fresh middle card each round")),
    "children": Way(words=N_("without patterns, each right stone counts double"), options={"patterns": 1}),
}
ROMAN = ("", "I", "II", "III", "IV", "V", "VI")  # as on the board; sentences say "row 1"
PATTERNS = (
    "", N_("stripes"), N_("dots"), N_("ring"), N_("cross"), N_("bars"), N_("disc"),
    N_("chevrons"), N_("grid"), N_("saltire"), N_("triangle"), N_("square"), N_("waves"),
)  # fmt: skip


class Page(package.Page[Public, Own, Hidden, Action, News, Thought]):
    """Trailblaze's page and texts."""

    phrases = (
        N_("Hello, pioneers!"),
        N_("High time!"),
        N_("So late? Really?"),
        N_("So early? I am impressed."),
        N_("Sadly, I have never heard of her."),
        N_("She should be in every schoolbook."),
        N_("I would have guessed the same."),
        N_("That field was mine!"),
        N_("Nicely patterned!"),
        N_("One moment, I am thinking."),
        N_("Well done!"),
        N_("Thanks, I have learnt something."),
    )
    highlights = (Revealed,)
    reveal_seconds = staticmethod(reveal.seconds)
    labels = LABELS
    ways = WAYS
    first_seat_begins = False
    keys = ("places",)
    review_title = N_("Who thought what")
    has_missed = True
    has_mistakes = True
    chains = "firsts"
    hidden = staticmethod(review.hidden)
    missed = staticmethod(review.missed)
    debrief = staticmethod(debrief)
    decisions = staticmethod(decisions)
    review = staticmethod(review.review)
    has_stories = True
    stories = staticmethod(stories.stories)

    def prepare(self, view: GameView, legal: Sequence[Action], tr: Translator, pieces: Pieces) -> dict[str, object]:
        """The context of `table.html`, beyond the common one."""
        p, me = view.public, view.seat
        done = p.phase == "over"
        # a player sees the reveal until their answer in the next round, others until the first stone
        settled = done or p.phase in {"deal", "replace"}
        fresh = bool(p.revealed) and (settled or (p.phase in {"swap", "take"} and _waits(p, me)))
        places = [action for action in legal if isinstance(action, Place | Bonus)]
        left, points = [sum(stones) for stones in p.stones], [parts.total for parts in rules.scores(p)]
        context: dict[str, object] = {
            "phase": p.phase,
            "columns": [_head(period, number == len(p.periods) - 1, tr) for number, period in enumerate(p.periods)],
            "rows": _rows(p, me, places, tr, marked=fresh),
            "cards": [_card(p, seat, tr) for seat in _order(p, me)],
            "middle": reveal.front(p.middle, tr),
            "top": reveal.front(p.top, tr),
            "points": points,
            "left": left,
            "notes": [_note(*one, tr) for one in zip(left, points, strict=True)],
            "open": min(max(p.round, 1), 6),
            "picks": bool(places),
            "bonus_turn": p.phase == "bonus" and bool(legal),
            "without": legal[-1] if legal else None,
            "beyond": any(action.row > p.round for action in places),
            "patterns": _patterns(p, me, legal, tr),
            "reveal": reveal.shown(p, tr) if fresh else None,
            "verdict": reveal.verdict(p, me, tr) if fresh and p.phase != "replace" else None,
            "lands": not fresh and any(isinstance(one, Placed) for one in p.news),
            "just": self.is_marked(p.news),
            "own_card": reveal.front(p.cards[me], tr) if me is not None else None,
        }
        if done:
            context["score"] = _score(p, me, tr)
        elif p.board:
            scores = rules.scores(p)
            context["sums"] = [_sum(p, scores[seat], seat, tr) for seat in _order(p, me)]
        return context

    def screen(self, view: GameView, shown: dict[str, object], tr: Translator) -> dict[str, object]:
        """Further content of the public screen: the worth of a reveal."""
        p, gains = view.public, [0] * len(view.public.cards)
        for news in p.revealed:
            then, now = reveal.scored(p, news)
            gains[news.seat] = now.total - then.total
        return {
            "gains": gains,
            "choosing": p.phase in {"swap", "take"},
        }

    def read_action(self, form: Mapping[str, list[str]]) -> dict[str, object] | None:
        """A stone from the form: its pattern, and the field as `row,column`."""
        if form.get("type", [""])[-1] != "Place" or "row" in form:
            return None
        row, _, column = form.get("cell", [""])[-1].partition(",")
        pattern = form.get("pattern", [""])[-1]
        if not (f"{row}{column}".isascii() and row.isdecimal() and column.isdecimal() and len(column) < 5):
            raise Invalid("Choose a field first.")
        if not (pattern.isascii() and pattern.isdecimal() and len(pattern) < 3):
            raise Invalid("Choose a pattern first.")
        return {"type": "Place", "pattern": int(pattern), "row": int(row), "column": int(column)}

    def describe(self, view: GameView, action: Action, tr: Translator) -> str:
        """An action in words, with the period of the column and the pattern of the stone."""
        periods = view.public.periods
        match action:
            case Place(pattern, row, column):
                words = tr._("I place a stone ({pattern}): {period}, row {row}.")
                period = in_words(periods[column].name[tr.lang], tr)
                return words.format(pattern=tr._(PATTERNS[pattern]), period=period, row=row)
            case Bonus(row, column):
                words = tr._("I place the bonus stone: {period}, row {row}.")
                return words.format(period=in_words(periods[column].name[tr.lang], tr), row=row)
            case Replace(pattern):
                words = tr._("I replace the bonus stone with one of my stones ({pattern}).")
                return words.format(pattern=tr._(PATTERNS[pattern]))
            case Keep():
                return tr._("I keep my card.")
            case Swap():
                return tr._("I swap with the middle.")
            case TakeBonus():
                return tr._("I take the bonus stone.")
            case LeaveBonus():
                return tr._("I leave the bonus stone.")
            case NoBonus():
                return tr._("I do not place the bonus stone.")
        return tr._("I find no free field.")


def _waits(p: Public, me: int | None) -> bool:
    """Whether this seat has yet to answer in this phase of the round; always true for spectators."""
    if me is None or p.starter is None or p.turn is None:
        return True
    seats = len(p.cards)
    return (me - p.starter) % seats >= (p.turn - p.starter) % seats


def _note(left: int, points: int, tr: Translator) -> str:
    """What a seat has left, and what it has reached."""
    stones = tr.ngettext("{n} stone", "{n} stones", left).format(n=left)
    worth = tr.ngettext("{n} point", "{n} points", points).format(n=points)
    return tr._("{stones}, {points}").format(stones=stones, points=worth)


def _order(p: Public, me: int | None) -> list[int]:
    """The seats clockwise, the viewer's own first."""
    first = me if me is not None else (p.starter or 0)
    return [(first + i) % len(p.cards) for i in range(len(p.cards))]


def _head(period: Period, future: bool, tr: Translator) -> dict[str, object]:
    """A column's head in two lines: "1900–" over "1929"."""
    name = period.name[tr.lang]
    small, sign, big = name.partition("–")
    if not sign:
        small, _, big = name.rpartition(" ")
    if future:
        small, big = "→", name
    return {"name": name, "words": in_words(name, tr), "small": small + sign, "big": big, "future": future}


def _card(p: Public, seat: int, tr: Translator) -> dict[str, object]:
    return {"seat": seat, "front": reveal.front(p.cards[seat], tr), "bonus": p.bonus == seat}


def _rows(
    p: Public, me: int | None, places: Sequence[Place | Bonus], tr: Translator, *, marked: bool
) -> list[dict[str, object]]:
    """The board by rows: what lies where, and where the viewer may place."""
    newest = next(((one.stone.row, one.stone.column) for one in reversed(p.news) if isinstance(one, Placed)), None)
    lying = {(stone.row, stone.column): stone for stone in (*p.board, *p.placed)}
    spent = {(stone.row, stone.column): stone for stone in p.spent}
    open_for_me = {(action.row, action.column) for action in places}
    judged = {}  # what lay there, whether it was right, and when that is shown
    if marked:
        turns, _ = reveal.moments(len(p.revealed))
        for news, turned in zip(p.revealed, turns, strict=True):
            judged |= {(s.row, s.column): (s, s.column == news.column, turned + reveal.BREATH) for s in news.stones}
    rows: list[dict[str, object]] = []
    for row in ROWS:
        cells = []
        for column, period in enumerate(p.periods):
            at = (row, column)
            stone, turned = lying.get(at), spent.get(at)
            before, right, marked_at = judged.get(at, (stone, None, 0))
            pick = at in open_for_me
            place = tr._("Row {row}, {period}").format(row=row, period=in_words(period.name[tr.lang], tr))
            words = _words(stone, me, tr) if stone else _words(turned, me, tr, spent=True) if turned else ""
            cells.append({
                "column": column, "stone": stone, "spent": turned if stone is None else None, "words": words,
                "pick": pick, "place": place, "flag": right, "beyond": pick and row > p.round,
                "newest": at == newest, "marked": marked_at, "before": None if before == stone else before,
                "bonus": Bonus(row, column) if pick and p.phase == "bonus" else None,
                "future": column == len(p.periods) - 1,
            })  # fmt: skip
        worth = tr.ngettext("Row {row}, {n} point", "Row {row}, {n} points", row).format(row=row, n=row)
        rows.append({"row": row, "roman": ROMAN[row], "words": worth, "open": row <= p.round, "cells": cells})
    return rows


def _words(stone: Stone, me: int | None, tr: Translator, *, spent: bool = False) -> str:
    """A stone for those who cannot see it: "Mira, stripes"."""
    name = tr._("You") if stone.seat == me else tr.name(stone.seat)
    if spent:
        return tr._("{name}, turned over").format(name=name)
    if stone.pattern is None:
        return tr._("{name}, bonus stone").format(name=name)
    return f"{name}, {tr._(PATTERNS[stone.pattern])}"


def _patterns(p: Public, me: int | None, legal: Sequence[Action], tr: Translator) -> list[dict[str, object]]:
    """The stones to choose from, with the last pattern preselected."""
    offered = {action.pattern for action in legal if isinstance(action, Place | Replace)}
    if me is None or not offered:
        return []
    last = [s.pattern for news in p.revealed for s in news.stones if s.seat == me and s.pattern in offered]
    chosen = last[0] if last else min(offered)
    return [
        {"pattern": k, "left": left, "name": tr._(PATTERNS[k]), "chosen": k == chosen, "offered": k in offered}
        for k, left in enumerate(p.stones[me], start=1)
    ]


def _score(p: Public, me: int | None, tr: Translator) -> dict[str, object]:
    """The score as a sum to read aloud, for this seat or the best one."""
    scores = rules.scores(p)
    seat = me if me is not None else max(range(len(scores)), key=lambda i: scores[i].total)
    result = rules.result(p)
    whose = N_("points for you") if seat == me else N_("points for {name}")
    return _sum(p, scores[seat], seat, tr) | {
        "parts": scores,
        "end": ending(result.end, p, tr) if result else "",
        "total_words": tr._(whose).format(name=tr.name(seat)),
    }


def _sum(p: Public, parts: Parts, seat: int, tr: Translator) -> dict[str, object]:
    """The parts of this seat's score."""
    mine = [stone for stone in p.board if stone.seat == seat]
    n = len(mine)
    terms = [{"n": parts.stones, "words": tr.ngettext("{n} right stone", "{n} right stones", n).format(n=n), "step": 0}]
    if parts.pattern:
        best = _counted_again(mine, parts.pattern)
        sums = " + ".join(str(row) for row in sorted((s.row for s in mine if s.pattern == best), reverse=True))
        words = tr._("{pattern} once more: {sums}").format(pattern=tr._(PATTERNS[best]).capitalize(), sums=sums)
        terms.append({"n": parts.pattern, "words": words, "step": 1})
    if parts.rows:
        terms.append({"n": parts.rows, "words": tr._("a stone in every row"), "step": 2})
    if parts.columns:
        terms.append({"n": parts.columns, "words": tr._("a stone in every column"), "step": 3})
    whole = " + ".join(str(term["n"]) for term in terms)
    return {
        "seat": seat,
        "terms": terms,
        "total": parts.total,
        "aloud": tr._("{sum} is {total} points").format(sum=whole, total=parts.total),
    }


def _counted_again(mine: Sequence[Stone], worth: int) -> int:
    """The pattern that counted twice."""
    rows: dict[int, list[int]] = {}
    for stone in mine:
        rows.setdefault(stone.pattern or 0, []).append(stone.row)
    most = max(len(found) for found in rows.values())
    return next(k for k, found in sorted(rows.items()) if len(found) == most and sum(found) == worth)
