"""Awards after a game: the best doubter, the boldest and the furthest error that got through, and a line for each
player.

All of it comes from the doubt ledger, and so from the public news.
"""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from spieltisch.games.annodomini.cards import Shown
from spieltisch.games.annodomini.ledger import Account, Round, account, rounds
from spieltisch.games.annodomini.state import Finished
from spieltisch.i18n import Translator
from spieltisch.package import Award, Stories


class _Error(Struct, frozen=True):
    """An error, as the two cards in the wrong order. `through`: the next player did not doubt it."""

    seat: int
    above: Shown
    below: Shown
    through: bool

    @property
    def years(self) -> int:
        """The least number of years between the two."""
        return self.above.span.start - self.below.span.end


def stories(game: Finished, seats: int, tr: Translator) -> Stories:
    """The awards that somebody has earned, and a line for each seat."""
    played = rounds(game.news)
    accounts = [account(played, seat) for seat in range(seats)]
    errors = _errors(played)
    bluff = max((one for one in errors if one.through), key=lambda one: one.years, default=None)
    furthest = max(errors, key=lambda one: one.years, default=None)
    awards = [*_best_eye(accounts, tr)]
    if bluff is not None:
        words = tr._("{above} above {below}, and nobody doubted")
        awards.append(_award(tr._("Boldest bluff"), bluff, words, tr))
    if furthest is not None and furthest != bluff:
        awards.append(_award(tr._("Furthest off"), furthest, tr._("{years} years: {above} above {below}"), tr))
    return Stories(awards, [_line(one, tr) for one in accounts])


def _errors(played: Sequence[Round]) -> list[_Error]:
    return [
        _Error(seat, one.reveal.rows[above], one.reveal.rows[below], not (one.caught and n == len(one.errors) - 1))
        for one in played
        for n, ((seat, _), (above, below)) in enumerate(zip(one.errors, one.pairs, strict=True))
    ]


def _best_eye(accounts: Sequence[Account], tr: Translator) -> Iterable[Award]:
    """The most right doubts; among equals, the fewest wrong ones; a tie is shared."""
    best = max((one.right, -one.doubts) for one in accounts)
    if best[0]:
        seats = tuple(seat for seat, one in enumerate(accounts) if (one.right, -one.doubts) == best)
        yield Award(tr._("Sharpest eye"), seats, _doubts(accounts[seats[0]], tr), shared=True)


def _award(title: str, error: _Error, words: str, tr: Translator) -> Award:
    dates = {"above": error.above.date[tr.lang], "below": error.below.date[tr.lang]}
    return Award(title, (error.seat,), words.format(years=error.years, **dates))


def _doubts(one: Account, tr: Translator) -> str:
    return tr.ngettext("{right} of {n} doubt right", "{right} of {n} doubts right", one.doubts).format(
        right=one.right, n=one.doubts
    )


def _line(one: Account, tr: Translator) -> str:
    said = [_doubts(one, tr) if one.doubts else tr._("no doubts")]
    if through := one.errors - one.caught:
        said.append(
            tr.ngettext("got away with one wrong card", "got away with {n} wrong cards", through).format(n=through)
        )
    return ", ".join(said)
