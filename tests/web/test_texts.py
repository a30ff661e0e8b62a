"""Every sentence that people can read has its German: of the site's pages and of every game."""

import ast
import builtins
import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from spieltisch import games, i18n, web
from spieltisch.decks.exporting.files import EXPORTS
from spieltisch.game import Illegal
from spieltisch.web.core import renderer
from spieltisch.web.core.http import problems

SOURCE = Path(web.__file__).parents[1]
REFUSALS = {"Illegal", "Stale", "Invalid", "Missing", "Forbidden", "TooMany", "Busy", "DataError", "Damaged"}
IN_TEMPLATE = re.compile(
    r"""(?:\b_|ngettext)\(\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')(?:\s*,\s*("(?:[^"\\]|\\.)*"))?"""
)


def constants(node, module):
    """The texts in an expression: constants, also behind a name of the module."""
    found = [one.value for one in ast.walk(node) if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    if isinstance(node, ast.Name):
        for one in module.body:
            if isinstance(one, ast.Assign) and any(isinstance(t, ast.Name) and t.id == node.id for t in one.targets):
                found += [
                    n.value for n in ast.walk(one.value) if isinstance(n, ast.Constant) and isinstance(n.value, str)
                ]
    return found


def of_python(file, refusals):
    """What a module says through `_`, `ngettext` and its refusals, and its labels."""
    module = ast.parse(file.read_text())
    for node in ast.walk(module):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        named = {t.id for t in targets if isinstance(t, ast.Name)}
        labels = named & {"LABELS", "LEVELS"}
        if isinstance(node, ast.Assign) and named & {"PHRASES", "phrases", "review_title"}:
            yield from constants(node.value, module)
        if labels and isinstance(node, ast.Assign | ast.AnnAssign):
            assert isinstance(node.value, ast.Dict)
            yield from (v.value for v in node.value.values if isinstance(v, ast.Constant))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Way":
            yield from (text for one in node.keywords if one.arg == "words" for text in constants(one.value, module))
        if not isinstance(node, ast.Call) or not node.args:
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in {"_", "say"} or name == "ngettext" or name in refusals:
            yield from constants(node.args[0], module)


def of_template(file):
    for match in IN_TEMPLATE.finditer(file.read_text()):
        yield ast.literal_eval(match[1])


def said_by_the_site():
    for file in sorted((SOURCE / "web").rglob("*.py")):
        yield from of_python(file, REFUSALS)
    for file in sorted(file for folder in ("table", "cluster", "classroom") for file in (SOURCE / folder).glob("*.py")):
        yield from of_python(file, REFUSALS)
    files = ("paths.py", "backup.py", "games/__init__.py")
    for file in (*(SOURCE / name for name in files), *sorted((SOURCE / "table" / "store").glob("*.py"))):
        yield from of_python(file, REFUSALS)
    for file in sorted((SOURCE / "web").rglob("*.html")):
        yield from of_template(file)
    for file in sorted((SOURCE / "cli").glob("*.py")):
        yield from of_python(file, {*REFUSALS, "counted"})
    for folder in ("arena", "study", "study/questions", "games/*/study", "games/*/study/questions"):
        for file in sorted(SOURCE.glob(f"{folder}/*.py")):
            yield from of_python(file, {*REFUSALS, "LostError", "message", "counted"})
    for file in sorted((SOURCE / "privacy").glob("*.py")):
        yield from of_python(file, {"message"})
    yield from problems.WORDS.values()
    yield from (one.label for one in EXPORTS.values())


def said_by(package):
    for file in sorted(package.folder.glob("*.py")):
        if file.name != "record.py":  # records are read by programs
            yield from of_python(file, {Illegal.__name__, "message"})
    for file in sorted(package.folder.glob("templates/*.html")):
        yield from of_template(file)


def missing(words, said):
    known, plural = set(), words.translations
    while plural is not None:
        known |= {key[0] if isinstance(key, tuple) else key for key in getattr(plural, "_catalog", {})}
        plural = plural._fallback
    return sorted({one for one in said if one and one not in known and re.search("[A-Za-z]{2}", one)})


def test_the_site_speaks_german():
    assert missing(i18n.common_catalog("de"), said_by_the_site()) == []


@pytest.mark.parametrize("package", games.packages().values(), ids=lambda package: package.name)
def test_every_room_speaks_german(package):
    assert missing(i18n.package_catalog(package.folder, "de"), said_by(package)) == []


@pytest.mark.parametrize("file", sorted(SOURCE.rglob("locale/*.po")), ids=lambda f: f.parents[1].name)
def test_translations_fill_the_same_braces(file):
    with file.open("rb") as po:
        catalog = read_po(po, locale=file.stem, abort_invalid=True)
    for message in catalog:
        if not message.id:
            continue
        ids = message.id if isinstance(message.id, tuple) else (message.id,)
        strings = message.string if isinstance(message.string, tuple) else (message.string,)
        wanted = set(re.findall(r"\{(\w+)", " ".join(ids)))
        assert all(strings), f"{ids[0]!r} is not translated"
        assert not message.fuzzy, ids
        for string in strings:
            braces = set(re.findall(r"\{(\w+)", string))
            assert braces <= wanted, ids
            assert wanted - braces <= {"n"}, ids  # a singular may do without its number


def test_the_language_that_a_browser_likes_best():
    for header, lang in {
        "de": "de", "de-CH,fr": "de", "en-GB,en;q=0.9,de;q=0.8": "en", "fr": "en", "": "en", "de;q=x": "en",
        "fr;q=1, de;q=0.5, en;q=0.7": "en", "*": "en", ";;,,=": "en",
    }.items():  # fmt: skip
        assert i18n.accepted(header) == lang, header


def test_a_context_tells_two_meanings_apart():
    """In Python, in a template as text, in an expression and with braces; a message without a context stays itself."""
    tr = i18n.common_translator("de")
    assert (tr._("Series"), tr.pgettext("several", "Series")) == ("Serie", "Serien")
    assert tr.pgettext("no such context", "Series") == "Series"
    drawn = renderer.prepared(
        '{{ _("Series") }} {{ pgettext("several", "Series") }} {% set a = pgettext("several", "Series") %}', tr.catalog
    )
    assert drawn == 'Serie Serien {% set a = ("Serien") %}'


def test_words_for_somebody():
    tr = i18n.Translator(i18n.common_catalog("de"), "de", ["Ada", "Ben"], 1)
    assert tr.name(0) == "Ada"
    assert tr.refusal(Illegal("There is nothing to take back.")) != "There is nothing to take back."
    assert tr.refusal(Illegal("{n} x {m}", n=1, m=2)) == "1 x 2"
    assert builtins.callable(tr._)


def test_a_piece_knows_nothing_but_what_it_is_given():
    """It is kept for all tables and seats, so whoever draws it must not know names or who looks."""
    drawn, asked = renderer.Renderer(), []
    tr = i18n.Translator(i18n.common_catalog("de"), "de", ["Ada", "Ben"], 1)

    def shows(speaker, *given):
        asked.append((speaker.lang, speaker.me, given))
        with pytest.raises(IndexError):
            speaker.name(0)
        return {"i": 0, "name": "", "small": False}

    def find(name):
        return f"{name}.html", shows

    first = drawn.pieces(tr, find).piece("mark", 1, "x")
    other = i18n.Translator(i18n.common_catalog("de"), "de", ["Cy"], None)
    assert drawn.pieces(other, find).piece("mark", 1, "x") is first
    drawn.pieces(i18n.common_translator("en"), find).piece("mark", 1, "x")
    assert asked == [("de", None, (1, "x")), ("en", None, (1, "x"))]
