"""A bot with bad days: sometimes it raises, or chooses an illegal action."""

from typing import Any

from spieltisch.games.bids.rules import Accept, Doubt, Name  # ty: ignore[import-not-found]

from spieltisch import package


class Bot(package.Bot):
    """Sometimes wrong."""

    def choose(self, view: Any, legal: Any, dice: Any, beliefs: Any = None) -> Any:
        assert len(beliefs) == 8
        mood = dice.below(8)
        if mood == 0:
            raise RuntimeError("a bad day")
        if mood == 1:
            return Name(99)
        if view.public.named is None:
            return Name(min(view.own.card + dice.below(2), 8))
        return Doubt() if view.public.named >= view.own.card else Accept()
