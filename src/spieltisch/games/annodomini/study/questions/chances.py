"""Anno Domini: do the bots' chances come true?

Four bots of one level play; at other tables one of them sits with three of another level. Whenever a bot may doubt, it
states how likely the chain is wrong, and the true dates show whether it is. Of 100 claims of about 70 %, 70 should be
true.
"""

from collections.abc import Sequence
from itertools import permutations
from typing import Any

from msgspec import Struct

from spieltisch.decks.findings import Message, message
from spieltisch.game import aliased
from spieltisch.games.annodomini.beliefs import LEVELS, BeliefSet
from spieltisch.games.annodomini.bot import weighed
from spieltisch.games.annodomini.cards import wrong_pairs
from spieltisch.games.annodomini.state import Doubt, GameView
from spieltisch.i18n import N_
from spieltisch.study.questions.question import Finding, Question, Table, Values, Words, bar_chart, shares
from spieltisch.study.report import Picture
from spieltisch.study.series import Choose, laid, load, one_game, series

SEATS, ROUNDS = 4, 100
CLAIMS = tuple(f"{low}–{low + 10} %" for low in range(0, 100, 10))
BRIER = N_("Brier score (perfect: 0 %)")
MIXED_BRIER = N_("Brier score at mixed tables (perfect: 0 %)")
MIXED = [(one, *[other] * (SEATS - 1)) for one, other in permutations(LEVELS, 2)]


def play(seed: int, number: int) -> Values:
    """The claims of bots of each level in a game of each kind of table, and which come true."""
    values: Values = {BRIER: {}, MIXED_BRIER: {}}
    mixed = [one for table in MIXED for one in claimed(table, seed, number)]
    for level, name in LEVELS.items():
        alone = [(claim, wrong) for _, claim, wrong in claimed((level,) * SEATS, seed, number)]
        among = [(claim, wrong) for by, claim, wrong in mixed if by == level]
        for brier, titles, claims in ((BRIER, ALONE, alone), (MIXED_BRIER, AMONG, among)):
            values[brier][name] = [round((claim - wrong) ** 2, 6) for claim, wrong in claims]
            said, true, often = (str(title(name)) for title in titles)
            bins = [min(int(10 * claim), 9) for claim, _ in claims]
            for at, case in enumerate(CLAIMS):
                of = [one for one, its in zip(claims, bins, strict=True) if its == at]
                values.setdefault(said, {})[case] = [round(claim, 6) for claim, _ in of]
                values.setdefault(true, {})[case] = [float(wrong) for _, wrong in of]
                values.setdefault(often, {})[case] = [float(its == at) for its in bins]
    return values


def claimed(levels: Sequence[str], seed: int, number: int) -> list[tuple[str, float, bool]]:
    """For each possible doubt: the bot's level, how likely it says that the chain is wrong, and whether it is."""
    return [
        (beliefs.level, weighed(view, beliefs)[-1].wrong, wrong)
        for view, beliefs, wrong in chances_to_doubt(levels, seed, number)
    ]


def chances_to_doubt(levels: Sequence[str], seed: int, number: int) -> list[tuple[GameView, BeliefSet, bool]]:
    """What a bot sees and believes whenever it may doubt, in a game among bots of these levels, and whether the chain
    is wrong.
    """
    found = series("anno-domini", levels, seed, {"max_rounds": ROUNDS})
    package, options, deck = load(found)
    cards = aliased(*laid(found, number, deck)).cards
    seen: list[tuple[GameView, BeliefSet, bool]] = []

    def habit(view: Any, legal: Sequence[Struct], beliefs: Any, choose: Choose) -> Struct:
        if Doubt() in legal:
            wrong = wrong_pairs(tuple(cards[one.card.number].span for one in view.public.chain))
            seen.append((view, beliefs, bool(wrong)))
        return choose(view, legal)

    one_game(found, number, package, options, deck, habits=dict.fromkeys(range(len(levels)), habit))
    return seen


def told(name: str) -> Message:
    return message("What the {name} claims", name=message(name))


def true(name: str) -> Message:
    return message("What comes true of the {name}’s claims", name=message(name))


def often(name: str) -> Message:
    return message("How often the {name} claims so", name=message(name))


def among_told(name: str) -> Message:
    return message("What the {name} claims at mixed tables", name=message(name))


def among_true(name: str) -> Message:
    return message("What comes true of the {name}’s claims at mixed tables", name=message(name))


def among_often(name: str) -> Message:
    return message("How often the {name} claims so at mixed tables", name=message(name))


ALONE, AMONG = (told, true, often), (among_told, among_true, among_often)
TITLES = [title(name) for titles in (ALONE, AMONG) for name in LEVELS.values() for title in titles]


def _draw(found: Sequence[Finding], words: Words) -> Picture:
    rows = [
        (f"{words(name)}: {case}", mean) for name in LEVELS.values() for case, mean in shares(found, str(true(name)))
    ]
    return bar_chart(N_("Anno Domini: wrong chains, by how likely bots think so"), rows, 0.5, words)


QUESTION = Question(
    "chances",
    N_("Anno Domini: do the bots’ chances come true?"),
    100,
    (
        *(Table(str(title), "share", CLAIMS) for title in TITLES),
        *(Table(title, "share", tuple(LEVELS.values())) for title in (BRIER, MIXED_BRIER)),
    ),
    play,
    _draw,
    put_together=tuple(TITLES),
)
