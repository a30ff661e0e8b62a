"""Broken files of a language from outside: the program starts, tells which they are, and goes on without them."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from spieltisch import makers
from spieltisch.cli.app import app
from spieltisch.cli.language_folder import shapes
from spieltisch.game import Invalid
from spieltisch.languages import LANGUAGES, Language, decoded

SHAPES = {"language.toml": Language, **dict(shapes())}
WRONG = "(?P<n>({nothing} ("  # neither a regular expression nor filled by anything
CATALOGUE = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n{}"\n\n'
# What a program does that uses all files of a language, and what it then says of them.
PROGRAM = """
import json
from spieltisch import i18n
from spieltisch.decks.dates import read_date
from spieltisch.decks.importing import headings
from spieltisch.decks.lint import phrases, spoilers, suggestions
from spieltisch.languages import LANGUAGES, text
from spieltisch.study.lab import likeness, telling, times
from spieltisch.web.decks.views import date_help

for tag in LANGUAGES:
    for date in ("44 BC", "around 1900", "8th c. BC", "early 19th century", "1960s", "12 May 1949", "before 300"):
        assert read_date(date).text[tag], (tag, date)
    assert date_help(tag) and text(tag, "plans/latin.md")
    said = i18n.common_catalog(tag).counted("{n} card", "{n} cards", 2)
    assert "2" in i18n.common_catalog(tag).gettext("Table {code}").format(code=2) and "2" in said, said
    i18n.translated(tag)
print(json.dumps([[*LANGUAGES], [str(one) for one in i18n.broken()]]))
"""
STRING = re.compile(r'"[^"\n]*" *=|' + r"('''.*?'''|\"\"\".*?\"\"\"|'[^'\n]*'|\"[^\"\n]*\")", re.DOTALL)


def is_refused(text, shape):
    with tempfile.NamedTemporaryFile("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        try:
            decoded(Path(file.name), shape)
        except Invalid:
            return True
    return False


def spoiled(file, shape):
    """The text of a `.toml` file with one of its strings wrong, for each that is refused then; and with all others
    wrong together, since the program has to do with these.
    """
    text = file.read_text("utf-8")
    spans = [found.span(1) for found in STRING.finditer(text) if found[1]]
    refused, left = [], text
    for start, end in reversed(spans):
        one = f"{text[:start]}'{WRONG}'{text[end:]}"
        if is_refused(one, shape):
            refused.append(one)
        else:
            left = f"{left[:start]}'{WRONG}'{left[end:]}"
    return refused, left


@pytest.mark.parametrize(
    ("name", "least"), [("dates.toml", 50), ("lint.toml", 15), ("headings.toml", 1), ("lab.toml", 8)]
)
def test_what_cannot_be_joined_or_filled_is_refused(name, least):
    refused, _ = spoiled(LANGUAGES["en"].folder / name, SHAPES[name])
    assert len(refused) >= least


@pytest.mark.parametrize("tag", LANGUAGES)
def test_the_programs_own_files_are_in_order(tag):
    """They are not checked at each start."""
    for name, shape in shapes():
        if (file := LANGUAGES[tag].folder / name).is_file():
            decoded(file, shape).require_usable()


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    """Folders of languages, and which file is wrong in each."""
    root, english = tmp_path_factory.mktemp("broken"), LANGUAGES["en"].folder
    texts = {
        "language.toml": ["name = 3", b"\0"],
        "examples/dates.txt": ["1903\nnever\n"],
        "plans/latin.md": [b"\xff"],
        "messages/spieltisch.po": [
            b"\xff", 'msgid "', CATALOGUE.format("Plural-Forms: nplurals=2; plural=n/0;\\n"),
            CATALOGUE.format("Plural-Forms: plural;\\n"), CATALOGUE.replace("utf-8", "nothing").format(""),
            CATALOGUE.format("") + 'msgid "Table {code}"\nmsgstr "{kod}"\n',
            CATALOGUE.format("") + 'msgid "Table {code}"\nmsgstr "{"\n',
            CATALOGUE.format("") + 'msgid "{n} card"\nmsgid_plural "{n} cards"\nmsgstr[0] "{}"\nmsgstr[1] "{n:q}"\n',
        ],
        "messages/spieltisch.mo": [b"", b"\xde\x12\x04\x95", b"nothing of the kind"],
    }  # fmt: skip
    for name, shape in SHAPES.items():
        refused, left = spoiled(english / name, shape)
        texts[name] = [*texts.get(name, []), refused[0], left, "\0"]
    tags, found = (f"x{one}{other}" for one in "abcdefgh" for other in "abcdefgh"), {}
    for name, said in texts.items():
        for text in said:
            folder = root / next(tags)
            shutil.copytree(english, folder)
            settings = folder / "language.toml"
            settings.write_text(re.sub("(?m)^column.*", "", settings.read_text("utf-8")), "utf-8")
            file = folder / name
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(text if isinstance(text, bytes) else re.sub("(?m)^column = .*", "", text).encode())
            found[folder] = name
    return root, found


def test_no_broken_file_stops_the_program(places):
    root, folders = places
    sound = next(one for one in folders if folders[one] == "examples/dates.txt")
    shutil.copytree(sound, root / "Not a tag")
    shutil.copytree(LANGUAGES["en"].folder, root / "en")  # instead of ours
    (root / "en" / "dates.toml").write_text("\0")
    places = os.pathsep.join([str(root), str(root / "nowhere")])
    env = os.environ | {"SPIELTISCH_LANGUAGES": places, makers.CHOICE: "plain"}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    known, told = json.loads(done.stdout)
    assert f"there is no language in {root / 'nowhere'}" in told
    for folder, name in folders.items():
        said = [one for one in told if str(folder) in one]
        if name == "language.toml":
            assert bool(said) == (folder.name not in known), (said, folder)
        else:
            assert folder.name in known
    assert "Not a tag" not in known
    wholes = [folder for folder, name in folders.items() if name.endswith((".po", ".mo", ".md"))]
    assert [one for one in wholes if not any(str(one) in line for line in told)] == []


@pytest.mark.parametrize(
    "name", ["dates.toml", "lint.toml", "headings.toml", "messages/spieltisch.po", "plans/latin.md"]
)
def test_the_check_names_each_broken_file(places, capsys, name):
    _root, folders = places
    folder = next(reversed([one for one, broken in folders.items() if broken == name]))
    assert app(["language", "check", str(folder)], exit_on_error=False, result_action="return_value") == 1
    assert any(line.startswith(name) for line in capsys.readouterr().err.splitlines())
