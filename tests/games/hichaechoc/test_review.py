"""The confusion map: what counts for a cell, which values were confused, what to practise next."""

from games.hichaechoc.tables import CELL, dealt, play
from spieltisch import games, i18n
from spieltisch.games.hichaechoc import review
from spieltisch.package import FinishedGame

SAYS = i18n.Translator(i18n.package_catalog(games.package("hic-haec-hoc").folder, "en"), "en", ["Ada", "Ben", "Eve"], 0)


def told(*moves, hands=("hunc hās hīs", "hōs hārum hī", "hanc haec huic")):
    """The game of these moves, and its news."""
    state = first = dealt(*hands, top="hic")
    news = []
    for move in moves:
        state = play(state, move)
        news += state.public.news
    return FinishedGame(first, news)


def counts(games_, seat):
    found = review.sureness(games_, seat)
    return ({c: n for c, n in found.right.items() if n}, {c: n for c, n in found.wrong.items() if n}, found.confused)


def test_a_right_play_counts_for_its_cell_and_so_does_a_wrong_objection():
    game = told("hunc acc.sg.m", "contest")
    cell = CELL["acc.sg.m"]
    who = next(one.by for one in game.news if type(one).__name__ == "Judged")
    assert counts([game], 0)[:2] == ({cell: 1}, {})
    assert counts([game], who)[:2] == ({}, {cell: 1})


def test_what_is_said_wrong_what_is_let_pass_and_what_is_caught():
    passed, caught = told("hās acc.sg.m", "accept", "accept"), told("hās acc.sg.m", "contest")
    cell = CELL["acc.sg.m"]
    assert counts([passed], 0)[:2] == ({}, {cell: 1})
    assert counts([passed], 1)[:2] == ({}, {cell: 1})
    who = next(one.by for one in caught.news if type(one).__name__ == "Judged")
    assert counts([caught], who)[:2] == ({cell: 1}, {})
    assert counts([passed, caught], 0)[1] == {cell: 2}


def test_what_was_said_for_what_where_one_criterion_differs():
    game = told("hunc gen.sg.m", "accept", "accept")
    assert counts([game], 0)[2] == {("gen", "acc"): 1}


def test_the_next_round_asks_for_the_worst_first_and_each_form_once():
    game = told("hās acc.sg.m", "accept", "accept")
    shown = review.review([game], 3, [], SAYS)
    only = shown["maps"][0]
    cards = [card["form"] for card in only["cards"]]
    assert cards[0] == "hunc"  # the form of the cell that was named wrongly
    assert len(set(cards)) == len(cards) == review.PRACTISED
    assert only["cards"][0]["back"] == ["accusative singular masculine"]
    cell = only["rows"][3]["cells"][0]
    assert (cell["form"], cell["right"], cell["met"], cell["kind"]) == ("hunc", 0, 1, "bad")
    assert [len(row["cells"]) for row in only["rows"]] == [6] * 5
