"""Anno Domini: how much is it worth to sit first, and do fewer cards for those who come later even it out?"""

from collections.abc import Mapping, Sequence

from spieltisch.study.questions.question import Finding, Question, Table, Values, shares
from spieltisch.study.report import Picture, bars, drawn
from spieltisch.study.series import load, one_game, series

LEVEL = "chronicler"
RULES, LAST_TWO = "by the rules", "the last two with one card less"
LESS = 8  # cards, where all others have nine
VARIANTS: Mapping[tuple[int, str], tuple[int, ...]] = {
    (2, RULES): (),
    (3, RULES): (),
    (4, RULES): (),
    (6, RULES): (),
    (2, "the last with one card less"): (1,),
    (4, "the last with one card less"): (3,),
    (4, LAST_TWO): (2, 3),
    (4, "all but the first with one card less"): (1, 2, 3),
}
"""By players and what it is called: which seats begin with a card less."""


def play(seed: int, number: int) -> Values:
    """A game of each variant, of bots that are alike."""
    values: Values = {}
    for (seats, name), less in VARIANTS.items():
        options: dict[str, object] = {"max_rounds": 100}
        if less:
            options["fewer_cards"] = {str(seat): LESS for seat in less}
        found = series("anno-domini", (LEVEL,) * seats, seed, options)
        played = one_game(found, number, *load(found))
        assert played.wins is not None
        values[title(seats, name)] = {case: [win] for case, win in zip(_cases(seats), played.wins, strict=True)}
    return values


def title(seats: int, name: str) -> str:
    return f"Wins by seat, {seats} players, {name}"


def _cases(seats: int) -> tuple[str, ...]:
    return tuple(f"seat {number}" for number in range(1, seats + 1))


def _draw(found: Sequence[Finding]) -> Picture:
    rows = [
        (f"{case}, {kind}", mean)
        for name, kind in ((RULES, "rules"), (LAST_TWO, "variant"))
        for case, mean in shares(found, title(4, name))
    ]
    return drawn(f"Anno Domini, four players: wins by seat; variant: {LAST_TWO}", "bars", bars(rows, 0.25))


QUESTION = Question(
    "seats",
    "Anno Domini: how much is it worth to sit first, and does one card less for the others even it out?",
    400,
    tuple(Table(title(*one), "share", _cases(one[0])) for one in VARIANTS),
    play,
    _draw,
)
