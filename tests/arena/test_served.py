"""Programs that play by HTTP at a table of a real server: the same game as elsewhere, and what comes of broken ones."""

import sys
from pathlib import Path

import pytest

from spieltisch.arena import contest
from spieltisch.arena.play import play

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="processes end otherwise there"),
]

EXAMPLES = Path(__file__).parents[2] / "examples"
LINES = """
import json, sys
for line in sys.stdin:
    if json.loads(line)["type"] == "act":
        print(0, flush=True)
"""
HTTP = f"""
import os, random, sys, time
sys.path.insert(0, {str(EXAMPLES)!r})
import bot
random.choice = lambda several: several[0]
table = sys.argv[1].replace("/t/", "/api/tables/")
"""


def program(folder, kind, text):
    file = folder / f"in_{kind}.py"
    file.write_text(text)
    return f"program={kind}:{sys.executable} -S {file}"


def test_by_http_and_in_lines_it_is_the_same_game(tmp_path):
    by_http, in_lines = (
        list(play(found, found.placings(0)))
        for found in (
            contest("trailblaze", [program(tmp_path, kind, text), "novice"], seconds=100)
            for kind, text in (("http", HTTP + "bot.play(table)"), ("lines", LINES))
        )
    )
    assert [one.why for one in by_http] == ["", ""]
    assert by_http == in_lines


def test_several_programs_play_where_all_may_contest_at_once():
    command = f"http:{sys.executable} {EXAMPLES / 'bot.py'}"
    found = contest("hic-haec-hoc", [f"a={command}", "random", f"b={command}"], [3], seconds=100)
    (one,) = play(found, [next(found.placings(0))])
    assert one.why == ""
    assert one.actions > 5
    assert found.players[0].version == found.players[2].version


def test_who_uses_the_seed_that_it_is_told_plays_the_same_again():
    command = f"http:{sys.executable} {EXAMPLES / 'bot.py'}"
    found = contest("trailblaze", [f"a={command}", f"b={command}"], seconds=100)
    first, again = (list(play(found, [next(found.placings(0))])) for _ in range(2))
    assert [one.why for one in first] == [""]
    assert first == again


BROKEN = {
    "never sits down": ("time.sleep(3600)", 1.0, "it did not sit down within 1 seconds", 0),
    "dies at once": ("sys.exit('Error: no')", 100.0, "it ended with status 1: “Error: no”", 0),
    "dies in its seat": (
        'bot.ask(f"{table}/sit", body={"name": "Random"})\nsys.exit("gone")',
        100.0, "it ended with status 1: “gone”", None,
    ),
    "leaves": (
        'token = bot.ask(f"{table}/sit", body={"name": "Random"})["token"]\n'
        'while not bot.ask(table, token)["view"]:\n    time.sleep(0.01)\n'
        'bot.ask(f"{table}/leave", token, {})\ntime.sleep(3600)', 100.0, "it left the table", None,
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", BROKEN)
def test_who_breaks_forfeits_the_game(what, tmp_path):
    text, seconds, why, actions = BROKEN[what]
    found = contest("trailblaze", [program(tmp_path, "http", HTTP + text), "random"], seconds=seconds)
    (one,) = play(found, [next(found.placings(0))])
    assert (one.end, one.forfeit, one.why, one.wins) == ("forfeited", 0, why, (0.0, 1.0))
    assert actions is None or one.actions == actions
