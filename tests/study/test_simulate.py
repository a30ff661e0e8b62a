"""Many games of bots: repeatable whatever the number of processes, with figures that are right."""

import math
import re
import xml.etree.ElementTree as ET

import msgspec
import pytest

from spieltisch.cli import app as cli
from spieltisch.game import Invalid
from spieltisch.study import figures, report, simulate
from spieltisch.study.simulate import Played

ASSISTED = {"mode": "assisted"}


def run(*words):
    return cli.app([*words], exit_on_error=False, result_action="return_value")


def test_the_same_seed_gives_the_same_bytes_for_any_number_of_jobs(tmp_path):
    files = [tmp_path / name for name in ("one", "two", "other")]
    for file, jobs, seed in zip(files, ("1", "2", "1"), ("3", "3", "4"), strict=True):
        more = ("--bots", "novice,random", "--games", "6", "--seed", seed, "--jobs", jobs, "--json", str(file))
        assert run("simulate", "trailblaze", *more) == 0
    one, two, other = (file.read_bytes() for file in files)
    assert one == two != other
    assert msgspec.json.decode(one)["games"] == 6


def test_every_bot_sits_everywhere_as_often_and_wins_are_all_given_away():
    match = simulate.match("hic-haec-hoc", ["grammaticus", "discipula", "random"], 1, ASSISTED)
    played = simulate.simulate(match, 6)
    assert [game.number for game in played] == list(range(6))
    for seat in range(3):
        assert sorted(game.bots[seat] for game in played) == [0, 0, 1, 1, 2, 2]
    assert all(math.isclose(sum(game.wins), 1) for game in played)
    assert figures.of(match, played).actions.n == 6


def test_a_fifth_game_and_a_game_for_one_are_simulated_too(toys, capsys):
    for game, bots in (("highest", "random,random"), ("adaman", "random")):
        assert run("simulate", game, "--bots", bots, "--games", "4") == 0
        assert f"{game}: 4 games" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("chess", "--bots", "random"), "there is no game chess"),
        (("trailblaze", "--bots", "novice,best"), "no bot best, only novice"),
        (("trailblaze", "--bots", "novice"), "2 to 6 players, not 1"),
        (("trailblaze", "--bots", "novice,novice", "--options", "[]"), "options are a JSON object"),
        (("trailblaze", "--bots", "novice,novice", "--options", '{"rows": 3}'), "rows"),
    ],
)
def test_what_cannot_be_played_is_said(words, said, capsys):
    assert run("simulate", *words) == 1
    assert said in capsys.readouterr().err


def test_what_cannot_be_written_is_said(tmp_path, capsys):
    words = ("trailblaze", "--bots", "random,random", "--games", "1", "--json", str(tmp_path / "no" / "file"))
    assert run("simulate", *words) == 1
    assert "cannot be written" in capsys.readouterr().err


def test_a_game_without_end_is_counted_apart():
    match = simulate.Match("trailblaze", {}, ("a", "b"), 1)
    played = [Played(0, (0, 1), (1.0, 0.0), (30, 20), 40, "no-stones"), Played(1, (1, 0), None, None, 9, "unfinished")]
    of = figures.of(match, played)
    assert (of.games, of.unfinished, of.standings[0].wins.n) == (2, 1, 1)
    assert of.standings[0].points.mean == 30


def test_intervals():
    share = figures.mean([1.0] * 50 + [0.0] * 50)  # Wilson's interval of 50 in 100, known from tables
    assert (round(share.low, 3), round(share.high, 3)) == (0.404, 0.596)
    assert figures.mean([0.0] * 20).low == 0
    other = figures.mean([1.0, 2.0, 3.0])
    assert math.isclose(other.high - other.mean, 1.96 / math.sqrt(3), rel_tol=1e-3)
    with pytest.raises(Invalid):
        simulate.match("trailblaze", ["bot", "nobody"], 1)


def test_the_report_is_whole_and_its_pictures_say_in_words_what_they_show():
    match = simulate.match("hic-haec-hoc", ["random", "random"], 1, ASSISTED)
    of = figures.of(match, simulate.simulate(match, 30))
    page = report.page(of, "spieltisch <simulate>")
    pictures = [ET.fromstring(svg) for svg in re.findall("<svg.*?</svg>", page, re.DOTALL)]
    assert len(pictures) == 3
    assert all(len(picture.get("aria-label")) > 10 for picture in pictures)
    assert "&lt;simulate&gt;" in page
    assert sum(n for *_, n in figures.histogram(of.lengths)) == 30
    assert re.search(r"(https?:)?//\w", page) is None
