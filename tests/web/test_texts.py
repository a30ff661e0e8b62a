"""Every sentence that people can read has its German: of the site's pages and of every game."""

import builtins
import re
import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from spieltisch import games, i18n, web
from spieltisch.game import Illegal
from spieltisch.web.core import catalog, renderer
from spieltisch.web.core.precompiled import precompiled

ROOT = Path(web.__file__).parents[3]
SOURCE = ROOT / "src" / "spieltisch"


def test_catalogues_hold_what_is_said_and_nothing_else():
    """`make messages` brings them up to date; what it adds needs a translation, see below."""
    check = [sys.executable, str(ROOT / "tools" / "messages.py"), "--check"]
    assert subprocess.run(check, capture_output=True, text=True, check=False).stdout == ""


@pytest.mark.parametrize("file", sorted(SOURCE.rglob("*.po")), ids=lambda f: f"{f.parents[1].name}-{f.stem}")
def test_translations_fill_the_same_braces(file):
    with file.open("rb") as po:
        catalog = read_po(po, abort_invalid=True)
    for message in catalog:
        if not message.id:
            continue
        ids = message.id if isinstance(message.id, tuple) else (message.id,)
        strings = message.string if isinstance(message.string, tuple) else (message.string,)
        wanted = set(re.findall(r"\{(\w+)", " ".join(ids)))
        assert not message.fuzzy, ids
        for string in filter(None, strings):
            braces = set(re.findall(r"\{(\w+)", string))
            assert braces <= wanted, ids
            assert wanted - braces <= {"n"}, ids  # a singular may do without its number


def test_the_language_that_a_browser_likes_best():
    for header, lang in {
        "de": "de", "de-CH,sw": "de", "en-GB,en;q=0.9,de;q=0.8": "en", "sw": "en", "": "en", "de;q=x": "en",
        "sw;q=1, de;q=0.5, en;q=0.7": "en", "fr-BE,en;q=0.5": "fr", "*": "en", ";;,,=": "en",
    }.items():  # fmt: skip
        assert i18n.accepted(header) == lang, header


def test_a_context_tells_two_meanings_apart():
    """In Python, in a template as text, in an expression and with braces; a message without a context stays itself."""
    tr = i18n.common_translator("de")
    assert (tr._("Series"), tr.pgettext("several", "Series")) == ("Serie", "Serien")
    assert tr.pgettext("no such context", "Series") == "Series"
    written = '{{ _("Series") }} {{ pgettext("several", "Series") }} {% set a = pgettext("several", "Series") %}'
    drawn = precompiled("any.html", lambda _name: written, tr.catalog, {})
    assert drawn == 'Serie Serien {% set a = ("Serien") %}'


def test_a_dash_begins_no_line():
    tr = i18n.common_translator("de")
    written = '{{ _("Looking back – {game}", game=x) }} {% set a = _("Looking back – {game}", game=x) %}'
    drawn = precompiled("any.html", lambda _name: written, tr.catalog, {})
    assert drawn == 'Rückblick\u00a0– {{ x }} {% set a = fill("Rückblick\u00a0– {game}", game=x) %}'
    titles = [catalog.box(package, tr)["title"] for package in games.packages().values()]
    assert "hic\u00a0– haec\u00a0– hoc" in titles


def test_a_message_is_filled_with_texts_and_messages():
    tr = i18n.common_translator("fr")
    pair = '{{ _("{name}: {words}", name=%s, words=%s) }}'
    written = pair % ('_("Rules")', '""') + "|" + pair % ('"<"', '_("Line {n}", n=f.n)')
    drawn = precompiled("any.html", lambda _name: written, tr.catalog, {})
    assert drawn == 'Règles\u00a0:{{ " " }}|&lt;\u00a0: Ligne {{ f.n }}'
    assert tr.labelled("Ada", 3) == "Ada\u00a0: 3"


EXPRESSION = re.compile(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)
SILENT = re.compile(r"<(style|script|svg)\b.*?</\1>|<kbd>.*?</kbd>|<(?!/?[a-z])[^>]*>", re.DOTALL)
SPOKEN = re.compile(r'\b(?:aria-[a-z]+|title|alt|placeholder)="([^"]*)"')
TAG = re.compile(r"<[^>]*>|&\w+;")


@pytest.mark.parametrize(
    "file", sorted(SOURCE.glob("*/**/templates/*.html")), ids=lambda f: f"{f.parents[1].name}-{f.stem}"
)
def test_no_template_has_punctuation_that_languages_space_otherwise(file):
    """It belongs into a message: French has a space before a colon, and other quotation marks."""
    text = SILENT.sub("", EXPRESSION.sub("·", file.read_text("utf-8")))
    said = [TAG.sub(" ", text), *(one for one in SPOKEN.findall(text) if "/" not in one)]
    assert not [found for one in said for found in re.findall(r".*(?:[:;!?](?!\w)|[“”„«»]).*", one)]


def test_words_for_somebody():
    tr = i18n.Translator(i18n.common_catalog("de"), "de", ["Ada", "Ben"], 1)
    assert tr.name(0) == "Ada"
    assert tr.refusal(Illegal("There is nothing to take back.")) != "There is nothing to take back."
    assert tr.refusal(Illegal("{n} x {m}", n=1, m=2)) == "1 x 2"
    assert builtins.callable(tr._)


def test_a_piece_knows_nothing_but_what_it_is_given():
    """Pieces are cached for all tables and seats, so they must know neither names nor the viewer."""
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
