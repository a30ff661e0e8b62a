"""What a bot believes of each card."""

from typing import Any


def believe(hidden: Any, dice: Any, level: str) -> tuple[float, ...]:
    assert level == ""  # all play alike here
    return tuple(rank + dice.random() for rank in hidden.ranks)
