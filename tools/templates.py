"""Breaks long lines of templates where it changes nothing: `python tools/templates.py [--check] FOLDER…`.

No formatter of HTML may touch them: in a line of buttons and words each space counts, and one that keeps all of them
hangs every `>` on the next line. So lines end in these places only, in the last one before the limit, of the first kind
that there is: after `%}` (the renderer drops the line break there: trim_blocks); at a space between words; between
attributes, but not before the first; at a space inside `{{ … }}` or `{% … %}`, outside strings.
"""

import re
import sys
from pathlib import Path

WIDE = 120  # drawings and long sentences have no place to break, and stay as they are

TOKEN = re.compile(r"\{#.*?#\}|\{\{.*?\}\}|\{%.*?%\}|\"|<!--.*?-->|<|>|[^\S\n]+|\n|[^\s{<>\"]+|.", re.DOTALL)
SPACE = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|( )")
PREPARED = re.compile(r"\{\{ (?:_|icon|glyph)\(")  # web/view/renderer.py looks for them on one line
KEPT = re.compile(r"<(pre|textarea|script|style)\b.*?</\1>", re.DOTALL)


def places(template: str) -> dict[int, int]:
    """Where a line may end, and how good a place it is: 0 after a block, else at a space, which the end replaces."""
    kept = [found.span() for found in KEPT.finditer(template)]
    found, tag, first, quoted, before = {}, False, False, False, ""
    for token in TOKEN.finditer(template):
        text, at = token[0], token.start()
        if text == "<":
            tag, first = True, True
        elif text == ">" and not quoted:
            tag = False
        elif text == '"' and tag:
            quoted = not quoted
        elif text == " " and not quoted:
            if before not in {"%}", "#}"} and not (tag and first):
                found[at] = 2 if tag else 1
            first = False
        elif text.startswith("{%") and not tag and not template[token.end() : token.end() + 1].isspace():
            found[token.end()] = 0
        if text.startswith(("{{", "{%")) and not PREPARED.match(text):
            inner = (space for space in SPACE.finditer(text, 3, len(text) - 3) if space[1])
            found |= {at + space.start(): 3 for space in inner}
        before = text[-2:]
    return {at: how for at, how in found.items() if not any(start <= at < end for start, end in kept)}


def broken(template: str) -> str:
    """The template with its long lines broken."""
    good, out, start = places(template), [], 0
    for line in template.splitlines(keepends=True):
        end = start + len(line)
        while end - start > WIDE + 1:
            near = [at for at in good if start < at <= start + WIDE and at < end - 1]
            near = near or sorted(at for at in good if start < at < end - 1)[:1]
            if not near:
                break
            at = min(near, key=lambda at: (good[at], -at))
            out.append(template[start:at] + "\n")
            start = at if good[at] == 0 else at + 1
        out.append(template[start:end])
        start = end
    return "".join(out)


def main(*words: str) -> int:
    check, folders = "--check" in words, [Path(word) for word in words if word != "--check"]
    wrong = 0
    for file in (file for folder in folders for file in sorted(folder.rglob("*.html"))):
        template = file.read_text(encoding="utf-8")
        formatted = broken(template)
        if formatted != template:
            wrong += check
            print(f"{file}: {'to be formatted' if check else 'formatted'}")
            if not check:
                file.write_text(formatted, encoding="utf-8")
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
