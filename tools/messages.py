"""Updates the catalogues of all languages with the messages in the code, by Babel: `make messages`.

New messages are added at the end of their catalogue without a translation; unused ones are removed. `--check` changes
nothing and fails if something would change, or if German lacks a translation. `KEYWORDS` lists the functions that take
messages, `babel.cfg` the files. A message that all games share is in one catalogue only, the first one below whose code
has it.
"""

import io
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_keywords, parse_mapping_cfg
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "spieltisch"
REFUSALS = (
    *("Refused", "Illegal", "Stale", "Faulty", "Invalid", "UnusableGameError", "Missing", "Forbidden", "TooMany"),
    *("Busy", "DataError", "Damaged", "LostError", "DownError", "Unread"),
)
KEYWORDS = parse_keywords([
    *("_", "N_", "gettext", "message", "pgettext:1c,2", "ngettext:1,2", "counted:1,2"), *REFUSALS,
])  # fmt: skip
SHARED = ("decks", "study", "spieltisch")  # the catalogues in `i18n.SHARED`, innermost first
WRITTEN_WITH = ("de",)  # languages that get each new message at once; others fall back until somebody translates it
WIDEST = 100_000  # columns, so that each message stays on one line

Key = tuple[str | tuple[str, ...], str | None]


@cache
def extracted() -> dict[str, list[Key]]:
    """The messages, with their contexts, for each catalogue."""
    with (ROOT / "tools" / "babel.cfg").open() as file:
        methods, options = parse_mapping_cfg(file)
    methods = [*methods, ("games/*/box.toml", _from_box), ("games/*/lesson.toml", _from_lesson)]
    methods += [("languages/*/language.toml", _from_language)]
    found: dict[str, dict[Key, None]] = {}
    for name, _line, said, _comments, context in extract_from_dir(SOURCE, methods, options, keywords=KEYWORDS):
        found.setdefault(_catalogue(Path(name)), {})[said if isinstance(said, str) else tuple(said), context] = None
    shared: set[Key] = set()
    for one in SHARED:
        found[one] = {key: None for key in found[one] if key not in shared}
        shared |= found[one].keys()
    return {name: [key for key in keys if name in SHARED or key not in shared] for name, keys in found.items()}


def _from_box(file, *_of, options):  # noqa: ARG001 - the signature is Babel's
    """What stands on a game's box."""
    box = tomllib.load(file)
    return [(1, "_", box[key], []) for key in ("pitch", "credit") if key in box]


def _from_lesson(file, *_of, options):  # noqa: ARG001 - the same
    """What a first game says, and who plays it."""
    lesson = tomllib.load(file)
    said = [one for line in lesson["log"] for one in _several(line.get("says", ""))]
    return [(1, "_", one, []) for one in (*lesson["seats"], *said, lesson["end"]) if one]


def _from_language(file, *_of, options):  # noqa: ARG001 - the same
    """The name of a language."""
    return [(1, "_", tomllib.load(file)["english"], [])]


def _several(said: str | list[str]) -> list[str]:
    return [said] if isinstance(said, str) else said


def _catalogue(file: Path) -> str:
    """The name of the catalogue that has the messages of a file, which is relative to `SOURCE`."""
    match file.parts:
        case ("languages", _, "language.toml"):
            return "decks"
        case ("games", _, "study", *_) | ("study" | "arena", *_):
            return "study"
        case ("games", game, _, *_):
            return game
        case ("decks", *_):
            return "decks"
    return "spieltisch"


def catalogues() -> Iterator[tuple[Path, Catalog, list[Key]]]:
    """Each catalogue: its file, its content, and the messages it should have."""
    said = extracted()
    for path in sorted(SOURCE.glob("languages/*/messages/*.po")):
        with path.open("rb") as file:
            yield path, read_po(file, abort_invalid=True), said[path.stem]


def differences() -> list[str]:
    """A line for each message that is missing, untranslated or unused."""
    lines = []
    for path, catalog, wanted in catalogues():
        held = _messages(catalog)
        name = path.relative_to(SOURCE)
        lines += [f"{name}: missing: {_named(key)}" for key in wanted if key not in held]
        lines += [f"{name}: in no file: {_named(key)}" for key in held if key not in {*wanted}]
        if path.parents[1].name in WRITTEN_WITH:
            lines += [f"{name}: not translated: {_named(key)}" for key, one in held.items() if not _translated(one)]
    return lines


def update() -> None:
    """Write the catalogues again. A message that moves to another one keeps its translation."""
    each = list(catalogues())
    known = {(path.parent, key): one for path, catalog, _ in each for key, one in _messages(catalog).items()}
    for path, catalog, wanted in each:
        held = _messages(catalog)
        for said, context in held.keys() - {*wanted}:
            catalog.delete(said, context)
        for key in wanted:
            if key not in held:
                old = known.get((path.parent, key))
                catalog.add(
                    key[0], old.string if old else None, context=key[1], auto_comments=old.auto_comments if old else (),
                    user_comments=old.user_comments if old else (),
                )  # fmt: skip
        path.write_bytes(written(path, catalog))


def written(path: Path, catalog: Catalog) -> bytes:
    """The catalogue as a file, with its present header."""
    for one in catalog:
        one.flags.discard("python-brace-format")  # a test checks the braces
    out = io.BytesIO()
    write_po(out, catalog, width=WIDEST, omit_header=True)
    return path.read_bytes().split(b"\n\n", 1)[0] + b"\n\n" + out.getvalue().strip() + b"\n"


def _messages(catalog: Catalog) -> dict[Key, Message]:
    return {(one.id if isinstance(one.id, str) else tuple(one.id), one.context): one for one in catalog if one.id}


def _translated(message: Message) -> bool:
    return all([message.string] if isinstance(message.string, str) else message.string)


def _named(key: Key) -> str:
    said, context = key
    return f"{said if isinstance(said, str) else said[0]!r}{f' ({context})' if context else ''}"


if __name__ == "__main__":
    if "--check" not in sys.argv:
        update()
    print(*(wrong := differences()), sep="\n", end="\n" if wrong else "")
    sys.exit(bool(wrong))
