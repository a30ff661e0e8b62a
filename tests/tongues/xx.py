"""A language of tests: each message backwards, every letter with a mark, and lengthened by 40 %.

So whatever has a plain letter on a page or in the output of a command is no message, or is not translated. Colons and
semicolons become other signs, since some languages write a space before them. The language is a folder, named by
SPIELTISCH_LANGUAGES like any other from outside the package.
"""

import math
import re
from pathlib import Path

from spieltisch.languages import LANGUAGES, po

PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
MARKED = str.maketrans(PLAIN, "áƀćđéƒǵħíĵķłḿńóṕʠřśťúṽẃẋýźÁɃĆĐÉƑǴĦÍĴĶŁḾŃÓṔɊŘŚŤÚṼẂẊÝŹ")
SIGNS = str.maketrans(":;", "꞉⁏")
FILLED = re.compile(r"(\{[^{}]*\}|<[^<>]+>|&\w+;|https?://[\w./-]+|\n)")  # placeholders, markup, addresses
LONGER = 0.4
PAD = "ł"
OTHER = re.compile(  # placeholders that the script fills; addresses, files, codes
    r"\{\w+\}|https?://\S+|[\w.+-]+@[\w.-]+|\S*[/\\]\S*|\S*\d\S*|\S+\.\w{2,4}\b"
)


def mangled(text):
    """The text as this language has it."""
    return "".join(one if FILLED.fullmatch(one) else _backwards(one).translate(SIGNS) for one in FILLED.split(text))


def _backwards(text):
    said = text.strip()
    if not any(map(str.isalpha, said)):
        return text
    before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    pad = "".join(PAD if at % 8 else "-" for at in range(1, 1 + math.ceil(LONGER * len(said))))
    return before + said[::-1].translate(MARKED) + pad + after


def make(folder):
    """Write the language to this folder, whose name is its tag."""
    english, german = LANGUAGES["en"], LANGUAGES["de"]
    (folder / "messages").mkdir(parents=True)
    toml = (english.folder / "language.toml").read_text("utf-8")
    toml = re.sub(r"^(column = .*\n|falls_back.*\n)", "", toml, flags=re.MULTILINE)
    words = re.compile(r'"([^"]*)"')
    lines = []
    for line in toml.splitlines():
        kept = line.startswith(
            ("english", "read_by", "decimal", "thousands", "percent", "quotes", "cases", "day", "pattern")
        )
        lines.append(line if kept else words.sub(lambda found: f'"{mangled(found[1])}"', line))
    (folder / "language.toml").write_text("\n".join(lines) + "\n", "utf-8")
    for file in sorted((german.folder / "messages").glob("*.po")):
        head, *messages = po.read(file.read_text("utf-8"))
        head.strings = (head.strings[0].replace("Language: de", f"Language: {folder.name}"),)
        for one in messages:
            one.strings = tuple(map(mangled, one.ids))
        (folder / "messages" / file.name).write_text(po.written([head, *messages]), "utf-8")
    return folder


def plain(text):
    """The words of a text that are not of this language."""
    text = OTHER.sub(" ", text)
    return re.findall(r"(?<![^\W_])[A-Za-z]{2,}(?![^\W\d_])", text)


if __name__ == "__main__":
    import sys

    print(make(Path(sys.argv[1])))
