"""What each player claimed about events in a finished game, by laying, doubting or staying silent.

All dates may be known by then, so a round without a doubt counts, too. The ledger defines an error.
"""

from collections.abc import Iterator

from spieltisch.games.annodomini import news as told
from spieltisch.games.annodomini.cards import wrong_pairs
from spieltisch.games.annodomini.state import Finished, Hidden
from spieltisch.package import Decision


class _Chain:
    """The chain of a round. `error` is the first card laid wrong, `latest` the latest one."""

    def __init__(self, hidden: Hidden, cards: list[int], latest: int) -> None:
        self._hidden = hidden
        self._cards = cards
        self.latest = latest
        self.error: int | None = None
        self.passed: set[int] = set()  # seats that laid a card after the error
        self.years = self._wrong()

    def lay(self, card: int, at: int) -> int | None:
        """Lay a card. Returns None if it is right, else by how many years it is wrong beside another card."""
        self._cards.insert(at, card)
        before, self.years, self.latest = self.years, self._wrong(), card
        here = {(a + (a >= at), b + (b >= at)) for a, b in before}
        new = [years for pair, years in self.years.items() if pair not in here]
        return max(new) if new else None

    def _wrong(self) -> dict[tuple[int, int], int]:
        """All wrong pairs, with the years between them."""
        spans = tuple(self._hidden.cards[card].span for card in self._cards)
        return {(a, b): spans[a].start - spans[b].end for a, b in wrong_pairs(spans)}


def decisions(game: Finished) -> list[Decision]:
    """The claims of all seats. A needless doubt counts as a claim about the latest card."""
    return list(_decisions(game))


def _decisions(game: Finished) -> Iterator[Decision]:
    hidden: Hidden = game.dealt.hidden
    chain, turned = _Chain(hidden, [], -1), set[int]()

    def of(at: int, seat: int, off: int | None) -> Decision:
        return Decision(at, seat, "laid", hidden.cards[chain.latest].id, right=off is None, off=off)

    for at, one in enumerate(game.news):
        match one:
            case told.Started():
                chain = _Chain(hidden, [one.card.number], one.card.number)
            case told.TurnedUp():
                turned = {card.number for card in one.cards}
            case told.Opened():
                numbers = [card.number for card in one.cards]
                own = next(number for number in numbers if number not in turned)
                chain = _Chain(hidden, numbers, own)
                chain.error = own if chain.years else None
                yield of(at, one.seat, max(chain.years.values(), default=None))
            case told.Placed():
                if chain.error is not None and one.seat not in chain.passed:
                    yield Decision(at, one.seat, "passed", hidden.cards[chain.error].id, right=False)
                off = chain.lay(one.card.number, one.at)
                yield of(at, one.seat, off)
                if off is not None and chain.error is None:
                    chain.error = chain.latest
                if chain.error is not None:  # also one's own, which nobody has to doubt
                    chain.passed.add(one.seat)
            case told.Doubted() if not one.reveal.at_once:
                about = chain.latest if chain.error is None else chain.error
                right = not one.reveal.correct
                yield Decision(at, one.reveal.doubter, "doubted", hidden.cards[about].id, right=right)
