"""How our texts read: pages in docs/, the READMEs, and the English and German of the catalogues.

python tools/prose.py                  # words, mean and longest sentence of each page
python tools/prose.py --longest PAGE   # the longest sentences of a page
python tools/prose.py --check          # what to look at; status 1 only for what is plainly wrong
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from babel.messages.pofile import read_po
from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).parents[1]
ELSEWHERE = {"api", "decisions"}  # docstrings; and decisions, which keep the words of their day
DIARIES = {"changelog.md", "errata.md", "status.md"}
END = re.compile(r"(?<=[.!?:;])[)”“\"']?\s+(?=[^\W_a-z]|[„“`])")
SHORT = re.compile(r"\b(e\.g|i\.e|z\. ?B|vs|Art|Nr|No|u\. ?a|d\. ?h|bzw|usw|ca)\.\s")
WORD = re.compile(r"\w[\w'’.,/%-]*")
LONG = 25  # words; longer sentences have to be read twice

WRONG = {
    "a word twice": re.compile(r"(?<![\w-])(?!(?:that|had|die|der|das|hic|haec|hoc)\b)([a-zäöüß]{2,}) \1\b"),
    "wrong grammar": re.compile(r"\b(?:You|They|We) (?:is|was|has)\b"),
}
DOUBTFUL = {
    "name the actor": re.compile(r"^Who\b[^?]*\.$|\b[Ww]hoever\b|\b(?:for|by|to) who\b"),
    "plain English has another word": re.compile(
        r"\b(?:anew|of which|in which case|so many that|let pass|is had|be through|all the same)\b"
    ),
}


class Text(NamedTuple):
    """A sentence or message, and where it is."""

    place: str
    words: str


def text_of(token: Token) -> str:
    """The visible text of an inline token; code stays one word."""
    parts = []
    for child in token.children or []:
        if child.type == "code_inline":
            parts.append("`code" if " " in child.content else f"`{child.content.strip('-')}")
        elif child.type in {"softbreak", "hardbreak"}:
            parts.append(" ")
        elif child.type in {"text", "image"}:
            parts.append(child.content)
    return "".join(parts)


def read(page: Path) -> tuple[int, int, list[Text]]:
    """The number of words outside and inside of tables, and the sentences of paragraphs and list items."""
    words, cells, sentences, where = 0, 0, [], ""
    for token in MarkdownIt("commonmark").enable("table").parse(page.read_text(encoding="utf-8")):
        if token.type.endswith("_open"):
            where = token.type
        if token.type == "inline":
            text = text_of(token)
            if where in {"td_open", "th_open"}:
                cells += count(text)
                continue
            words += count(text)
            if where == "paragraph_open" and token.map:
                text = SHORT.sub(r"\1_ ", re.sub(r"^: ", "", text))
                place = f"{page.relative_to(ROOT)}:{token.map[0] + 1}"
                sentences += [Text(place, one) for one in END.split(text) if count(one) > 2]
    return words, cells, sentences


def count(text: str) -> int:
    """The number of words."""
    return len(WORD.findall(text))


def pages() -> list[Path]:
    """The pages that people read."""
    found = (one for one in sorted((ROOT / "docs").rglob("*.md")) if one.parent.name not in ELSEWHERE)
    return [
        ROOT / "CONTRIBUTING.md",
        *sorted(ROOT.glob("README*.md")),
        *(one for one in found if one.name not in DIARIES),
    ]


def messages() -> Iterator[Text]:
    """The messages of the German catalogues, English and German."""
    for file in sorted((ROOT / "src").glob("spieltisch/languages/de/messages/*.po")):
        with file.open("rb") as lines:
            for message in read_po(lines):
                for said in (message.id, message.string):
                    for one in said if isinstance(said, (list, tuple)) else [said]:
                        yield Text(f"{file.relative_to(ROOT)}:{message.lineno}", one or "")


def findings(texts: list[Text], rules: dict[str, re.Pattern[str]]) -> list[str]:
    """A line for each text that a rule finds."""
    return [
        f"{place}: {rule}: “{found[0]}” in “{words[:90]}”"
        for place, words in texts
        for rule, pattern in rules.items()
        if (found := pattern.search(words))
    ]


def check() -> int:
    """Print what to look at, and return 1 if something is plainly wrong."""
    texts = [*messages()]
    long = 0
    for page in pages():
        _, _, sentences = read(page)
        long += sum(count(one.words) > LONG for one in sentences)
        texts += sentences
    wrong, doubtful = findings(texts, WRONG), findings(texts, DOUBTFUL)
    print(*(f"warning: {one}" for one in doubtful), *wrong, sep="\n")
    print(f"prose: {len(wrong)} wrong, {len(doubtful)} to look at, {long} sentences over {LONG} words in the pages")
    return 1 if wrong else 0


def table(chosen: list[Path]) -> None:
    """Print words, mean and longest sentence of each page."""
    total, tables = 0, 0
    print(f"{'page':32} {'text':>6} {'tables':>6} {'mean':>5} {'longest':>7}")
    for page in chosen:
        words, cells, sentences = read(page)
        lengths = [count(one.words) for one in sentences]
        total, tables = total + words, tables + cells
        mean = sum(lengths) / max(len(lengths), 1)
        print(f"{page.relative_to(ROOT)!s:32} {words:6} {cells:6} {mean:5.1f} {max(lengths, default=0):7}")
    print(f"{f'{len(chosen)} pages':32} {total:6} {tables:6}")


def main(args: list[str]) -> int:
    """Print what the arguments ask for."""
    chosen = [Path(one).resolve() for one in args if not one.startswith("--")] or pages()
    if "--check" in args:
        return check()
    if "--longest" in args:
        for page in chosen:
            for one in sorted(read(page)[2], key=lambda one: -count(one.words))[:12]:
                print(f"{one.place}: {count(one.words)}: {one.words}")
    else:
        table(chosen)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
