"""hic – haec – hoc: how often does a form’s ambiguity win?

Take a form with k cells, f of which fit on the top card. If its card stood for one cell only, it would fit with
probability f / k: there is a card for each cell, and cards written alike cannot be told apart. So a play owes 1 - f / k
of itself to ambiguity.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from spieltisch.games.hichaechoc.agreement import FITTING, as_bits, fitting_on_any
from spieltisch.games.hichaechoc.forms import Paradigm, shipped
from spieltisch.games.hichaechoc.state import Middle, Play, Public
from spieltisch.i18n import N_
from spieltisch.study.questions.question import Finding, Question, Table, Values, Words, bar_chart, shares
from spieltisch.study.report import Picture
from spieltisch.study.series import Choose, Habit, load, one_game, series

USUAL = "hic"
BEST = "grammaticus"
LAST = N_("Final plays that need an ambiguous form")
PLAYS = N_("Plays that need an ambiguous form")
DEALT = N_("Wins by dealt hand")
KNOWS = N_("Extra wins from using all cells of a form instead of one")
MORE, ONE = N_("more cells than the other’s"), N_("hic, Grammarian against Grammarian")
PARADIGMS = tuple(shipped())


def play(seed: int, number: int) -> Values:
    """A game of each paradigm, and one of `USUAL` with a first bot that uses only one cell of each form."""
    values: Values = {LAST: {}, PLAYS: {}, DEALT: {MORE: []}, KNOWS: {}}
    usual = 0.0
    for paradigm in PARADIGMS:
        owed, wins, cells, end = _game(seed, number, paradigm)
        if owed:
            values[PLAYS][paradigm] = owed
            if end == "out-of-cards":
                values[LAST][paradigm] = owed[-1:]
        if cells[0] != cells[1]:
            values[DEALT][MORE].append(wins[cells[1] > cells[0]])
        if paradigm == USUAL:
            usual = wins[0]
    _, wins, *_ = _game(seed, number, USUAL, _one_cell)
    values[KNOWS][ONE] = [usual - wins[0]]
    return values


def _game(
    seed: int, number: int, paradigm: str, habit: Habit | None = None
) -> tuple[list[float], tuple[float, float], tuple[int, int], str]:
    """Results of a game: what each play owed to ambiguity, each bot's wins, the cells of its hand, the end. `habit` is
    the first bot's.
    """
    found = series("hic-haec-hoc", (BEST, BEST), seed, {"paradigm": paradigm})
    package, options, deck = load(found)
    assert isinstance(deck, Paradigm)
    forms = deck.forms()
    cells = {form: as_bits(i for i, other in enumerate(forms) if other == form) for form in forms}
    dealt, owed, middle = [0, 0], list[float](), [Middle()]

    def watch(public: Public) -> None:
        was, now = middle[0], public.middle
        middle[0] = now
        if len(now.played) > len(was.played) and was.top is not None and now.top is not None:
            own, beneath = cells[public.terms.forms[now.top]], cells[public.terms.forms[was.top]]
            fitting = fitting_on_any(beneath) if was.said is None else FITTING[was.said]
            owed.append(round(1 - (own & fitting).bit_count() / own.bit_count(), 6))

    def looking(bot: int) -> Habit:
        def look(view: Any, legal: Sequence[Struct], beliefs: Any, choose: Choose) -> Struct:
            if not dealt[bot]:
                middle[0] = view.public.middle if middle[0].top is None else middle[0]
                dealt[bot] = sum(cells[view.public.terms.forms[card]].bit_count() for card in view.own.hand)
            return habit(view, legal, beliefs, choose) if habit is not None and bot == 0 else choose(view, legal)

        return look

    played = one_game(found, number, package, options, deck, watch, habits={0: looking(0), 1: looking(1)})
    assert played.wins is not None
    first, second = (played.wins[played.bots.index(bot)] for bot in range(2))
    return owed, (first, second), (dealt[0], dealt[1]), played.end


def _one_cell(view: Any, legal: Sequence[Struct], beliefs: Any, choose: Choose) -> Struct:
    """Knows only one cell of each form: the first in its remembered table of forms."""
    table = beliefs.table
    return choose(view, [one for one in legal if not isinstance(one, Play) or one.reading == table.find(one.form)])


def _draw(found: Sequence[Finding], words: Words) -> Picture:
    caption = N_("hic – haec – hoc: final plays that need an ambiguous form")
    return bar_chart(caption, shares(found, LAST), None, words)


QUESTION = Question(
    "ambiguity",
    N_("hic – haec – hoc: how often does a form’s ambiguity win?"),
    200,
    (
        Table(LAST, "share", PARADIGMS),
        Table(PLAYS, "share", PARADIGMS),
        Table(DEALT, "share", (MORE,)),
        Table(KNOWS, "difference", (ONE,)),
    ),
    play,
    _draw,
)
