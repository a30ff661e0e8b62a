"""Questions that bots answer by playing: the same answer wherever it is computed, and pages that show it."""

import math
import re
from itertools import islice, product
from pathlib import Path
from statistics import fmean

import pytest

from spieltisch.cli import app as cli
from spieltisch.game import Invalid
from spieltisch.games import modules_in
from spieltisch.games.annodomini.study.questions import doubt, seats, together
from spieltisch.games.hichaechoc.study.questions import ambiguity
from spieltisch.games.trailblaze.state import Bonus, Swap, TakeBonus
from spieltisch.games.trailblaze.study.questions import stones
from spieltisch.intervals import wilson
from spieltisch.study import figures
from spieltisch.study.questions import question, question_of, skill
from spieltisch.study.questions.question import (
    Finding,
    Observed,
    Words,
    as_comparison,
    as_csv,
    as_text,
    findings,
    observe,
    read_csv,
    said,
)
from spieltisch.study.series import Again, load, one_game, series

PAGES = Path(__file__).parents[2] / "docs" / "answers"
NAMES = [*modules_in("study.questions"), "skill"]
TOGETHER = question_of("together")


def run(*words):
    return cli.app([*words], exit_on_error=False, result_action="return_value")


def test_values_of_a_game_count_as_one_in_the_interval():
    assert figures.clustered([[1.0], [0.0], [1.0]], shares=True) == figures.mean([1.0, 0.0, 1.0], shares=True)
    one = figures.clustered([[1.0], [0.0], [0.25]], shares=False)
    twice = figures.clustered([[1.0, 1.0], [0.0, 0.0], [0.25, 0.25]], shares=False)
    assert twice == one  # saying it twice makes nothing surer
    assert one == figures.mean([1.0, 0.0, 0.25])
    found = figures.clustered([[1.0, 1.0, 1.0], [0.0]], shares=True)
    # off by 3 - 3 · 0.75 and 0 - 0.75: sqrt(2 · 2 · 0.75²) / 4 is 0.375
    assert (found.mean, found.low, found.high) == (0.75, pytest.approx(0.75 - 1.96 * 0.375, abs=1e-4), 1.0)
    alike = figures.clustered([[1.0, 1.0], [1.0, 1.0]], shares=True)  # two games that were won twice say little
    assert (alike.low, alike.high) == (pytest.approx(wilson(1.0, 2)[0], abs=1e-6), 1.0)
    assert figures.clustered([[1.0], [0.0]], shares=False).high > 1  # a difference, by chance without a negative one


def test_a_difference_of_nothing_has_a_plus():
    assert said(Finding("t", "a", "difference", 9, -0.0002, -0.01, 0.01)) == "+0.0 (−1.0 to +1.0)"


@pytest.mark.parametrize(("unit", "told"), [("difference", "+100.0"), ("points", "+1.00")])
def test_one_game_says_nothing_about_an_interval(unit, told):
    asked = question.Question("one", "Why?", 1, (question.Table("t", unit, ("a",)),), lambda _s, _n: {}, TOGETHER.draw)
    one = findings(asked, [Observed(0, {"t": {"a": [1.0]}})])
    assert said(one[0]) == f"{told} (no interval)"
    assert read_csv(as_csv(one)) == one
    other = [Finding("t", "a", unit, 400, 0.2, 0.1, 0.3)]
    assert "*" not in as_comparison(one, other) + as_comparison(other, one)
    assert "*" in as_comparison(other, [Finding("t", "a", unit, 400, 0.5, 0.4, 0.6)])


def test_intervals_told_together_reach_further():
    alone, of_five = (figures.mean([1.0] * 60 + [0.0] * 40, shares=True, among=n) for n in (1, 5))
    assert of_five.low < alone.low < alone.high < of_five.high
    assert (of_five.low, of_five.high) == pytest.approx(wilson(0.6, 100, 2.575829), abs=1e-6)  # each with 99 %
    title, cases = together.GAIN, ("4 Novices", "4 Chroniclers")
    seen = [Observed(number, {title: {case: [number / 10] for case in cases}}) for number in range(10)]
    both = question._means([question.Table(title, "difference", cases)], seen)
    one = next(question._means([question.Table(title, "difference", cases[:1])], seen))
    assert all(told.high > one.high for told in both)
    unmet = next(question._means([question.Table(title, "difference", (*cases[:1], "2 Novices"))], seen))
    assert unmet == one  # what was not met is not told, so it makes nothing less sure


