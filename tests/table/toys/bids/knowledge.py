"""What a bot believes of each card."""

from typing import Any


def believe(hidden: Any, dice: Any) -> tuple[float, ...]:
    return tuple(rank + dice.random() for rank in hidden.ranks)
