"""The command `spieltisch` about records, in the language of the machine."""

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

import spieltisch
from spieltisch.cli.app import run


@pytest.fixture
def games(tmp_path):
    """A game that is over, and one that is not, as files."""
    match, chance = spieltisch.new("trailblaze", seats=2, seed=1), random.Random(1)
    (tmp_path / "begun.json").write_text(json.dumps(match.record()), "utf-8")
    while not match.over:
        match.play(chance.choice(match.legal))
    (tmp_path / "over.json").write_text(json.dumps(match.record()), "utf-8")
    return str(tmp_path / "begun.json"), str(tmp_path / "over.json")


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("en_GB.UTF-8", ("trailblaze, not over", "places seat ", "points seat ", "name at least one FILE")),
        ("de_AT.UTF-8", ("trailblaze, nicht zu Ende", "Reihenfolge Platz ", "Punkte Platz ", "nenne mindestens")),
    ],
)
def test_records_are_replayed_in_the_language_of_the_machine(games, monkeypatch, capsys, setting, said):
    monkeypatch.setenv("LC_ALL", setting)
    assert run(["replay", *games]) == 0
    out = capsys.readouterr().out
    assert all(one in out for one in said[:3])
    with pytest.raises(SystemExit) as left:
        run(["replay"])
    assert left.value.code == 2
    assert said[3] in capsys.readouterr().err


