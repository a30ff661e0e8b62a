"""All four games: how much is luck, how much is knowledge and skill?

The best bots of each game play against its other levels and against random play, two at a table. They play duplicates:
each deal with either of them on either seat, and each of these games twice, with other dice for their choices. So the
variance of winning splits into three parts: the deal with the seat, the player, and the choices. A bot keeps its
beliefs. In Adaman, a game for one, both play the same two deals.

How often the best bot wins a game decides how likely it is ahead after several games. The fewer it needs, the less luck
there is. This treats games as independent, as they are if each has a deal of its own.
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
from spieltisch.study.series import RANDOM, Again, Series, load, one_game, series

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
DEAL, PLAYER = N_("Luck: the deal and the seat"), N_("Knowledge and skill: who plays")
CHOICES = N_("Chance in the choices: the same tried again")
PARTS = DEAL, PLAYER, CHOICES
WHOLE = "the variance of winning"  # of which the parts are told; no table of its own
SURE, TEN, AFTER = 0.95, 10, (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100)

Tries = tuple[float, float]
"""Results of the same deal, seats and players, tried twice with other dice for the choices."""


def play(seed: int, number: int) -> Values:
    """Play duplicates of each best bot and each other one; in Adaman the same two deals for all."""
    values: Values = {title: {} for title in (WINS, SHARED, WHOLE, *PARTS)}
    for name, (game, options, best, others) in GAMES.items():
        alone: tuple[Tries, Tries] | None = None
        for other in others:
            if other == SLOW and number % SELDOM:
                continue
            if game == "adaman":
                alone = alone or _alone(best, seed, number, options)
                wins, parts = _beside(alone, _alone(other, seed, number, options))
            else:
                wins, parts = _against_each_other(game, (best, other), seed, number, options)
            case = str(_case(name, other))
            values[WINS][case] = wins
            values[SHARED][case] = [float(won == 0.5) for won in wins]
            values[WHOLE][case] = [math.fsum(parts)]
            for title, part in zip(PARTS, parts, strict=True):
                values[title][case] = [part]
    return values


def _against_each_other(
    game: str, bots: tuple[str, str], seed: int, number: int, options: dict[str, object]
) -> tuple[list[float], tuple[float, float, float]]:
    found = series(game, bots, seed, options)
    first, second = (_tries(found, number, turn) for turn in range(2))  # of seat 0: the best bot there, the other one
    # Over both seats and both players a win is worth a half in the mean, whatever the game.
    parts = split(_less(first, 0.5), _less(second, 0.5))
    return [*first, *(1 - won for won in second)], parts


def _alone(bot: str, seed: int, number: int, options: dict[str, object]) -> tuple[Tries, Tries]:
    """Return what a bot wins in two deals, each tried twice."""
    found = series("adaman", (bot,), seed, options)
    return _tries(found, 2 * number, 0), _tries(found, 2 * number + 1, 0)


def _beside(best: tuple[Tries, Tries], other: tuple[Tries, Tries]) -> tuple[list[float], tuple[float, float, float]]:
    """Compare two bots deal by deal: the one that wins more takes the deal, equal results share it."""
    wins = [(1 + one - two) / 2 for deal in zip(best, other, strict=True) for one, two in zip(*deal, strict=True)]
    # Deals are independent: the product of what is won in two of them is the square of the mean, in the mean.
    here, there = (math.fsum((*best[deal], *other[deal])) / 4 for deal in range(2))
    splits = [split(*deal, here * there) for deal in zip(best, other, strict=True)]
    deal, player, choices = (math.fsum(part) / 2 for part in zip(*splits, strict=True))
    return wins, (deal, player, choices)


def split(first: Tries, second: Tries, square: float = 0.0) -> tuple[float, float, float]:
    """Return how much of the variance comes from the deal with the seat, from the player, and from the choices.

    These are unbiased estimates from one deal. `first` and `second` are what a seat wins with either player on it,
    `square` is the square of the mean. Two tries of the same player share the deal and the player. Tries of two players
    share the deal, less the player.
    """
    same = (math.prod(first) + math.prod(second)) / 2
    across = math.fsum(first) * math.fsum(second) / 4
    each = math.fsum(won * won for won in (*first, *second)) / 4
    return (same + across) / 2 - square, (same - across) / 2, each - same


def _tries(found: Series, number: int, turn: int) -> Tries:
    one, two = (_won(found, number, Again(turn, attempt)) for attempt in range(2))
    return one, two


def _won(found: Series, number: int, again: Again) -> float:
    """Return what the first seat wins."""
    played = one_game(found, number, *load(found), again=again)
    assert played.wins is not None
    return played.wins[0]


def _less(tries: Tries, mean: float) -> Tries:
    return tries[0] - mean, tries[1] - mean


def _case(name: str, other: str) -> Message:
    return message("{game}: {against}", game=message(name), against=_against(name, other))


def _best(name: str) -> Message:
    return message("{game}: the {bot}", game=message(name), bot=_label(name, GAMES[name][2]))


def _against(name: str, other: str) -> Message:
    return message("against random play") if other == RANDOM else message("against the {bot}", bot=_label(name, other))


def _label(name: str, level: str) -> Message:
    return message(games.package(GAMES[name][0]).bot.levels[level])


def ahead(win: float, shared: float) -> Iterator[float]:
    """Yield how likely somebody is ahead after one game, two games, and so on. Being even counts half.

    `win` is their share of wins, with shared wins as halves; `shared` is the share of games that are shared.
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
    """Return after how many games somebody is ahead with probability SURE; infinite beyond MANY games."""
    found = enumerate(islice(ahead(win, shared), MANY), 1)
    return float(next((played for played, sure in found if sure >= SURE), math.inf))


def derive(found: Sequence[Finding]) -> list[Finding]:
    """Return the findings that follow from the shares of games won, with the ends of their intervals."""
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
    400,
    (
        Table(WINS, "share", _NAMES),
        *(Table(title, "share", _NAMES, over=WHOLE) for title in PARTS),
        Table(SHARED, "share", _NAMES),
    ),
    play,
    _draw,
    derive,
    _CASES,
)
