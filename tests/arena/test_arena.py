"""Whole contests: the same on every machine, resumed after a stop, with programs of every kind."""

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from spieltisch.arena import arena, contest, lines, standings
from spieltisch.arena.play import play
from spieltisch.cli import app as cli
from spieltisch.game import Invalid

EXAMPLES = Path(__file__).parents[2] / "examples"


def run(*words):
    return cli.app([*words], exit_on_error=False, result_action="return_value")


def program(folder, text, name="program"):
    """A player in Python, as the option names it: one that is given a function `act` of a message."""
    file = folder / f"{name}.py"
    body = f"import json, os, sys, time\n{text}\nfor line in sys.stdin:\n    message = json.loads(line)\n"
    file.write_text(body + '    if message["type"] == "act":\n        act(message)\n')
    return f"{name}=lines:{sys.executable} -S {file}"


FIRST = "def act(message):\n    print(0, flush=True)"


def test_the_same_bytes_wherever_it_is_played(tmp_path):
    words = ("arena", "hic-haec-hoc", "discipula", "random", program(tmp_path, FIRST), "--deals=2", "--tables=2,3")
    words += ("--seconds=100",)
    for name, on in (("here", "1"), ("there", "processes:2")):
        files = [f"--{kind}={tmp_path}/{name}.{kind}" for kind in ("json", "csv", "keep")]
        assert run(*words, "--options", '{"mode": "assisted"}', "--on", on, *files) == 0
    for kind in ("json", "csv", "keep"):
        here, there = ((tmp_path / f"{name}.{kind}").read_bytes() for name in ("here", "there"))
        assert here == there
        assert len(here) > 300


def test_it_is_taken_up_where_it_was_stopped(tmp_path, capsys, monkeypatch):
    keep, played = tmp_path / "kept", []
    whole = arena("trailblaze", ["novice", "random"], 4)

    def stopping(found, placings):
        if len(played) == 2:
            raise KeyboardInterrupt
        played.append(1)
        return play(found, placings)

    monkeypatch.setattr(standings, "play", stopping)
    words = ("arena", "trailblaze", "--players", "novice", "random", "--keep", str(keep))
    assert run(*words, "--deals", "4") == 130
    assert "stopped after 4 of 8 games; run the same command to continue" in capsys.readouterr().err
    monkeypatch.setattr(standings, "play", play)
    again = []
    done = arena("trailblaze", ["novice", "random"], 4, keep=keep, progress=again.append)
    assert again == [4, 5, 6, 7, 8]
    assert done.json() == whole.json()
    assert len(arena("trailblaze", ["novice", "random"], 5, keep=keep).played) == 10
    assert run("arena", "trailblaze", "chronicler", "random", "--keep", str(keep)) == 1
    said = capsys.readouterr().err
    assert "holds results of something else" in said
    assert "so far" not in said
    assert run("arena", "chess", "novice", "random", "--keep", str(keep)) == 1
    assert "so far" not in capsys.readouterr().err
    assert run("arena", "trailblaze", "novice", "random", "--keep", str(tmp_path)) == 1
    assert "is not a file, so it cannot keep results" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("chess", "random"), "there is no game chess"),
        (
            ("trailblaze", "novice", "random", "--tables", "two"),
            "'two' is not a table size: write 2, or 2,4, or 2..4",
        ),
        (("trailblaze", "novice", "random", "--options", "[]"), "options are a JSON object"),
        (("trailblaze", "lines:", "random"), "name a program by its command line"),
    ],
)
def test_the_command_says_what_is_wrong(words, said, capsys):
    assert run("arena", *words) == 1
    assert said in capsys.readouterr().err


def test_a_file_that_cannot_be_written_is_said_before_anything_is_played(tmp_path, capsys):
    nowhere = tmp_path / "no" / "kept"
    assert run("arena", "highest-not-there", "random", "--keep", str(nowhere)) == 1
    assert run("arena", "adaman", "random", "--deals", "1", "--keep", str(nowhere)) == 1
    assert f"{nowhere}: cannot be written" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        run("arena", "adaman", "random", "--deals", "1", "--json", str(nowhere))
    said = capsys.readouterr()
    assert (said.out, f"{nowhere}: cannot be written" in said.err) == ("", True)


def test_a_full_disk_is_said_and_the_table_is_told_all_the_same(capsys):
    assert run("arena", "adaman", "random", "--deals", "1", "--json", "/dev/full") == 1
    said = capsys.readouterr()
    assert "adaman: 1 game on 1 deal" in said.out
    assert "/dev/full: cannot be written: No space left on device" in said.err