def test_what_cannot_be_read_is_named_and_the_others_are_replayed(games, monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("LC_ALL", "C")
    (tmp_path / "broken.json").write_text("{\x1b[31m", "utf-8")
    assert run(["replay", "--json", str(tmp_path / "broken.json"), games[1], str(tmp_path / "none.json")]) == 1
    out, err = capsys.readouterr()
    assert json.loads(out)["over"] is True
    assert [line.partition(": ")[0].rpartition("/")[2] for line in err.splitlines()] == ["broken.json", "none.json"]
    assert "\x1b" not in err


@pytest.mark.parametrize("command", ["replay", "verify"])
def test_a_record_comes_by_standard_input(games, command):
    words = [sys.executable, "-m", "spieltisch", command, "-"]
    done = subprocess.run(words, input=Path(games[1]).read_bytes(), capture_output=True, check=True)
    assert done.stdout.startswith(b"-: ")
    assert subprocess.run(words, input=b"{", capture_output=True, check=False).returncode == 1


def test_the_seed_of_a_game_proves_its_shuffles(games, monkeypatch, capsys):
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    assert run(["verify", games[1]]) == 0
    assert "over.json: jedes Mischen passt" in capsys.readouterr().out
    record = json.loads(Path(games[1]).read_text("utf-8"))
    record["tags"]["seed"] = "00" * 16
    Path(games[1]).write_text(json.dumps(record), "utf-8")
    assert run(["verify", games[1]]) == 1


@pytest.mark.parametrize("words", [["--help"], ["deck", "--help"], ["study", "--help"]])
def test_every_command_says_what_it_does(words, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "200")
    run(words)
    lines = [line.strip("│ ") for line in capsys.readouterr().out.splitlines() if line.startswith("│")]
    assert lines
    assert all(" " in line for line in lines), lines


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["simulate", "trailblaze", "--bots", "random,random", "--games", "2"],
            [
                "trailblaze: 2 Partien von random, random, Startwert 1\n",
                "random: gewinnt 50,0\u00a0% (",
                "Züge je Partie: ",
            ],
        ),
        (
            ["arena", "trailblaze", "a=random", "b=random", "--deals", "1"],
            ["trailblaze: 2 Partien mit 1 Kartenverteilung; am Tisch: 2; Startwert 1\n", "gerecht wären 50,0\u00a0%"],
        ),
        (["study", "adaman", "solve", "--number", "1"], ["Partie 1: ist zu gewinnen, beste Punktzahl ", " Züge\n"]),
        (["study", "adaman", "winnable", "--deals", "1"], ["Adaman, basic: 1 Kartenverteilung, ", "(95-%-Intervall, "]),
    ],
)
def test_the_laboratory_speaks_the_language_of_the_machine(monkeypatch, capsys, words, said):
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    assert run(words) == 0
    out = capsys.readouterr().out
    assert all(one in out for one in said), out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["simulate", "chess", "--bots", "random"], "ein Spiel chess gibt es nicht, nur "),
        (["simulate", "trailblaze", "--bots", "random"], "trailblaze ist für 2 bis 6 Personen, nicht für 1"),
        (["simulate", "trailblaze", "--bots", "random,random", "--options", "[]"], "Optionen sind ein JSON-Objekt"),
        (["arena", "trailblaze", "what:ever"], "'what:ever' spielt hier nicht: Nenn eine Stufe"),
        (["arena", "trailblaze", "random", "--tables", "x"], "'x' ist keine Tischgröße"),
        (["study", "adaman", "solve", "--number", "x"], "'x' nennt keine Partien"),
        (["study", "answer", "doubt", "--on", "moon"], "nicht auf 'moon'"),
        (
            ["study", "answer", "doubt", "--keep", "/dev/null/there"],
            "/dev/null/there: lässt sich nicht lesen oder schreiben",
        ),
    ],
)
def test_the_laboratory_refuses_in_the_language_of_the_machine(monkeypatch, capsys, words, said):
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    assert run(words) == 1
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("words", [["--help"], ["replay", "FILE"]])
def test_who_stops_reading_is_not_told_of_an_error(games, words):
    """As `spieltisch doctor | head -1` does."""
    words = [games[1] if word == "FILE" else word for word in words]
    with subprocess.Popen(
        [sys.executable, "-m", "spieltisch", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as command:
        command.stdout.close()  # before anything is written: nobody will ever read it
        assert command.stderr.read() == b""
    assert command.returncode == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("serve 8000", "serve: “8000” does not belong here"),
        ("serve --prot 9", "There is no option --prot here. Did you mean --port?"),
        ("serve --ort=9", "There is no option --ort here. Did you mean --port?"),
        ("serve --sideways", "There is no option --sideways here. Type"),
        ("deck chek", "There is no command “chek” here. Did you mean check?"),
        ("record ABCDEF --to --sed", "There is no option --sed here."),
        ("language nothing", "There is no command “nothing” here. There are: "),
        ("serve --port 1 --port 2", "--port is given twice."),
        ("serve --port abc", "--port must be a whole number, not abc."),
        ("study adaman payments --minutes long", "--minutes must be a number, not long."),
        ("study adaman payments --minutes 0", "--minutes must be more than 0, not 0."),
        ("arena adaman random --deals 0", "--deals must be at least 1, not 0."),
        ("arena adaman random --deals 2000000", "--deals must be at most 1000000, not 2000000."),
        (
            "serve --log-format jsn",
            "--log-format cannot be jsn, but one of these: auto, plain, json. Did you mean json?",
        ),
        ("serve --browser=perhaps", "--browser cannot be perhaps."),
        ("serve --port", "--port needs a value"),
        ("simulate trailblaze", "simulate: --bots is missing"),
        ("deck print", "deck print: NAME is missing"),
    ],
)
def test_a_command_that_cannot_be_read_says_what_is_wrong_and_where_to_look(words, said, monkeypatch, capsys):
    monkeypatch.setenv("LC_ALL", "C")
    assert run(words.split()) == 2
    told = " ".join(capsys.readouterr().err.split())
    assert said in told
    assert "--help to see what you can write." in told
    assert "[" not in told


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("serve 8000", "„8000“ gehört hier nicht hin."),
        ("serve --prot 9", "Eine Option --prot gibt es hier nicht. Meinst du --port?"),
        ("deck chek", "Einen Befehl „chek“ gibt es hier nicht. Meinst du check?"),
        ("arena adaman random --deals 0", "--deals muss mindestens 1 sein, nicht 0."),
        ("serve --log-format jsn", "--log-format kann nicht jsn sein, nur eines von diesen: auto, plain, json."),
    ],
)
def test_a_command_that_cannot_be_read_is_refused_in_the_language_of_the_machine(words, said, monkeypatch, capsys):
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    assert run(words.split()) == 2
    told = " ".join(capsys.readouterr().err.split())
    assert said in told
    assert "--help siehst du, was hier möglich ist." in told


def test_a_wrong_value_says_where_it_was_set(monkeypatch, capsys):
    monkeypatch.setenv("SPIELTISCH_PORT", "abc")
    assert run(["serve"]) == 2
    told = " ".join(capsys.readouterr().err.split())
    assert "--port must be a whole number, not abc. --port is set in SPIELTISCH_PORT." in told
