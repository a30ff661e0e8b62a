"""Decks of whose cards a table may choose: by what stands on them, and one of each thing."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from spieltisch.brief import Brief
from spieltisch.decks.text import Text


class ChosenCard(Protocol):
    """What every card of such a deck has."""

    @property
    def id(self) -> str: ...

    @property
    def front(self) -> Text: ...

    @property
    def things(self) -> tuple[str, ...]:
        """What it is about."""
        ...


class Choosable(Brief, frozen=True):
    """The base of such decks. See `ChosenCard` for its cards."""

    if TYPE_CHECKING:  # a field here would come before a deck's own

        @property
        def cards(self) -> tuple[ChosenCard, ...]: ...

    def stands(self, card: Any, column: str) -> Sequence[str]:
        """What stands in this column of a card; nothing on a joker."""
        return ()

    def names(self, column: str) -> Mapping[str, Text]:
        """What can stand in this column, in its order, with its names."""
        return {}

    def stays(self, card: Any) -> bool:
        """Whether this card is played whatever is chosen."""
        return False

    def parts(self) -> Sequence[tuple[str, Text]]:
        """The series of which a table may choose some, with their titles."""
        return ()