# -- programs -----------------------------------------------------------------------------------------------------


def test_a_program_is_told_its_view_and_answers_in_three_ways(tmp_path):
    text = """
heard = []
def act(message):
    place = len(message["legal"]) - 1
    n = len(heard) % 3
    heard.append(line)
    answer = place if n == 0 else message["lines"][place] if n == 1 else message["legal"][place]
    with open(os.environ["HEARD"], "a") as file:
        file.write(line)
    print(json.dumps(answer), flush=True)
"""
    log = tmp_path / "heard"
    os.environ["HEARD"] = str(log)
    try:
        done = arena("hic-haec-hoc", ["discipula", program(tmp_path, text)], 1, seconds=100)
    finally:
        del os.environ["HEARD"]
    assert not done.forfeits
    messages = [json.loads(line) for line in log.read_text().splitlines()]
    assert len(messages) > 6
    for message in messages:
        assert message["view"]["own"] is not None
        assert "hidden" not in json.dumps(message)
        assert len(message["legal"]) == len(message["lines"]) > 0


BROKEN = {
    "dies": ('def act(message):\n    sys.exit("I give up")', "it ended with status 1: “I give up”"),
    "is killed": ("def act(message):\n    os.kill(os.getpid(), 9)", "it ended by signal 9"),
    "hangs": ("def act(message):\n    time.sleep(3600)", "it did not answer within 1 seconds"),
    "leaves children": (
        "import subprocess\ndef act(message):\n    subprocess.Popen(['sleep', '3600'])\n    time.sleep(3600)",
        "it did not answer within 1 seconds",
    ),
    "reads nothing": ("time.sleep(3600)", "it did not answer within 1 seconds"),
    "says nonsense": ("def act(message):\n    print('hello', flush=True)", "its answer is not JSON: “hello”"),
    "plays what is not legal": (
        "def act(message):\n    print(len(message['legal']), flush=True)", "it answered with an illegal move: “",
    ),
    "names another action": (
        "def act(message):\n    print('{\"type\": \"Conquer\"}', flush=True)", "it answered with an illegal move: “{",
    ),
    "says too much": ("def act(message):\n    print('x' * 70000, flush=True)", "its answer is longer than 65536 bytes"),
}  # fmt: skip


@pytest.mark.parametrize("what", BROKEN)
@pytest.mark.skipif(sys.platform == "win32", reason="processes end otherwise there")
def test_who_breaks_forfeits_the_game_and_no_other_is_lost(what, tmp_path):
    text, why = BROKEN[what]
    name = program(tmp_path, text, "broken")
    # The others have time enough on a busy machine; one that hangs costs a second.
    seconds = 1.0 if "1 seconds" in why else 100.0
    found = contest("trailblaze", ["random", name, "other=random"], [3], seconds=seconds)
    first = next(found.placings(0))
    (one,) = play(found, [first])
    assert (one.end, one.players[one.forfeit]) == ("forfeited", 1)
    assert one.why.startswith(why)
    assert one.wins == tuple(0 if seat == one.forfeit else 0.5 for seat in range(3))


def test_what_forfeits_is_told_and_the_contest_goes_on(tmp_path, capsys):
    name = program(tmp_path, BROKEN["says nonsense"][0], "broken")
    words = ("--deals=1", "--seconds=100", '--options={"mode": "assisted"}')
    assert run("arena", "hic-haec-hoc", "discipula", name, "random", *words) == 0
    told = capsys.readouterr().out
    assert "hic-haec-hoc: 6 games" in told
    assert "broken forfeited 4 games: its answer is not JSON: “hello”" in told
    assert "forfeited 4 of 4 games" in told


def test_a_program_that_cannot_be_started_stops_the_contest_and_what_was_played_is_kept(tmp_path, capsys):
    file = tmp_path / "program"
    file.write_bytes(b"\x7fELF is no program")
    file.chmod(0o755)
    keep = tmp_path / "kept"
    assert run("arena", "trailblaze", "random", "novice", f"mine=lines:{file}", "--deals=1", "--keep", str(keep)) == 1
    told = capsys.readouterr().err
    assert f"{file} cannot be started" in told
    assert f"results so far are in {keep}" in told


def test_a_program_that_has_changed_is_another_player(tmp_path):
    name = program(tmp_path, FIRST)
    before = contest("trailblaze", [name, "random"]).players[0].version
    (tmp_path / "program.py").write_text("other")
    after = contest("trailblaze", [name, "random"]).players[0].version
    assert before.startswith("sha256 ")
    assert before != after


