"""What each player claimed about firsts in a finished game: a stone placed for a card that was then revealed."""

from spieltisch.games.trailblaze.news import Placed, Revealed
from spieltisch.games.trailblaze.review import own_column
from spieltisch.games.trailblaze.state import Finished, Hidden
from spieltisch.package import Decision


def decisions(game: Finished) -> list[Decision]:
    """The claims of all seats by their own stones; `off` counts periods. The bonus stone is only a bet."""
    hidden: Hidden = game.dealt.hidden
    placed: dict[int, int] = {}  # by seat: the position of the news
    found: list[Decision] = []
    for at, one in enumerate(game.news):
        match one:
            case Placed(stone=stone) if stone.pattern is not None:
                placed[stone.seat] = at
            case Revealed() if (column := own_column(one)) is not None:
                off, card = abs(column - one.column), hidden.cards[one.card.card].id
                found.append(Decision(placed[one.seat], one.seat, "laid", card, off == 0, off or None))
            case _:
                pass
    return sorted(found, key=lambda decision: decision.at)
