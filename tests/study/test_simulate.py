"""Many games of bots: repeatable whatever the number of processes, with figures that are right."""

import errno
import math
import os
import re
import sys
import xml.etree.ElementTree as ET
from functools import partial
from pathlib import Path

import msgspec
import pytest

import spieltisch
from spieltisch import languages
from spieltisch.cli import app as cli
from spieltisch.game import Invalid
from spieltisch.intervals import wilson
from spieltisch.study import figures, report, simulate, simulation
from spieltisch.study.series import Played, Series, play, play_recorded, series

ASSISTED = {"mode": "assisted"}


def run(*words):
    return cli.app([*words], exit_on_error=False, result_action="return_value")


def test_the_same_seed_gives_the_same_bytes_for_any_number_of_jobs(tmp_path):
    folders = [tmp_path / name for name in ("one", "two", "other")]
    for folder, on, seed in zip(folders, ("--jobs=1", "--on=processes:2", "--jobs=1"), ("3", "3", "4"), strict=True):
        files = (f"--json={folder}/j", f"--csv={folder}/c", f"--records={folder}/r", f"--report={folder}/h")
        assert run("simulate", "trailblaze", "--bots", "novice,random", "--games", "6", "--seed", seed, on, *files) == 0
    one, two, other = (
        {file.name: file.read_bytes() for file in folder.rglob("*") if file.is_file()} for folder in folders
    )
    assert one == two
    assert all(one[name] != other[name] for name in other)
    assert len(one) == 9
    assert msgspec.json.decode(one["j"])["games"] == 6


def test_every_bot_sits_everywhere_as_often_and_wins_are_all_given_away():
    done = simulate("hic-haec-hoc", "grammaticus, discipula, random", 6, options=ASSISTED)
    played = done.played
    assert [game.number for game in played] == list(range(6))
    for seat in range(3):
        assert sorted(game.bots[seat] for game in played) == [0, 0, 1, 1, 2, 2]
    assert all(math.isclose(sum(game.wins), 1) for game in played)
    assert done.figures.actions.n == 6


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
        (("trailblaze", "--bots", "novice,novice", "--on", "moon"), "processes:N or dask://HOST:PORT"),
        (("trailblaze", "--bots", "novice,novice", "--options", "[]"), "options are a JSON object"),
        (("trailblaze", "--bots", "novice,novice", "--options", '{"rows": 3}'), "rows"),
    ],
)
def test_what_cannot_be_played_is_said(words, said, capsys):
    assert run("simulate", *words) == 1
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"bots": None}, "name a bot for each seat, in a list of texts, not None"),
        ({"bots": ["novice", 3]}, "name a bot for each seat, in a list of texts, not ['novice', 3]"),
        ({"options": "{}"}, "options are a dict of names and values, not '{}'"),
        ({"options": []}, "options are a dict of names and values, not []"),
        ({"deck": ["firsts"]}, "a deck is a name or the path of a file, not ['firsts']"),
        ({"deck": b"firsts"}, "a deck is a name or the path of a file, not b'firsts'"),
        ({"games": 2.0}, "the number of games is a whole number, not 2.0"),
        ({"seed": "1"}, "a seed is a whole number, not '1'"),
    ],
)
def test_what_no_simulation_can_be_is_refused_in_words(given, said):
    with pytest.raises(Invalid) as refused:
        simulate("trailblaze", **{"bots": "novice,novice", "games": 1, **given})
    assert str(refused.value) == said


def test_a_language_that_there_is_not_is_refused():
    done = simulate("trailblaze", "random,random", 1)
    for tell in (done.summary, partial(done.plot, "bots")):
        with pytest.raises(Invalid, match="there is no language xx"):
            tell("xx")


