"""The answers that pages got. A page that sends a message again, because its line broke, gets the same answer."""

from collections import OrderedDict

from msgspec import Struct

KEPT = 4096


class Answer(Struct, frozen=True, omit_defaults=True):
    """The answer to a message of a page, under its number."""

    id: int
    ok: bool
    error: str = ""
    moot: bool = False
    note: str = ""  # what became of it, in words
    post: bool = False  # this needs a cookie: send it as a form


class AnswersGiven:
    """The last answers. `page` is a name that only that page knows; "": it sends nothing again."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, int], Answer] = OrderedDict()

    def to(self, page: str, number: int) -> Answer | None:
        """Return the answer that this message got already."""
        return self._kept.get((page, number)) if page else None

    def keep(self, page: str, answer: Answer) -> None:
        if page:
            self._kept[page, answer.id] = answer
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