def test_a_part_is_told_of_the_sum_of_its_wholes():
    seen = [Observed(n, {"part": {"a": [part], "b": [0.0]}, "whole": {"a": [whole], "b": [0.0]}}) for n, (part, whole)
            in enumerate([(1.0, 4.0), (1.0, 1.0), (0.0, 3.0)])]  # fmt: skip
    (found,) = question._means([question.Table("part", "share", ("a", "b"), over="whole")], seen)  # b has no whole
    assert (found.case, found.games, found.mean) == ("a", 3, 0.25)
    # off by 1 - 1, 1 - 0.25 and 0 - 0.75: sqrt(1.5 · 2 · 0.75²) / 8 is sqrt(1.6875) / 8
    assert found.high == pytest.approx(0.25 + 1.96 * math.sqrt(1.6875) / 8, abs=1e-4)
    assert found.low < 0  # an estimate that may lie there by chance


def test_variance_is_split_as_it_was_put_together():
    """Every outcome of a game in which the deal gives or takes 3, the player 5, with 1 for how the deal suits it, and
    each try 2.
    """
    signs, found = (-1, 1), []
    for deal, suits, *tries in product(signs, repeat=6):
        first = tuple(3 * deal + 5 + suits + 2 * one for one in tries[:2])
        second = tuple(3 * deal - 5 - suits + 2 * one for one in tries[2:])
        found.append(skill.split(first, second))
    assert [fmean(part) for part in zip(*found, strict=True)] == [9, 25 + 1, 4]


def test_variance_of_one_who_plays_alone_is_split_about_its_mean():
    """Half of the deals can be won: the best player wins these and one in two tries of the others, the other one only
    these.
    """
    deals = [((1.0, 1.0), (1.0, 1.0)), *(((one, two), (0.0, 0.0)) for one in (0.0, 1.0) for two in (0.0, 1.0))]
    weights = [4, 1, 1, 1, 1]
    parts, wins = [0.0] * 3, 0.0
    for (here, n), (there, m) in product(zip(deals, weights, strict=True), repeat=2):
        won, split = skill._beside((here[0], there[0]), (here[1], there[1]))
        parts = [part + n * m / 64 * one for part, one in zip(parts, split, strict=True)]
        wins += n * m / 64 * fmean(won)
    assert wins == 0.5 + 0.25 / 2
    # Won with 1 and 1, or with 1/2 and 0: 5/8 in the mean.
    assert parts == pytest.approx([(1 + 1 / 16) / 2 - 25 / 64, 1 / 32, 1 / 16])
    assert sum(parts) == pytest.approx(5 / 8 * 3 / 8)


def test_a_deal_is_the_same_again_with_players_and_dice_changed():
    found = series("trailblaze", ("chronicler", "random"), 4)
    one, again, moved, other = (
        one_game(found, 3, *load(found), again=again) for again in (Again(0, 0), Again(0, 0), Again(1, 0), Again(0, 1))
    )
    assert one == again
    assert (one.bots, moved.bots, other.bots) == ((0, 1), (1, 0), (0, 1))
    assert one != other  # who plays at random plays otherwise
    sure = series("trailblaze", ("chronicler", "novice"), 4)
    tried = [one_game(sure, 3, *load(sure), again=Again(0, attempt)) for attempt in range(2)]
    assert tried[0] == tried[1]  # these throw no dice


def test_what_is_kept_is_not_played_again_and_the_place_makes_no_difference(tmp_path):
    whole = observe(TOGETHER, 7, 3)
    kept = tmp_path / "kept"
    observe(TOGETHER, 4, 3, kept, "processes:2")
    first = kept.read_bytes()
    assert observe(TOGETHER, 7, 3, kept) == whole
    assert kept.read_bytes().startswith(first)
    lines = kept.read_bytes()
    assert observe(TOGETHER, 5, 3, kept) == whole[:5]
    assert kept.read_bytes() == lines
    with pytest.raises(Invalid, match="something else"):
        observe(question_of("seats"), 5, 3, kept)


def test_findings_are_written_and_read_again():
    found = findings(TOGETHER, observe(TOGETHER, 3, 1))
    assert read_csv(as_csv(found)) == found
    assert all(f"| {one.case} | 3 | {said(one)} |" in as_text(found) for one in found)
    with pytest.raises(Invalid, match="columns must be table, case"):
        read_csv("a,b\n1,2\n")