def test_what_cannot_be_written_is_said(tmp_path, capsys):
    words = ("trailblaze", "--bots", "random,random", "--games", "1")
    for option in ("--json", "--csv", "--report"):
        with pytest.raises(SystemExit):
            run("simulate", *words, option, str(tmp_path / "no" / "file"))
        assert "cannot be written" in capsys.readouterr().err
    assert run("simulate", *words, "--keep", str(tmp_path / "no" / "file")) == 1
    assert "cannot be written" in capsys.readouterr().err
    (tmp_path / "file").touch()
    assert run("simulate", *words, "--records", str(tmp_path / "file")) == 1
    assert "cannot be written: File exists" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ("--keep", "kept", "--json", "kept"),
        ("--keep", "kept", "--report", "./kept"),
        ("--csv", "out", "--json", "link"),
        ("--deck", "kept", "--csv", "kept"),
    ],
)
def test_a_file_named_twice_is_refused_and_left_as_it_is(words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("kept").write_text("what I had")
    Path("link").symlink_to("out")
    with pytest.raises(SystemExit) as left:
        run("simulate", "trailblaze", "--bots", "random,random", "--games", "1", *words)
    assert left.value.code == 2
    assert f"{words[-1].removeprefix('./')}: named twice" in capsys.readouterr().err
    assert Path("kept").read_text() == "what I had"
    assert not Path("out").exists()


def test_two_tables_may_go_to_a_device(capsys):
    assert run("simulate", "trailblaze", "--bots", "random,random", "--games", "1", "--csv=/dev/null",
               "--json=/dev/null") == 0  # fmt: skip


def test_a_game_without_end_is_counted_apart():
    match = Series("trailblaze", {}, ("a", "b"), 1)
    played = [Played(0, (0, 1), (1.0, 0.0), (30, 20), 40, "no-stones"), Played(1, (1, 0), None, None, 9, "unfinished")]
    of = figures.of(match, played)
    assert (of.games, of.unfinished, of.standings[0].wins.n) == (2, 1, 1)
    assert of.standings[0].points.mean == 30


def test_intervals():
    share = figures.mean([1.0] * 50 + [0.0] * 50, shares=True)  # Wilson's interval of 50 in 100, known from tables
    assert (round(share.low, 3), round(share.high, 3)) == (0.404, 0.596)
    assert figures.mean([0.0] * 20, shares=True).low == 0
    other = figures.mean([1.0, 2.0, 3.0])
    assert math.isclose(other.high - other.mean, 1.96 / math.sqrt(3), rel_tol=1e-3)
    with pytest.raises(Invalid):
        series("trailblaze", ["bot", "nobody"], 1)


def test_the_report_is_whole_and_its_pictures_say_in_words_what_they_show():
    of = simulate("hic-haec-hoc", ["random", "random"], 30, options=ASSISTED).figures
    page = report.page(of, "spieltisch <simulate>")
    pictures = [ET.fromstring(svg) for svg in re.findall("<svg.*?</svg>", page, re.DOTALL)]
    assert len(pictures) == 3
    assert all(len(picture.get("aria-label")) > 10 for picture in pictures)
    assert "&lt;simulate&gt;" in page
    assert sum(n for *_, n in figures.histogram(of.lengths)) == 30
    assert re.search(r"(https?:)?//\w", page) is None


def test_the_report_is_german_where_its_reader_is():
    of = simulate("hic-haec-hoc", ["random", "random"], 30, options=ASSISTED).figures
    page = report.page(of, "spieltisch simulate", "de")
    assert '<html lang="de">' in page
    assert "30 Partien, Startwert 1." in page
    assert "Siege nach Plätzen: der Vorteil jedes Platzes." in page
    assert ">Platz 2</text>" in page
    assert re.search(r"\d,\d\u00a0% \(\d", page)
    assert not re.search(
        r"\bgames?\b|\bseats?\b|\d\.\d%", re.sub("<style>.*?</style>|<code>.*?</code>", "", page, flags=re.DOTALL)
    )


def test_on_the_scale_from_0_to_100_nothing_said_is_crossed_by_the_fair_line():
    rows = [("one", figures.Mean(0.1, 0.0, 0.2, 9)), ("other", figures.Mean(0.5, -0.1, 1.1, 9))]
    drawn = report.bars(rows, 0.5)
    left, right = drawn["ticks"][0]["x"], drawn["ticks"][-1]["x"]
    assert [tick["label"] for tick in drawn["ticks"]] == ["0 %", "25 %", "50 %", "75 %", "100 %"]
    assert left < drawn["fair"] == (left + right) / 2 < right < drawn["beside"]
    assert all(left <= bar["low"] <= bar["high"] <= right for bar in drawn["bars"])


def test_frames_have_a_row_for_each_seat_of_each_game():
    done = simulate("trailblaze", ["novice", "random", "random"], 4)
    pandas, polars = done.frame(), done.frame("polars")
    assert list(pandas.columns) == polars.columns == list(done.rows.columns)
    assert len(pandas) == len(polars) == 12
    assert pandas.groupby("number").win.sum().tolist() == [1.0] * 4
    assert pandas[pandas.number == 1].bot.tolist() == ["random", "random", "novice"]
    assert polars.rows() == [*pandas.itertuples(index=False, name=None)]
    assert done.rows.csv().splitlines()[0] == "number,seat,bot,win,score,actions,end"
    with pytest.raises(Invalid, match="pandas or polars"):
        done.frame("numpy")


def test_a_frame_without_a_library_names_what_to_install(monkeypatch):
    for name in ("pandas", "polars"):
        monkeypatch.setitem(sys.modules, name, None)
    done = simulate("trailblaze", ["random", "random"], 1)
    with pytest.raises(ImportError, match="needs pandas or polars: pip install pandas"):
        done.frame()
    with pytest.raises(ImportError, match="pip install polars"):
        done.frame("polars")


def test_pictures_are_svg_of_their_own(tmp_path):
    done = simulate("trailblaze", ["random", "random"], 3)
    for what in ("bots", "seats", "lengths"):
        done.plot(what).save(tmp_path / "picture.svg")
        assert ET.parse(tmp_path / "picture.svg").getroot().get("aria-label").startswith("trailblaze: ")
    with pytest.raises(Invalid, match="bots, seats, lengths"):
        done.plot("wins")


def test_records_of_simulated_games_replay_to_the_same_end(tmp_path):
    for game, bots in (
        ("anno-domini", "novice,random"),
        ("trailblaze", "random,random"),
        ("hic-haec-hoc", "magister,random"),
    ):
        done = simulate(game, bots, 3, 8, records=tmp_path / game)
        for one, file in zip(done.played, sorted((tmp_path / game).iterdir()), strict=True):
            match = spieltisch.load(file)
            assert file.name == f"{one.number:06}.json"
            assert match.names == tuple(done.series.bots[bot] for bot in one.bots)
            assert (match.result.end, match.result.scores) == (one.end, one.scores)
            assert sum(isinstance(who, int) for who, _ in match.history) == one.actions


def test_what_was_kept_is_not_played_again_and_what_is_lacking_is(tmp_path, monkeypatch):
    keep, records = tmp_path / "kept", tmp_path / "records"
    whole = simulate("trailblaze", ["novice", "random"], 8, 2)
    simulate("trailblaze", ["novice", "random"], 5, 2, keep=keep, records=records)
    keep.write_bytes(keep.read_bytes()[:-20])  # the power failed within a line
    (records / "000001.json").unlink()
    again = []
    monkeypatch.setattr(simulation, "play_recorded", lambda *given: again.extend(given[1]) or play_recorded(*given))
    done = simulate("trailblaze", ["novice", "random"], 8, 2, keep=keep, records=records)
    assert again == [1, 4, 5, 6, 7]
    assert done.played == whole.played
    assert len([*records.iterdir()]) == 8
    with pytest.raises(Invalid, match="results of something else"):
        simulate("trailblaze", ["novice", "novice"], 8, 2, keep=keep)
    with pytest.raises(Invalid, match="is not a file"):
        simulate("trailblaze", ["novice", "random"], 8, 2, keep="/dev/full")
    keep.write_bytes(keep.read_bytes() + b"{}\n")
    with pytest.raises(Invalid, match=r"kept, line \d+: "):
        simulate("trailblaze", ["novice", "random"], 8, 2, keep=keep)


def test_ctrl_c_keeps_what_is_done_and_the_same_command_goes_on(tmp_path, monkeypatch, capsys):
    def interrupted(found, numbers):
        if 4 in numbers:
            raise KeyboardInterrupt
        return play(found, numbers)

    words = ("trailblaze", "--bots", "random,random", "--games", "6", "--keep", str(tmp_path / "kept"))
    with monkeypatch.context() as patch:
        patch.setattr(simulation, "play", interrupted)
        assert run("simulate", *words) == 130
    said = capsys.readouterr()
    assert "stopped after 4 of 6 games; run the same command to continue" in said.err
    assert "4 games of random, random" in said.out
    assert run("simulate", *words) == 0
    assert "6 games of random, random" in capsys.readouterr().out


def test_a_full_disk_is_said_and_what_was_played_is_told(tmp_path, monkeypatch, capsys):
    def full(self, *_given, **_named):
        if self.name.startswith("000003"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self))
        return write_text(self, *_given, **_named)

    write_text = Path.write_text
    monkeypatch.setattr(Path, "write_text", full)
    words = ("trailblaze", "--bots", "random,random", "--games", "6", "--records", str(tmp_path / "records"))
    assert run("simulate", *words) == 1
    said = capsys.readouterr()
    assert "No space left on device; stopped after 3 of 6 games" in said.err
    assert "3 games of random, random" in said.out
    assert sorted(file.name for file in (tmp_path / "records").iterdir()) == [f"00000{n}.json" for n in range(3)]


