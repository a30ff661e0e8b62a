"""The checker of prose finds what it should; the German pages show the same examples as the English ones."""

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import prose  # noqa: E402  # ty: ignore[import-not-found]

PAGES = [page for page in sorted((ROOT / "docs" / "de").glob("*.md")) if page.name != "index.md"]


@pytest.mark.parametrize(
    ("words", "wrong", "doubtful"),
    [
        ("You is thinking.", 1, 0),
        ("It is is here.", 1, 0),
        ("Who leads the class can do that.", 0, 1),
        ("Who sits here?", 0, 0),
        ("Deal the cards anew.", 0, 1),
        ("`--keep-days` days later, you are done.", 0, 0),
    ],
)
def test_a_sentence_is_judged(words, wrong, doubtful):
    texts = [prose.Text("page", words)]
    assert (len(prose.findings(texts, prose.WRONG)), len(prose.findings(texts, prose.DOUBTFUL))) == (wrong, doubtful)


def test_nothing_plainly_wrong_is_said(capsys):
    assert prose.check() == 0, capsys.readouterr().out


def test_sentences_are_told_apart(tmp_path, monkeypatch):
    monkeypatch.setattr(prose, "ROOT", tmp_path)
    page = tmp_path / "page.md"
    page.write_text("# Title\n\nOne two three. `serve` four five.\n\n| a | b c |\n| - | - |\n\n```sh\nnot read\n```\n")
    words, cells, sentences = prose.read(page)
    assert (words, cells) == (7, 3)
    assert [(one.place, prose.count(one.words)) for one in sentences] == [("page.md:3", 3), ("page.md:3", 3)]


def shape(page):
    """The examples of a page with their marks, and the levels of its headings."""
    blocks = re.findall(
        r"((?:<!--[^>]*-->\n)?)^ *```(\S*)\n(.*?)^ *```", page.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    code = [(kind, re.sub(r" *(#|//).*", "", text)) for _, kind, text in blocks]
    levels = re.findall(r"^(#+) ", re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL), re.MULTILINE)
    return code, levels


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_german_page_shows_the_same_examples(page):
    assert shape(page) == shape(ROOT / "docs" / page.name)


@pytest.mark.parametrize("name", ["start.md", "teaching.md"])
def test_what_a_german_page_quotes_stands_on_the_screen(name):
    messages = "\n".join(po.read_text("utf-8") for po in (ROOT / "src").rglob("*.po"))
    said = set(re.findall(r'^msgstr "(.+)"$', messages, re.MULTILINE))
    quoted = re.findall("„(.+?)“", (ROOT / "docs" / "de" / name).read_text("utf-8"), re.DOTALL)
    assert len(quoted) >= 5
    assert [words for words in quoted if " ".join(words.split()) not in said] == []
