"""All four games: how much is luck, how much is knowledge and skill?

The best bots of each game play against its other levels, two at a table, and against one without judgement. Alone, in
Adaman, both play the same deals. From how often the best one wins a game follows how likely it is ahead after so many
games: the sooner, the less is luck. Games are taken as independent of each other, as they are.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import count, islice

from spieltisch import games
from spieltisch.decks.findings import Message, message, say
from spieltisch.i18n import N_
from spieltisch.study.figures import Mean
from spieltisch.study.questions.question import MANY, Finding, Question, Table, Values, Words, shares
from spieltisch.study.report import Picture, drawn, panels
from spieltisch.study.series import RANDOM, load, one_game, series

GAMES: Mapping[str, tuple[str, dict[str, object], str, tuple[str, ...]]] = {
    "Anno Domini": ("anno-domini", {"max_rounds": 100}, "chronicler", ("connoisseur", "novice", RANDOM)),
    "Trailblaze": ("trailblaze", {}, "chronicler", ("connoisseur", "novice", RANDOM)),
    N_("hic – haec – hoc, strict"): ("hic-haec-hoc", {}, "grammaticus", ("magister", "discipula")),
    N_("hic – haec – hoc, assisted"): (
        "hic-haec-hoc", {"mode": "assisted"}, "grammaticus", ("magister", "discipula", RANDOM),
    ),
    "Adaman": ("adaman", {}, "coach", ("hint", "thumb", RANDOM)),
}  # fmt: skip
SLOW, SELDOM = "hint", 4  # who thinks long plays every fourth deal
WINS, SHARED = N_("Games the best bot wins; ties count half"), N_("Games with no single winner")
AHEAD, UNTIL = N_("Ahead after ten games"), N_("Games until the best bot leads 19 times in 20")
SURE, TEN, AFTER = 0.95, 10, (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100)


def play(seed: int, number: int) -> Values:
    """A game of each best bot against each other one; in Adaman the same deal for all."""
    values: Values = {WINS: {}, SHARED: {}}
    for name, (game, options, best, others) in GAMES.items():
        alone: float | None = None
        for other in others:
            if other == SLOW and number % SELDOM:
                continue
            if game == "adaman":
                alone = _wins(game, (best,), seed, number, options) if alone is None else alone
                won = (1 + alone - _wins(game, (other,), seed, number, options)) / 2
            else:
                won = _wins(game, (best, other), seed, number, options)
            case = str(_case(name, other))
            values[WINS][case] = [won]
            values[SHARED][case] = [float(won == 0.5)]
    return values


def _wins(game: str, bots: tuple[str, ...], seed: int, number: int, options: dict[str, object]) -> float:
    found = series(game, bots, seed, options)
    played = one_game(found, number, *load(found))
    assert played.wins is not None
    return played.wins[played.bots.index(0)]


def _case(name: str, other: str) -> Message:
    return message("{game}: {against}", game=message(name), against=_against(name, other))


def _best(name: str) -> Message:
    return message("{game}: the {bot}", game=message(name), bot=_label(name, GAMES[name][2]))


def _against(name: str, other: str) -> Message:
    return message("against random play") if other == RANDOM else message("against the {bot}", bot=_label(name, other))


def _label(name: str, level: str) -> Message:
    return message(games.package(GAMES[name][0]).bot.levels[level])


def ahead(win: float, shared: float) -> Iterator[float]:
    """How likely one is ahead after one game, two, and so on, being even counted half: who wins so great a share of
    them (shared ones half), of which so many are shared.
    """
    tie = min(shared, 2 * win, 2 - 2 * win)
    lost, won = 1 - win - tie / 2, win - tie / 2
    chances = [1.0]  # of so many half games won
    for played in count(1):
        once, twice = [0.0, *chances, 0.0], [0.0, 0.0, *chances]
        rows = zip([*chances, 0.0, 0.0], once, twice, strict=True)
        chances = [lost * none + tie * half + won * whole for none, half, whole in rows]
        yield math.fsum(chances[played + 1 :]) + chances[played] / 2


def until(win: float, shared: float) -> float:
    """After how many games one is so likely ahead; infinite where that is more than `MANY`."""
    found = enumerate(islice(ahead(win, shared), MANY), 1)
    return float(next((played for played, sure in found if sure >= SURE), math.inf))


def derive(found: Sequence[Finding]) -> list[Finding]:
    """What follows from the shares of games won, at the ends of their intervals, too."""
    shared = dict(shares(found, SHARED))
    after, enough = [], []
    for case, won in shares(found, WINS):
        ties = shared[case].mean
        ends = (won.mean, won.low, won.high)
        after.append(Finding(AHEAD, case, "share", won.n, *(round(_after(end, ties)[TEN], 6) for end in ends)))
        mean, most, least = (until(end, ties) for end in ends)
        enough.append(Finding(UNTIL, case, "count", won.n, mean, least, most))
    return [*after, *enough]


def _draw(found: Sequence[Finding], words: Words) -> Picture:
    won, shared = dict(shares(found, WINS)), dict(shares(found, SHARED))
    curves = {
        say(_best(name), words.lang): {
            say(_against(name, other), words.lang): _curve(won[case], shared[case].mean)
            for other in others
            if (case := str(_case(name, other))) in won
        }
        for name, (*_, others) in GAMES.items()
    }
    return drawn(words(N_("How likely the best bot leads, by number of games")), "panels", panels(curves, AFTER))


def _after(win: float, shared: float) -> dict[int, float]:
    sure = enumerate(islice(ahead(win, shared), AFTER[-1]), 1)
    return {played: one for played, one in sure if played in AFTER}


def _curve(won: Mean, shared: float) -> list[Mean]:
    ends = [_after(end, shared) for end in (won.mean, won.low, won.high)]
    return [Mean(*(end[played] for end in ends), won.n) for played in AFTER]


_CASES = tuple(_case(name, other) for name, (*_, others) in GAMES.items() for other in others)
_NAMES = tuple(map(str, _CASES))

QUESTION = Question(
    "skill",
    N_("All four games: how much is luck, how much is knowledge and skill?"),
    150,
    (Table(WINS, "share", _NAMES), Table(SHARED, "share", _NAMES)),
    play,
    _draw,
    derive,
    _CASES,
)
