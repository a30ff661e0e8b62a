"""What was answered to the messages of pages: who sends one again, because the line broke, gets the same answer."""

from collections import OrderedDict

from msgspec import Struct

KEPT = 4096


class Answer(Struct, frozen=True, omit_defaults=True):
    """What is answered to a message of a page, under its number."""

    id: int
    ok: bool
    error: str = ""
    moot: bool = False
    note: str = ""  # what became of it, in words
    post: bool = False  # this needs a cookie: send it as a form


class AnswersGiven:
    """The last answers. `page` names a page, by whatever nobody else knows of it; "" one that sends nothing again."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, int], Answer] = OrderedDict()

    def to(self, page: str, number: int) -> Answer | None:
        """The answer that the message with this number got already."""
        return self._kept.get((page, number)) if page else None

    def keep(self, page: str, answer: Answer) -> None:
        """Keep it for a while."""
        if page:
            self._kept[page, answer.id] = answer
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
