"""Deals of Adaman by their numbers, in Python and on the command line: solved, kept, played along, advised on."""

import json
import re

import pytest

import spieltisch
from spieltisch import makers, study
from spieltisch.cli import app as cli
from spieltisch.dice import numbered_pile
from spieltisch.game import Invalid
from spieltisch.games.adaman.study import deals

pytestmark = pytest.mark.timeout(600)  # the first of them all compiles the kernels


def run(*words):
    return cli.app(["study", "adaman", "solve", *words], exit_on_error=False, result_action="return_value")


def test_a_deal_is_the_one_of_its_number_at_a_table():
    match = study.deal(7)
    order = [match._cards.cards.index(card) for card in match.deck.cards]
    assert tuple(order[row] for row in match.history[0][1]) == numbered_pile("adaman", 7, 36)
    assert len(study.deal(7, "extended").deck.cards) > 36
    for given in ((7, "tarot"), ("7",)):
        with pytest.raises(Invalid):
            study.deal(*given)


def is_best(best, match):
    """Whether this was proven to be the score of a match. The engine proves it in time, plain Python seldom does."""
    return best == match.result.scores[0] if makers.is_installed() else best in (None, *match.result.scores)


def test_a_solution_plays_to_the_score_that_it_promises():
    for number, deck in ((3, "basic"), (6, "hard")):  # a win, and one that cannot be won
        one = study.solve(number, 5, deck)
        match = one.match()
        assert (match.result.end == "won") is one.winnable
        assert is_best(one.best, match)
        again = study.solve(match, 5)  # a game that was played is solved from its deal
        assert (again.number, again.deck, again.winnable, again.best) == (0, "", one.winnable, one.best)
        assert again.line == one.line or one.best is None
    with pytest.raises(Invalid, match="only Adaman can be solved, and this is trailblaze"):
        study.solve(spieltisch.new("trailblaze"))


def test_what_was_solved_is_kept_and_wherever_it_is_solved_the_same(tmp_path, monkeypatch):
    keep = tmp_path / "kept"
    first = [*study.solve_many([4, 2], keep=keep)]
    with monkeypatch.context() as patch:
        patch.setattr(deals, "solve", lambda *_given, **_named: pytest.fail("solved again"))
        assert [*study.solve_many([2, 4, 2], keep=keep)] == [first[1], first[0], first[1]]
    more = [*study.solve_many([1, 2, 3, 4], keep=keep, on=2)]
    assert [one.number for one in more] == [1, 2, 3, 4]
    assert more[1] == first[1]
    assert [one.best for one in study.solve_many([1, 2])] == [one.best for one in more[:2]]
    with pytest.raises(Invalid, match="results of something else"):
        study.solve_many([1], 2.0, keep=keep)


def test_numbers_on_the_command_line(tmp_path, capsys):
    records, keep = tmp_path / "records", tmp_path / "kept"
    assert run("--number", "1,3..4", "--records", str(records), "--keep", str(keep)) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == ["deal 1", "deal 3", "deal 4"]
    matches = [spieltisch.load(records / f"{number}.json") for number in (1, 3, 4)]
    assert all(match.over for match in matches)
    for match, line in zip(matches, lines, strict=True):
        told = re.search(r"best score (\d+);", line)
        assert is_best(told and int(told[1]), match)
    assert run("--number", "4", "--json", "--keep", str(keep)) == 0
    assert is_best(json.loads(capsys.readouterr().out)["best"], matches[2])
    assert run(str(records / "3.json")) == 0
    assert f"played: {matches[1].result.end}, score {matches[1].result.scores[0]}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--number", "5.."), "'5..' names no deals: write 7, or 1..100, or 1..9,20"),
        (("--number", "9..5"), "names no deals"),
        (("--number", "1", "--on", "moon"), "processes:N or dask://HOST:PORT"),
        (("--number", "1", "--records", "/dev/null/there"), "/dev/null/there: cannot be read or written"),
        (("--number", "1", "--keep", "/dev/null/there"), "/dev/null/there: cannot be read or written"),
    ],
)
def test_what_cannot_be_is_said(words, said, capsys):
    assert run(*words) == 1
    assert said in capsys.readouterr().err


def test_ctrl_c_keeps_what_is_solved(tmp_path, monkeypatch, capsys):
    def interrupted(number, *_given):
        if number == 2:
            raise KeyboardInterrupt
        return solve(number)

    solve = deals.solve
    monkeypatch.setattr(deals, "solve", interrupted)
    assert run("--number", "1..3", "--keep", str(tmp_path / "kept")) == 130
    said = capsys.readouterr()
    assert said.out.startswith("deal 1: ")
    assert "stopped after 1 of 3 deals; run the same command to continue" in said.err
    monkeypatch.undo()
    assert run("--number", "1..3", "--keep", str(tmp_path / "kept")) == 0


@pytest.mark.parametrize("deck", ["basic", "extended"])
def test_the_coach_advises_who_is_to_act(deck):
    match = study.deal(5, deck)
    advice = study.coach(match, 200)
    assert advice == study.coach(match, 200)
    assert all(one.action in match.legal for one in advice)
    assert all(0 <= one.chance <= 1 for one in advice)
    while not match.over:
        match.play(match.bot("coach"))
    assert study.coach(match) == []
    with pytest.raises(Invalid):
        study.coach(spieltisch.new("trailblaze"))
