"""Anno Domini: how much is the first seat worth, and do fewer cards for later seats make up for it?"""

from collections.abc import Mapping, Sequence

from spieltisch.decks.findings import Message, message
from spieltisch.i18n import N_
from spieltisch.study.questions.question import Finding, Question, Table, Values, Words, bar_chart, shares
from spieltisch.study.report import Picture
from spieltisch.study.series import load, one_game, series

LEVEL = "chronicler"
RULES, LAST_TWO = N_("by the rules"), N_("the last two with one card less")
LESS = 8  # cards; all others have nine
VARIANTS: Mapping[tuple[int, str], tuple[int, ...]] = {
    (2, RULES): (),
    (3, RULES): (),
    (4, RULES): (),
    (6, RULES): (),
    (2, N_("the last with one card less")): (1,),
    (4, N_("the last with one card less")): (3,),
    (4, LAST_TWO): (2, 3),
    (4, N_("all but the first with one card less")): (1, 2, 3),
}
"""By number of players and name: the seats that begin with one card less."""


def play(seed: int, number: int) -> Values:
    """A game of each variant, with equal bots."""
    values: Values = {}
    for (seats, name), less in VARIANTS.items():
        options: dict[str, object] = {"max_rounds": 100}
        if less:
            options["fewer_cards"] = {str(seat): LESS for seat in less}
        found = series("anno-domini", (LEVEL,) * seats, seed, options)
        played = one_game(found, number, *load(found))
        assert played.wins is not None
        values[str(title(seats, name))] = {case: [win] for case, win in zip(_cases(seats), played.wins, strict=True)}
    return values


def title(seats: int, name: str) -> Message:
    return message("Wins by seat, {n} players, {variant}", n=seats, variant=message(name))


def _seat(number: int) -> Message:
    return message("seat {seat}", seat=number)


def _cases(seats: int) -> tuple[str, ...]:
    return tuple(str(_seat(number)) for number in range(1, seats + 1))


def _draw(found: Sequence[Finding], words: Words) -> Picture:
    rows = [
        (f"{words(case)}, {words(kind)}", mean)
        for name, kind in ((RULES, N_("rules")), (LAST_TWO, N_("variant")))
        for case, mean in shares(found, str(title(4, name)))
    ]
    caption = N_("Anno Domini, four players: wins by seat; variant: the last two with one card less")
    return bar_chart(caption, rows, 0.25, words)


QUESTION = Question(
    "seats",
    N_("Anno Domini: how much is it worth to sit first, and does one card less for the others even it out?"),
    400,
    tuple(Table(str(title(*one)), "share", _cases(one[0])) for one in VARIANTS),
    play,
    _draw,
    put_together=(*(title(*one) for one in VARIANTS), *map(_seat, range(1, 7))),
)
