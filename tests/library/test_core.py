"""What `pip install spieltisch` brings: with msgspec and nothing else games are played, told, written down and read.

The modules of all other installed packages cannot be imported here. The tree is a copy with compiled translations, as
a wheel is.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

import matrix
import spieltisch

BLOCKED = """
import sys
from importlib.machinery import PathFinder

class Blocked:
    def find_spec(name, path=None, target=None):
        spec = PathFinder.find_spec(name, path)
        origin = (spec and (spec.origin or str(spec.submodule_search_locations))) or ""
        if "site-packages" in origin and name.partition(".")[0] != "msgspec":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Blocked)
sys.path.insert(0, sys.argv[1])
import spieltisch
assert spieltisch.__file__.startswith(sys.argv[1])
"""


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """The package as a wheel has it."""
    folder = tmp_path_factory.mktemp("core")
    whole = Path(spieltisch.__file__).parent
    shutil.copytree(whole, folder / "spieltisch", ignore=shutil.ignore_patterns("__pycache__", "*.mo"))
    for source in folder.rglob("*.po"):
        with source.open("rb") as file, source.with_suffix(".mo").open("wb") as compiled:
            write_mo(compiled, read_po(file))
        source.unlink()
    return folder


def run(tree, code):
    """What this code prints where nothing but msgspec is installed."""
    done = subprocess.run([sys.executable, "-c", BLOCKED + code, tree], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", ["litestar", "numba", "numpy", "babel", "minijinja", "cyclopts", "hypothesis"])
def test_what_is_blocked_is_blocked(tree, name):
    assert run(tree, f"""
try:
    import {name}
except ModuleNotFoundError:
    print("blocked")
""") == "blocked\n"  # fmt: skip


@pytest.mark.parametrize("game", ["adaman", "anno-domini", "hic-haec-hoc", "trailblaze"])
def test_a_game_is_played_told_and_written_down(tree, game):
    checked = matrix.whole or game == "trailblaze"  # takes seconds; tests/laws checks each game
    said = run(tree, f"""
match = spieltisch.new({game!r}, seed=1)
while not match.over:
    action = match.bot()
    print(match.text(action, lang="de"))
    match.play(match.parse(str(action)))
again = spieltisch.load(match.record())
assert again.over and again.history == match.history
assert match.view(0).public == match.state.public
assert match._repr_html_() is None
print(repr(match.show(0)))
if {checked}:
    spieltisch.check_game(match.package.rules, examples=1)
""")  # fmt: skip
    *sentences, match = said.splitlines()
    assert match.startswith(f"<Match {game}, ")
    assert len(sentences) > 5
    assert all(one.startswith(("Ich ", "Für die Ausflucht", "Passt.")) for one in sentences)


def test_strong_bots_and_analyses_think_in_plain_python(tree):
    assert run(tree, """
match = spieltisch.new("hic-haec-hoc", seed=1, mode="assisted")
while len([action for action in match.legal if str(action).startswith("play")]) < 2:
    match.play(match.bot())
assert match.bot("grammaticus") in match.legal
match = spieltisch.new("adaman", seed=1)
assert match.bot("coach") in match.legal
print(match.package.analysis.label(match.state, [match.history[0][1]]))
""") == "True\n"  # fmt: skip


def test_a_deck_in_a_csv_file_is_played(tree, tmp_path):
    file = tmp_path / "mine.csv"
    file.write_text("date;event\n" + "".join(f"{1500 + n};Event {n}.\n" for n in range(20)), "utf-8")
    assert run(tree, f"""
match = spieltisch.new("anno-domini", seed=1, deck={str(file)!r})
while not match.over:
    match.play(match.bot("random"))
print(len(match.deck.cards), match.result.end != "")
""") == "20 True\n"  # fmt: skip


def test_what_needs_more_names_its_extra(tree):
    assert run(tree, """
import os
from spieltisch import makers
os.environ.pop(makers.CHOICE, None)
try:
    makers.compile_here("adaman")
except spieltisch.MissingExtraError as error:
    print(error)
""") == "this needs another package. Install it with: pip install 'spieltisch[study]'\n"  # fmt: skip
