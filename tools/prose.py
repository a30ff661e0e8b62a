"""Words, mean and longest sentence of each page, as a table: python tools/prose.py [--longest] [PAGE …]

Code blocks and comments do not count. Sentences are those of paragraphs and list items.
"""

import re
import sys
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).parents[1]
END = re.compile(r"(?<=[.!?:;])[)”“\"']?\s+(?=[^\W_a-z]|[„“`])")
SHORT = re.compile(r"\b(e\.g|i\.e|z\. ?B|vs|Art|Nr|No|u\. ?a|d\. ?h|bzw|usw|ca)\.\s")
WORD = re.compile(r"\w[\w'’.,/%-]*")


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


def read(page: str) -> tuple[int, int, list[str]]:
    """The number of words outside and inside of tables, and the sentences."""
    page = re.sub(r"\A---\n.*?\n---\n", "", page, flags=re.DOTALL)
    words, cells, sentences, where = 0, 0, [], ""
    for token in MarkdownIt("commonmark").enable("table").parse(page):
        if token.type.endswith("_open"):
            where = token.type
        if token.type == "inline":
            text = text_of(token)
            if where in {"td_open", "th_open"}:
                cells += len(WORD.findall(text))
            else:
                words += len(WORD.findall(text))
            if where == "paragraph_open":
                text = SHORT.sub(r"\1_ ", re.sub(r"^: ", "", text))
                sentences += [one for one in END.split(text) if len(WORD.findall(one)) > 2]
    return words, cells, sentences


def main(args: list[str]) -> None:
    """Print the table, or the longest sentences of the pages."""
    longest = "--longest" in args
    pages = [Path(one).resolve() for one in args if one != "--longest"] or [
        *sorted(ROOT.glob("README*.md")),
        *(one for one in sorted((ROOT / "docs").rglob("*.md")) if one.parent.name not in {"api", "decisions"}),
    ]
    total, tables = 0, 0
    if not longest:
        print(f"{'page':32} {'text':>6} {'tables':>6} {'mean':>5} {'longest':>7}")
    for page in pages:
        words, cells, sentences = read(page.read_text(encoding="utf-8"))
        lengths = [len(WORD.findall(one)) for one in sentences]
        total, tables = total + words, tables + cells
        if longest:
            for length, one in sorted(zip(lengths, sentences, strict=True), reverse=True)[:12]:
                print(f"{page.name}: {length}: {one}")
        else:
            mean = sum(lengths) / max(len(lengths), 1)
            print(f"{page.relative_to(ROOT)!s:32} {words:6} {cells:6} {mean:5.1f} {max(lengths, default=0):7}")
    if not longest:
        print(f"{f'{len(pages)} pages':32} {total:6} {tables:6}")


if __name__ == "__main__":
    main(sys.argv[1:])