def test_numbers_are_told_in_their_units():
    assert said(Finding("t", "c", "share", 9, 0.25, 0.2, 0.3)) == "25.0 % (20.0–30.0)"
    assert said(Finding("t", "c", "difference", 9, -0.25, -0.3, 0.1)) == "−25.0 (−30.0 to +10.0)"
    assert said(Finding("t", "c", "points", 9, 1.5, -1, 4)) == "+1.50 (−1.00 to +4.00)"
    assert said(Finding("t", "c", "count", 9, 31, 19, math.inf)) == "31 (19 to over 1,000)"


def test_cases_that_were_not_met_are_left_out():
    seen = [Observed(0, {together.GAIN: {"4 Novices": [0.5]}})]
    assert [one.case for one in findings(TOGETHER, seen)] == ["4 Novices"]


@pytest.mark.parametrize("without", [(True, False), (False, True), (True, True)])
def test_who_does_without_never_uses_it(without):
    found, done = series("trailblaze", ("chronicler",) * 3, 7), set()
    for number in range(4):
        steps = []
        habits = {0: lambda *given: stones._doing_without(*without, *given)}
        played = one_game(found, number, *load(found), steps=steps, habits=habits)
        done |= {(played.bots[seat] == 0, type(action)) for seat, action in steps if isinstance(seat, int)}
    assert {(False, Swap), (False, Bonus)} <= done
    assert ((True, Bonus) in done) == (not without[0])
    assert not (without[0] and (True, TakeBonus) in done)
    assert ((True, Swap) in done) == (not without[1])


def test_a_doubt_is_tried_where_the_game_came_to_and_nowhere_else():
    found = series("anno-domini", ("chronicler", *("connoisseur",) * 3), 4, {"max_rounds": 100})
    trial = doubt._Trial(found, 1)
    first = trial.played(None, doubts=False)
    assert first == one_game(found, 1, *load(found))  # to look on changes nothing
    at = next(at for at, (_, _, doubted) in enumerate(trial.thoughts) if not doubted)
    assert trial.played(at, doubts=False) == first
    assert at not in trial.shown
    trial.played(at, doubts=True)
    assert at in trial.shown


def test_every_seat_that_begins_with_less_is_named():
    for (players, name), less in seats.VARIANTS.items():
        assert bool(less) == (name != seats.RULES)
        assert all(seat < players for seat in less)
    values = seats.play(7, 1)
    assert {title: sum(map(sum, seen.values())) for title, seen in values.items()} == dict.fromkeys(values, 1.0)


def test_a_table_that_is_one_person_is_as_good_as_that_one(monkeypatch):
    monkeypatch.setattr(together, "TABLES", {"alone": ("novice",)})
    seen = together.play(3, 0)
    assert seen[together.GAIN] == seen[together.BEYOND] == {"alone": [0.0]}


def test_who_is_ahead_follows_from_who_wins():
    assert list(islice(skill.ahead(0.6, 0.0), 3)) == pytest.approx([0.6, 0.6, 0.648])
    assert list(islice(skill.ahead(0.5, 0.3), 9)) == pytest.approx([0.5] * 9)
    assert list(islice(skill.ahead(0.6, 0.8), 2)) == pytest.approx([0.6, 0.2**2 + 2 * 0.2 * 0.8 + 0.8**2 / 2])
    assert list(islice(skill.ahead(1.0, 0.0), 2)) == [1.0, 1.0]
    assert skill.until(0.9, 0.0) == 3  # 0.9, then 0.9, then 0.972
    assert skill.until(0.5, 0.0) == math.inf