@pytest.mark.parametrize("values", [[7.0], [0.0], [1.0] * 3, [0.1 + 0.2, 0.3]])
def test_equal_values_have_no_interval(values):
    found = figures.mean(values)
    assert (found.low, found.high, found.n) == (-math.inf, math.inf, len(values))
    assert msgspec.json.decode(msgspec.json.encode(found))["low"] is None
    assert figures.spread(found) == f"{values[0]:.1f} (no interval)"
    assert figures.spread(found, "de") == f"{values[0]:.1f} (ohne Intervall)".replace(".", ",")


@pytest.mark.parametrize("share", [0.0, 0.25, 0.5, 1.0])
def test_equal_shares_have_wilsons_interval(share):
    for n in (1, 4):
        low, high = (round(end, 6) for end in wilson(share, n))
        assert figures.mean([share] * n, shares=True) == figures.Mean(share, low, high, n)
        assert figures.clustered([[share] * 2] * n, shares=True) == figures.Mean(share, low, high, n)


def test_nothing_is_written_as_minus_zero():
    for n in range(1, 60):
        for low, high in (wilson(0, n), wilson(1, n)):
            assert 0 <= low <= high <= 1
            assert math.copysign(1, low) == 1
        assert "-0.0" not in str(figures.mean([0.0] * n, shares=True))
    assert "-0.0" not in str(figures.mean([-1e-9, 1e-9, -1e-9, 0.0]))
    assert (figures.number(-0.04, "de"), figures.number(-0.06, "de")) == ("0,0", "-0,1")
    assert (languages.language("de").number(-0.04, 1), languages.language("en").number(-1234.5, 1)) == (
        "0,0",
        "-1,234.5",
    )


def test_one_game_tells_no_interval_of_its_length():
    done = simulate("adaman", ["random"], 1)
    assert "(no interval)" in done.summary()
    assert "(ohne Intervall)" in done.summary("de")
    assert "inf" not in done.summary() + done.summary("de")


def test_a_share_that_is_divided_stays_within_all_and_nothing():
    found = figures.mean([1.0] * 9 + [0.5], shares=True)
    assert found.low < 0.95 < found.high == 1.0
    assert figures.mean([9.0, 9.0, 8.0]).high > 9.0  # points may be more than any that were had