def test_nothing_of_a_program_is_left(tmp_path):
    text = f"with open({str(tmp_path / 'pid')!r}, 'w') as file:\n    file.write(str(os.getpid()))\n"
    name = program(tmp_path, text + "def act(message):\n    print(0, flush=True)")
    found = contest("adaman", [name], seconds=100)
    (one,) = play(found, [next(found.placings(0))])
    assert one.end != "forfeited", one.why
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_example_in_javascript_plays_every_game_the_same_again():
    command = f"js=lines:node {EXAMPLES / 'arena-bot.js'}"
    for game in ("adaman", "hic-haec-hoc"):
        options = {"mode": "assisted"} if game == "hic-haec-hoc" else {}
        first, again = (arena(game, [command, "random"], 1, options=options, seconds=100) for _ in range(2))
        assert not first.forfeits
        assert first.played == again.played


@pytest.mark.skipif(sys.platform == "win32", reason="there is no shell there")
def test_the_example_for_the_shell_plays():
    command = f"sh=lines:sh {EXAMPLES / 'arena-bot.sh'}"
    assert not arena("trailblaze", [command, "random"], 1, seconds=100).forfeits


def test_commands_are_read_as_a_shell_reads_them():
    with pytest.raises(Invalid, match="there is no program"):
        lines.words("'no such program' x")


# -- OpenSpiel ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("game", ["adaman", "hic-haec-hoc"])
def test_bots_of_openspiel_play_and_do_the_same_again(game):
    pytest.importorskip("pyspiel")
    options = {"mode": "assisted"} if game == "hic-haec-hoc" else {}
    first, again = (
        arena(game, ["openspiel:random", "openspiel:ismcts/4"], 1, options=options).played for _ in range(2)
    )
    assert first == again
    assert {one.forfeit for one in first} == {None}


def test_openspiel_gets_nothing_but_the_view():
    """Two worlds that look the same from a seat: whatever lies hidden, the bot does the same in both."""
    pytest.importorskip("pyspiel")
    from spieltisch.arena.openspiel import Searcher
    from spieltisch.arena.play import match_of
    from spieltisch.dice import FastDice

    found = contest("hic-haec-hoc", ["discipula", "random"], options={"mode": "assisted"})
    match = match_of(found, next(found.placings(0)))
    rules, view = match.package.rules, match.view(0)
    others = [rules.imagine(view, FastDice(seed)) for seed in range(3)]
    assert any(other != match.state for other in others)
    chosen = set()
    for state in (match.state, *others):
        from spieltisch.game import see

        seen = see(state, 0)
        chosen.add(Searcher(found, 2, 0, "ismcts/4", 7, state.hidden).choose(seen, rules.legal(seen)))
    assert len(chosen) == 1


def test_openspiel_is_told_what_its_command_says():
    """Told everything exactly, it thinks of worlds where all that lies hidden is as it is; else of other ones, too."""
    pytest.importorskip("pyspiel")
    from spieltisch.arena.openspiel import Searcher
    from spieltisch.arena.play import match_of
    from spieltisch.dice import FastDice
    from spieltisch.study.environments.episode import Episode

    found = contest("trailblaze", ["novice", "random"])
    match = match_of(found, next(found.placings(0)))
    secrets = match.package.beliefs.secrets
    lying = [front.card for front in (*match.state.public.cards, match.state.public.middle)]
    thought = {}
    for command in ("ismcts/2,noise/0", "ismcts/2,noise/300", "ismcts/2"):
        bot = Searcher(found, 2, 0, command, 7, match.state.hidden)
        worlds = [Episode.seen(bot._game.setting, match.view(0), FastDice(seed), bot._told) for seed in range(5)]
        thought[command] = {tuple(secrets(one.state.hidden)[card] for card in lying) for one in worlds}
    true = tuple(secrets(match.state.hidden)[card] for card in lying)
    assert thought["ismcts/2,noise/0"] == {true}
    assert all(len(thought[command]) > 1 for command in ("ismcts/2,noise/300", "ismcts/2"))


@pytest.mark.slow
def test_openspiel_plays_with_what_it_is_told():
    pytest.importorskip("pyspiel")
    played = arena("hic-haec-hoc", ["openspiel:ismcts/2,noise/0.1", "random"], 1).played
    assert [one.forfeit for one in played] == [None, None]
    with pytest.raises(Invalid, match="nothing to know"):
        arena("adaman", ["openspiel:ismcts/2,noise/1"], 1)
