"""What is found in a deck: where, how bad, what is wrong and what would be right.

Messages are English with braces; their translations stand in a language’s `messages/decks.po`, or in the file of the
game which says them.
"""

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from spieltisch.decks.base_kind import kinds
from spieltisch.decks.text import TAGS, Text, text_of
from spieltisch.game import Refused
from spieltisch.i18n import joined_catalog, sentence
from spieltisch.languages import DEFAULT

Severity = Literal["error", "warning", "note"]


class Message(Struct, frozen=True):
    """A sentence that can be translated; `values` fill its braces, also with messages and refusals."""

    text: str
    values: dict[str, object] = {}

    def __str__(self) -> str:
        return say(self, DEFAULT)


def message(text: str, /, **values: object) -> Message:
    """The message with these values in its braces."""
    return Message(text, values)


def labelled(name: object, words: object) -> Message:
    """`name: words`, with a space before the colon in languages that write one."""
    return message("{name}: {words}", name=name, words=words)


class Listed(Struct, frozen=True):
    """Messages in a row, and how many more there are."""

    some: tuple[Message, ...]
    more: int = 0


def quoted(names: Iterable[str], most: int = 12) -> Listed:
    """Names of strangers in quotation marks, the first ones."""
    each = [message("“{name}”", name=name) for name in names]
    return Listed(tuple(each[:most]), len(each) - most)


class Finding(Struct, frozen=True):
    """A line (None: the deck as a whole), a card's id if it has one, and two sentences.

    An `error` keeps a deck from being played, a `warning` should be looked at, a `note` is good to know. `better`
    is what may stand in the `column` instead, the likeliest first; with `drop` the line may simply be left out.
    """

    severity: Severity
    rule: str
    wrong: Message | Refused
    right: Message | None = None
    line: int | None = None
    card: str = ""
    column: str = ""
    better: tuple[Text, ...] = ()
    drop: bool = False


def say(what: Message | Refused, lang: str) -> str:
    """The message in a language, its braces filled."""
    text, values = _translated(what, lang)
    return text.format_map(values) if values else text


def in_all(what: Message | Refused) -> Text:
    """The message in all languages."""
    return text_of({tag: say(what, tag) for tag in TAGS})


def say_sentence(what: Refused, lang: str) -> str:
    """Like `say`, but a whole sentence: see `i18n.sentence`."""
    return sentence(*_translated(what, lang))


def _translated(what: Message | Refused, lang: str) -> tuple[str, dict[str, object]]:
    text = joined_catalog(lang, tuple(one.folder for one in kinds().values())).gettext(what.text)
    return text, {key: _value(value, lang) for key, value in what.values.items()}


def _value(value: object, lang: str) -> object:
    if isinstance(value, Message | Refused):
        return say(value, lang)
    if isinstance(value, Listed):
        rest = [say(message("{n} more", n=value.more), lang)] if value.more > 0 else []
        return ", ".join([*(say(one, lang) for one in value.some), *rest])
    return value[lang] if isinstance(value, Text) else value


def errors(found: list[Finding]) -> list[Finding]:
    """Those that keep a deck from being played."""
    return [one for one in found if one.severity == "error"]