@pytest.mark.parametrize("name", [name for name in NAMES if name != "together"])
def test_a_question_is_answered_and_answered_alike(name, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(ambiguity, "BEST", "magister")  # those that search are compiled first, for long
    levels = {
        "Trailblaze": ("trailblaze", {}, "chronicler", ("novice",)),
        "Adaman": ("adaman", {}, "thumb", ("random",)),
    }
    monkeypatch.setattr(skill, "GAMES", levels)
    files = [tmp_path / "1", tmp_path / "2"]
    for file in files:
        assert run("study", "answer", name, "--games", "1", f"--csv={file}", f"--picture={file}.svg") == 0
        assert question_of(name).asks in capsys.readouterr().out
    assert files[0].read_bytes() == files[1].read_bytes()
    assert Path(f"{files[0]}.svg").read_text("utf-8").count("<svg") == 1
    found = read_csv(files[0].read_text("utf-8"))
    assert found
    assert all(one.low <= one.mean <= one.high for one in found)


def test_what_cannot_be_answered_is_said(tmp_path, capsys):
    assert run("study", "answer", "together", "--games", "1", "--on", "moon") == 1
    assert "processes:N or dask://HOST:PORT" in capsys.readouterr().err
    assert run("study", "answer", "together", "--games", "1", f"--keep={tmp_path}/no/file") == 1
    assert "cannot be read or written" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        run("study", "answer", "together", "--games", "1", f"--csv={tmp_path}/no/file")
    assert "cannot be written" in capsys.readouterr().err


def test_what_was_found_by_ctrl_c_is_told(monkeypatch, capsys):
    calls = iter(range(3))

    def play(seed, number):
        if next(calls) == 2:
            raise KeyboardInterrupt
        return together.play(seed, number)

    monkeypatch.setattr(question, "PIECE", 1)
    asked = question.Question("together", "?", 9, TOGETHER.tables, play, TOGETHER.draw)
    monkeypatch.setattr(together, "QUESTION", asked)
    assert run("study", "answer", "together") == 130
    told = capsys.readouterr()
    assert "stopped after 2 of 9 games" in told.err
    assert "| 4 Novices | 2 |" in told.out


ANSWERED = sorted(file.stem for file in PAGES.glob("*.csv") if file.stem in NAMES)


def test_every_question_has_its_page():
    assert sorted(NAMES) == ANSWERED


@pytest.mark.parametrize("name", ANSWERED)
def test_an_answer_is_told_in_german_as_well(name):
    asked, found = question_of(name), read_csv((PAGES / f"{name}.csv").read_text("utf-8"))
    words = asked.words("de")
    told = as_text(found, words)
    assert words(asked.asks) != asked.asks
    assert not {one.table for one in found} & {words(one.table) for one in found}
    assert f"| {words(found[0].case)} | " in told
    assert said(found[0], "de") in told
    assert "," in said(found[0], "de")
    assert words(found[0].case) in asked.draw(found, words).svg or name in {"seats", "skill", "together"}


@pytest.mark.parametrize("name", ANSWERED)
def test_a_page_tells_what_was_found(name):
    page = (PAGES / f"{name}.md").read_text("utf-8")
    found = read_csv((PAGES / f"{name}.csv").read_text("utf-8"))
    for table in as_text(found).split("\n\n"):
        assert table in page
    assert (PAGES / f"{name}.svg").read_text("utf-8") == question_of(name).draw(found, Words("en")).svg
    assert f"spieltisch study answer {name} --csv {name}.csv --picture {name}.svg" in page
    asked = question_of(name).games
    assert max(one.games for one in found) <= asked
    assert f"{asked:,} " in page
    words = "\n".join(line for line in page.splitlines() if not line.startswith("|"))
    tables = {figure for one in found for figure in re.findall(r"\d+\.\d+", said(one))}
    assert set(re.findall(r"\b\d+\.\d+\b", words)) <= tables


def test_a_comparison_marks_figures_whose_intervals_are_apart():
    before = [Finding("T", case, "share", 9, mean, mean - 0.1, mean + 0.1) for case, mean in (("a", 0.2), ("b", 0.5))]
    after = [Finding("T", case, "share", 9, mean, mean - 0.1, mean + 0.1) for case, mean in (("b", 0.8), ("c", 0.5))]
    head, _, *lines = as_comparison(before, after).splitlines()
    assert head == "| T | as published | played again | |"
    assert lines == [
        "| a | 20.0 % (10.0–30.0) | – |  |",
        "| b | 50.0 % (40.0–60.0) | 80.0 % (70.0–90.0) | * |",
        "| c | – | 50.0 % (40.0–60.0) |  |",
    ]
    assert as_comparison(before, [*before]).count("*") == 0


def test_published_answers_are_played_again_by_one_command(tmp_path, capsys):
    assert run("study", "answer", "together", "--games", "3", "--csv", str(tmp_path / "together.csv")) == 0
    capsys.readouterr()
    assert run("study", "compare", str(tmp_path), "--games", "3") == 0
    out = capsys.readouterr().out
    assert out.startswith(TOGETHER.asks)
    rows = [line.split(" | ") for line in out.splitlines() if line.startswith("| 2 Connoisseurs")]
    assert rows
    assert all(before == after for _, before, after, _ in rows)
    (tmp_path / "together.csv").unlink()
    assert run("study", "compare", str(tmp_path)) == 1
    assert "has no answers" in capsys.readouterr().err
