"""Anno Domini: how much better does a table order events than its best member?

Each member guesses the years of twenty events, like the game's bots. For every pair with a certain order, a guess is
right, wrong, or half right if both years are equal. The table's year is the median of its members' years. The best
member had the most right pairs among eighty other events, so it is known in advance.
"""

from collections.abc import Sequence
from itertools import combinations
from statistics import fmean, median

from spieltisch.bots import beliefs_of
from spieltisch.decks.dates import certainly_later
from spieltisch.decks.findings import Message, message
from spieltisch.decks.things import in_play
from spieltisch.dice import FastDice
from spieltisch.games.annodomini.beliefs import BeliefSet
from spieltisch.games.annodomini.events import Event, Events
from spieltisch.games.annodomini.state import Hidden
from spieltisch.i18n import N_
from spieltisch.study.questions.question import Finding, Question, Table, Values, Words, bar_chart, shares
from spieltisch.study.report import Picture
from spieltisch.study.series import key_of, load, series

EVENTS, BEFORE = 20, 80  # events to order; events that identify the best member
NOVICE, MIDDLE, BEST = "novice", "connoisseur", "chronicler"
TABLES = {
    N_("2 Connoisseurs"): (MIDDLE,) * 2,
    N_("3 Connoisseurs"): (MIDDLE,) * 3,
    N_("4 Connoisseurs"): (MIDDLE,) * 4,
    N_("6 Connoisseurs"): (MIDDLE,) * 6,
    N_("4 Novices"): (NOVICE,) * 4,
    N_("4 Chroniclers"): (BEST,) * 4,
    N_("2 Novices, a Connoisseur, a Chronicler"): (NOVICE, NOVICE, MIDDLE, BEST),
}
MEMBER, KNOWN = N_("a member"), N_("the best member")
AFTER, ALL = N_("the member who did best"), N_("the table")
GAIN = N_("Pairs the table gets right beyond its best member")
BEYOND = N_("Pairs the table gets right beyond a member")


def title(name: str) -> Message:
    return message("Pairs in the right order: {table}", table=message(name))


def play(seed: int, number: int) -> Values:
    """The same events for tables of each kind, each with its own members."""
    package, _, deck = load(series("anno-domini", (MIDDLE, MIDDLE), seed))
    assert isinstance(deck, Events)
    tag = f"{seed}/{number}/together"
    cards = FastDice(tag).shuffle(in_play(deck, key_of(tag)[:16]).cards)[: EVENTS + BEFORE]
    now, before = range(EVENTS), range(EVENTS, EVENTS + BEFORE)
    values: Values = {BEYOND: {}, GAIN: {}}
    hidden = Hidden(cards, ())
    for name, levels in TABLES.items():
        minds = [
            held.cards
            for seat, level in enumerate(levels)
            if isinstance(held := beliefs_of(package, hidden, key_of(f"{tag}/{name}"), seat, level), BeliefSet)
        ]
        years = [[belief.year for belief in mind] for mind in minds]
        right = [_right(cards, one, now) for one in years]
        known = max(range(len(years)), key=lambda member: _right(cards, years[member], before))
        table = _right(cards, [median(one) for one in zip(*years, strict=True)], now)
        seen = {MEMBER: fmean(right), KNOWN: right[known], AFTER: max(right), ALL: table}
        values[str(title(name))] = {case: [round(share, 6)] for case, share in seen.items()}
        values[GAIN][name] = [round(table - right[known], 6)]
        values[BEYOND][name] = [round(table - fmean(right), 6)]
    return values


def _right(cards: Sequence[Event], years: Sequence[float], which: range) -> float:
    """The share of pairs in the right order by these years, among pairs that have one."""
    found = []
    for one, other in combinations(which, 2):
        if certainly_later(cards[other].span, cards[one].span):
            found.append((years[one] < years[other]) + (years[one] == years[other]) / 2)
        elif certainly_later(cards[one].span, cards[other].span):
            found.append((years[other] < years[one]) + (years[one] == years[other]) / 2)
    return fmean(found)


_SHORT = {KNOWN: N_("best member"), ALL: N_("table")}  # beside bars


def _draw(found: Sequence[Finding], words: Words) -> Picture:
    rows = [
        (f"{name.partition(' ')[0]}: {words(_SHORT[case])}", mean)
        for name in TABLES
        if name.endswith("Connoisseurs")
        for case, mean in shares(found, str(title(name)))
        if case in _SHORT
    ]
    return bar_chart(N_("Pairs of events in the right order, by tables of 2 to 6 Connoisseurs"), rows, 0.5, words)


QUESTION = Question(
    "together",
    N_("Anno Domini: how much better does a table order events than its best member?"),
    1000,
    (
        Table(GAIN, "difference", tuple(TABLES)),
        Table(BEYOND, "difference", tuple(TABLES)),
        *(Table(str(title(name)), "share", (MEMBER, KNOWN, AFTER, ALL)) for name in TABLES),
    ),
    play,
    _draw,
    put_together=tuple(map(title, TABLES)),
)
