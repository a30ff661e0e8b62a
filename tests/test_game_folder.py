"""A game's folder in which something is missing or wrong: one sentence that names the file, whatever the command."""

import logging
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import minijinja
import pytest

from spieltisch import cli, games
from spieltisch.decks import base_kind
from spieltisch.game_folder import UnusableGameError, require_values
from spieltisch.web.core import catalog
from spieltisch.web.core.view import brought
from spieltisch.web.core.view.brought import require_whole
from spieltisch.web.server.logs import JsonLines, PlainLines
from web.site import served

TOYS = Path(__file__).parent / "toys"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with three games, to be spoilt, that this process looks for games in."""
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    toys = [f"{games.__name__}.{name}" for name in ("highest", "inventions", "matches")]
    caches = games.packages, base_kind.of_game, base_kind._kinds
    before = {name: sys.modules.pop(name) for name in list(sys.modules) if name.startswith(tuple(toys))}
    for name in toys:
        shutil.copytree(TOYS / name.rpartition(".")[2], tmp_path / "games" / name.rpartition(".")[2])
    look_in(tmp_path / "games", monkeypatch)
    yield tmp_path / "games"
    monkeypatch.undo()
    for name in [name for name in sys.modules if name.startswith(tuple(toys))]:
        del sys.modules[name]
    sys.modules.update(before)
    for cache in caches:
        cache.cache_clear()


def look_in(folder, monkeypatch):
    """Take this folder for what SPIELTISCH_GAMES names."""
    monkeypatch.setattr(games, "__path__", [games.__path__[0], str(folder)])
    monkeypatch.setattr(games, "_NAMED", [str(folder)])
    for cache in (games.packages, base_kind.of_game, base_kind._kinds):
        cache.cache_clear()


def change(file, old, new):
    """Replace what this pattern finds. Something has to be there."""
    text, changes = re.subn(old, new, file.read_text(), count=1, flags=re.MULTILINE)
    assert changes
    file.write_text(text)


def add(file, text):
    file.write_text((file.read_text() if file.is_file() else "") + text)


def method(name, does):
    """A method for the end of a class. It takes anything."""
    return f"\n    def {name}(self, *given):\n        {does}\n"


WRONG = {
    "lower case": (lambda games: change(games / "highest/rules.py", "^name = .*", 'name = "High est"'), "High est"),
    "version": (lambda games: change(games / "highest/rules.py", "^version = .*", "version = 'two'"), "a whole number"),
    "seats": (lambda games: change(games / "highest/rules.py", "^seats = .*", "seats = 4"), "such as range"),
    "function": (lambda games: change(games / "highest/rules.py", "^def result", "def outcome"), "lacks result"),
    "called": (lambda games: add(games / "highest/rules.py", "\napply = 3\n"), "`apply` has to be a function"),
    "struct": (lambda games: add(games / "highest/rules.py", "\nOptions = dict\n"), "`Options` has to be a Struct"),
    "syntax": (lambda games: add(games / "matches/page.py", "\ndef x(:\n"), r"page\.py, line \d+: invalid syntax"),
    "error": (lambda games: add(games / "matches/page.py", "\nx = {}['a']\n"), r"page\.py, line \d+: KeyError: 'a'"),
    "import": (lambda games: add(games / "matches/bot.py", "\nimport nothing\n"), "No module named 'nothing'"),
    "class": (lambda games: change(games / "matches/page.py", "class Page", "class Pages"), "needs a class Page that"),
    "base": (lambda games: add(games / "highest/bot.py", "class Bot: pass"), "extends spieltisch.package.Bot"),
    "kind": (lambda games: change(games / "inventions/deck.py", "class Kind", "class Kinds"), "needs a class Kind"),
    "box": (lambda games: add(games / "matches/box.toml", "\ncolour = 'red'\n"), r"box\.toml: .*`colour`"),
    "twice": (
        lambda games: change(games / "highest/rules.py", "^name = .*", 'name = "adaman"'),
        "two games are called",
    ),
    "default": (
        lambda games: change(games / "highest/rules.py", "    change: bool = True.*", "    change: bool"),
        "options need a default: change",
    ),
    "deck": (lambda games: change(games / "highest/rules.py", "^DECK = .*", ""), "needs a DECK"),
    "labels": (
        lambda games: change(games / "matches/page.py", "    labels = .*", "    labels = ['Matches']"),
        r"page\.py, line 24: `labels` is \['Matches'\], but has to be Mapping\[str, str\]",
    ),
    "way": (
        lambda games: change(
            games / "matches/page.py", "    labels = .*", "    ways = {'fast': package.Way(words='Fast')}"
        ),
        r"line 24: `ways` is .*, but has to be Mapping\[Literal\['quick', 'classic', 'children'\], Way\]",
    ),
    "levels": (
        lambda games: change(games / "matches/bot.py", "    levels = .*", "    levels = ['beginner', 'expert']"),
        r"bot\.py, line \d+: `levels` is \['beginner', 'expert'\]",
    ),
    "blanks": (
        lambda games: change(games / "inventions/deck.py", "    blanks = .*", "    blanks = ['csv']"),
        r"deck\.py, line \d+: `blanks` is \['csv'\]",
    ),
    "words": (
        lambda games: change(games / "inventions/deck.py", "    words = .*", "    words = ['inventor']"),
        r"deck\.py, line \d+: `words` is \['inventor'\]",
    ),
    "sheet": (
        lambda games: add(
            games / "inventions/deck.py", "    def is_headed(self, names, meant, about):\n        names[7]\n"
        ),
        r"deck\.py, line \d+: IndexError",
    ),
    "kind twice": (
        lambda games: change(games / "inventions/deck.py", "    name = .*", '    name = "events"'),
        "two games have decks of the kind events",
    ),
    "deck twice": (
        lambda games: shutil.copy(games / "inventions/decks/inventions.csv", games / "inventions/decks/recent.csv"),
        "two games have a deck called recent",
    ),
    "no package": (lambda games: (games / "highest/__init__.py").unlink(), "needs a file __init__.py"),
}


@pytest.mark.parametrize(("spoil", "told"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_in_a_game_is_told_with_its_file(folder, capsys, spoil, told):
    spoil(folder)
    assert cli._run(["warm"]) == 1
    sentence = capsys.readouterr().err
    assert re.fullmatch(rf"spieltisch: [^\n]*{re.escape(str(folder))}[^\n]*\n", sentence)
    assert re.search(told, sentence)


@pytest.mark.parametrize(("named", "told"), [("nothing", "which is no folder"), ("highest", "the folder around")])
def test_a_folder_without_games_is_told(folder, monkeypatch, named, told):
    look_in(folder / named, monkeypatch)
    with pytest.raises(UnusableGameError, match=told):
        games.packages()


FILES = {
    "template": ("matches/templates/table.html", "{% if", "table.html: .*syntax error"),
    "lesson": ("matches/lesson.toml", "\n[", "lesson.toml: "),
    "lesson with a broken step": ("matches/lesson.toml", "\n[[log]]\nseat = 9\n", "lesson.toml: KeyError"),
    "catalogue": ("matches/locale/de.po", 'msgid "x\n', "de.po: "),
    "deck": ("inventions/decks/inventions.csv", "no card\n", "inventions.csv: "),
}


@pytest.mark.parametrize(("file", "more", "told"), FILES.values(), ids=FILES)
def test_a_file_of_a_game_that_cannot_be_used_is_told_before_a_server_starts(folder, file, more, told):
    require_whole(games.packages().values())
    add(folder / file, more)
    games.packages.cache_clear()
    with pytest.raises(UnusableGameError, match=told):
        require_whole(games.packages().values())


ACTS = {
    "options raises": ("matches/page.py", method("options", "{}['x']"), r"page\.py, line \d+: KeyError: 'x'"),
    "options returns": (
        "matches/page.py", method("options", "return {}"), r"page\.py, line \d+: `options` returns {}, but has"
    ),
    "way of other options": (
        "matches/page.py", "    ways = {'quick': package.Way(words='Quick', options={'fast': 1})}\n",
        r"page\.py, line \d+: ways: there is no option fast, only matches, last_wins",
    ),
    "content": ("matches/page.py", "    content = {'names': lambda lang: [][0]}\n", r"page\.py, line \d+: IndexError"),
    "prepare": ("matches/page.py", method("prepare", "return None"), "`prepare` returns None, but has to return M"),
    "words": ("matches/page.py", method("describe", "return given[0]"), "`describe` returns .*, but has to"),
    "bot": ("matches/bot.py", "\n    def choose(self, *given):\n        return 7\n\n", "choose: 7 is not in `legal`"),
    "beliefs": ("matches/beliefs.py", method("form", "1 / 0"), r"beliefs\.py, line \d+: ZeroDivisionError"),
    "example": ("inventions/deck.py", method("example", "return 'year'"), "`example` returns 'year'"),
    "chance": (
        "highest/rules.py", "\ndef resolve_chance(state, outcome):\n    return state\n",
        "/highest: The rules of highest have a fault: chance is pending again and again",
    ),
    "to act": ("highest/rules.py", "\ndef to_act(public):\n    return 1\n", "/highest: .*`to_act` returns int"),
}  # fmt: skip


@pytest.mark.parametrize(("file", "more", "told"), ACTS.values(), ids=ACTS)
def test_what_a_game_does_wrong_on_common_pages_is_told_before_a_server_starts(folder, file, more, told):
    if file == "matches/bot.py":  # its class is not the last thing there
        change(folder / file, "^def is_lost", f"class Bot(Bot):{more}\ndef is_lost")
    else:
        add(folder / file, more)
    with pytest.raises(UnusableGameError, match=rf"{re.escape(str(folder))}.*{told}") as wrong:
        require_whole(games.packages().values())
    assert str(wrong.value).count("\n") == 0


def test_rules_in_another_encoding_are_told(folder):
    (folder / "matches/rules.fr.md").write_bytes("Règles".encode("latin-1"))
    with pytest.raises(UnusableGameError, match=r"rules\.fr\.md: 'utf-8' codec"):
        require_whole(games.packages().values())


def test_a_game_that_never_ends_its_trial_is_told_with_the_line(folder, monkeypatch):
    add(folder / "matches/page.py", method("options", "import sys\n        while not hasattr(sys, 'toys_end'): pass"))
    monkeypatch.setattr(brought, "LONGEST", 0.5)
    try:
        with pytest.raises(UnusableGameError, match=r"page\.py, line \d+: this has not ended after"):
            require_whole(games.packages().values())
    finally:
        monkeypatch.setattr(sys, "toys_end", True, raising=False)


def test_our_own_games_pass_the_same_look():
    for package in games.packages().values():
        brought._require_whole(package)
        for part, base in games._PARTS.items():
            require_values(getattr(package, part), base)
    for kind in base_kind.kinds().values():
        require_values(kind, base_kind.DeckKind)


def test_a_game_that_fails_on_a_page_of_all_games_is_left_out(folder, caplog):
    def draw(package):
        return {"matches": ""}.get(package.name, package.name)[0]

    found = catalog.of_each(games.packages().values(), draw)
    assert len(found) == len(games.packages()) - 1
    assert "a page leaves out the game matches" in caplog.text

    def draw_ours(package):
        raise KeyError({"adaman": 1}[package.name])

    with pytest.raises(KeyError):  # ours are not left out
        catalog.of_each(games.packages().values(), draw_ours)


def test_a_server_does_not_start_with_such_a_game(folder, tmp_path):
    add(folder / "matches/templates/table.html", "{% if")
    ran = subprocess.run(
        [sys.executable, "-m", "spieltisch", "serve", "--data", tmp_path / "data", "--port", "0", "--no-browser"],
        env=os.environ | {"SPIELTISCH_GAMES": str(folder)},
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert ran.returncode == 1
    assert re.fullmatch(r"spieltisch: .*/matches/templates/table\.html: .*syntax error.*\n", ran.stderr)


@pytest.fixture(params=[JsonLines, PlainLines])
def logged(request):
    """Formats an error as a line of the log."""

    def line(error):
        record = logging.LogRecord("spieltisch", logging.ERROR, "", 0, "it failed", (), (type(error), error, None))
        return request.param().format(record)

    return line


def raised(does, *given):
    with pytest.raises(Exception) as error:
        does(*given)
    return error.value


def test_the_log_has_the_words_and_the_line_of_an_error_in_a_game_from_elsewhere(folder, logged):
    add(folder / "matches/page.py", method("tell", "raise KeyError('its own words')"))
    line = logged(raised(games.packages()["matches"].page.tell, None, None, None))
    number = len((folder / "matches/page.py").read_text().splitlines())
    assert f"{folder}/matches/page.py:{number}" in line
    assert "its own words" in line


def test_the_log_has_the_line_of_an_error_in_another_process(folder, logged):
    error = ValueError("its own words")
    error.__cause__ = Exception(f'File "/usr/x.py", line 3, in x\nFile "{folder}/matches/bot.py", line 7, in x')
    assert f"{folder}/matches/bot.py:7" in logged(error)
    assert "its own words" in logged(error)


def test_the_log_has_the_line_of_a_template_from_elsewhere(folder, logged):
    wrong = minijinja.Environment(templates={"matches/table.html": "<p>\n{{ takes() }}", "home/home.html": "{{ x() }}"})
    line = logged(raised(wrong.render_template, "matches/table.html"))
    assert f"{folder}/matches/templates/table.html:2" in line
    assert "takes is unknown" in line
    ours = logged(raised(wrong.render_template, "home/home.html"))
    assert "home/home.html:1" in ours
    assert "is unknown" not in ours


def test_the_log_has_no_words_of_our_own_errors(folder, logged):
    line = logged(raised(games.packages()["adaman"].rules.apply, "somebody's cards", 0, None))
    assert "AttributeError" in line
    assert "has no attribute" not in line


@pytest.mark.anyio
async def test_a_slip_at_the_table_is_logged_for_its_author_and_told_to_nobody(folder, tmp_path, caplog):
    change(folder / "matches/templates/table.html", "\\A", "\n{{ secretly() }}")
    async with served(tmp_path) as site, site.browser() as ada:
        opened = await ada.post("/play", data={"game": "matches", "name": "Ada", "bots": "1"})
        page = await ada.get(opened.headers["location"])
    assert page.status_code == 500
    assert "secretly" not in page.text
    lines = [JsonLines().format(record) for record in caplog.records if record.exc_info]
    assert f"{folder}/matches/templates/table.html:2" in "".join(lines)
