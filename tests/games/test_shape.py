"""One game, one folder, one shape: the same names mean the same in every game."""

import ast

import pytest

from spieltisch import games

EVERYWHERE = {
    "README.md", "__init__.py", "bot.py", "box.toml", "deck.py", "decks", "imagine.py", "lesson.toml",
    "news.py", "options.py", "page.py", "record.py", "review.py", "rules.py", "state.py", "static",
    "templates",
}  # fmt: skip
SOME = {
    "analysis.py",
    "beliefs.py",
    "daily.py",
    "debrief.py",
    "decisions.py",
    "engine",
    "learning.py",
    "plain",
    "print.typ",
    "prompt.py",
    "puzzle.py",
    "ready.py",
    "screen.py",
    "stories.py",
    "study",
}
OWN = {  # what only one game's rules or page need
    "adaman": {
        *("art.py", "chances.py", "coaching.py", "daily.txt", "decktet.py", "looking_back.py", "payments.py"),
        *("payments.txt", "positions.py", "solving.py"),
    },
    "anno-domini": {
        *("cards.py", "doubts.py", "events.py", "ledger.py", "planted.py", "reveal.py", "staging.py"),
    },
    "hic-haec-hoc": {
        "agreement.py",
        "contest.py",
        "faces.py",
        "forms.py",
        "pairs.py",
        "terms.py",
        "wording.py",
        "turns.py",
        "verdict.py",
    },
    "trailblaze": {"board.py", "firsts.py", "reveal.py"},
}
SCREEN = {"screen.css", "screen.js"}  # of the screen for all, where a game draws one of its own
SHARED = {
    "anno-domini": {"pay.js"},
    "trailblaze": {"points.js"},
}  # what a game's own page and its screen for all both load
STATE = {"Action", "GameState", "GameView", "Hidden", "Own", "Public"}


@pytest.mark.parametrize("package", games.packages().values(), ids=lambda package: package.name)
def test_every_game_has_the_same_shape(package):
    found = {path.name for path in package.folder.iterdir()} - {"__pycache__"}
    assert found >= EVERYWHERE
    assert found - EVERYWHERE - SOME == OWN[package.name]
    loaded = {path.name for path in (package.folder / "static").iterdir()} - SCREEN - SHARED.get(package.name, set())
    assert loaded == {"script.js", "style.css"}
    assert {"table.html", "review.html", "lid.html"} <= {path.name for path in (package.folder / "templates").iterdir()}


@pytest.mark.parametrize("package", games.packages().values(), ids=lambda package: package.name)
def test_every_state_has_the_same_names(package):
    module = ast.parse((package.folder / "state.py").read_text())
    named = {node.name for node in module.body if isinstance(node, ast.ClassDef)}
    named |= {target.id for node in module.body if isinstance(node, ast.Assign) for target in node.targets}
    assert named >= STATE
