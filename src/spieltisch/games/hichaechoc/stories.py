"""Awards after a game: the best objector, the boldest unnoticed error, the furthest error, and a line for each player.
The table of forms of a finished game is open.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct

from spieltisch.games.hichaechoc.agreement import Table, agree, readings
from spieltisch.games.hichaechoc.news import JokerPlayed, Judged, News, Played
from spieltisch.games.hichaechoc.state import Finished
from spieltisch.games.hichaechoc.wording import reading
from spieltisch.i18n import Translator
from spieltisch.package import Award, Stories


class _Error(Struct, frozen=True):
    """A declaration that its card does not have. `agreed`: the criteria in which the nearest reading agrees. `through`:
    nobody objected.
    """

    seat: int
    form: int
    reading: int
    agreed: int
    through: bool


def stories(game: Finished, seats: int, tr: Translator) -> Stories:
    """The awards that somebody has earned, and a line for each seat."""
    table, forms = game.dealt.hidden.table, game.dealt.public.terms.forms
    laid = Counter(one.seat for one in game.news if isinstance(one, Played | JokerPlayed))
    if table is None:  # assisted: no errors, no objections
        return Stories((), [_cards(laid[seat], tr) for seat in range(seats)])
    judged = [one for one in game.news if isinstance(one, Judged)]
    objected = Counter(one.by for one in judged)
    right = Counter(one.by for one in judged if not one.right)
    errors = _errors(game.news, table)
    bluff = min((one for one in errors if one.through), key=lambda one: one.agreed, default=None)
    furthest = min(errors, key=lambda one: one.agreed, default=None)
    through = Counter(one.seat for one in errors if one.through)

    def award(title: str, error: _Error, words: str) -> Award:
        said = words.format(form=forms[error.form], reading=reading(error.reading, tr))
        return Award(title, (error.seat,), said)

    def objections(seat: int) -> str:
        n = objected[seat]
        words = tr.ngettext("{right} of {n} objection right", "{right} of {n} objections right", n)
        return words.format(right=right[seat], n=n) if n else tr._("no objections")

    awards, best = [], max((right[seat], -objected[seat]) for seat in range(seats))
    if best[0]:
        alike = tuple(seat for seat in range(seats) if (right[seat], -objected[seat]) == best)
        awards.append(Award(tr._("Sharpest eye"), alike, objections(alike[0]), shared=True))
    if bluff is not None:
        awards.append(award(tr._("Boldest bluff"), bluff, tr._("{form} as {reading}, and nobody objected")))
    if furthest is not None and (bluff is None or furthest.agreed < bluff.agreed):
        awards.append(award(tr._("Furthest off"), furthest, tr._("{form} as {reading}")))
    lines = []
    for seat in range(seats):
        said = [objections(seat)]
        if n := through[seat]:
            said.append(tr.ngettext("got away with one wrong card", "got away with {n} wrong cards", n).format(n=n))
        lines.append(", ".join(said))
    return Stories(awards, lines)


def _errors(news: Sequence[News], table: Table) -> list[_Error]:
    found = []
    for one, caught in _plays(news):
        own = readings(table, one.form)
        if one.reading not in own:
            agreed = max(agree(one.reading, other) for other in own)
            found.append(_Error(one.seat, one.form, one.reading, agreed, not caught))
    return found


def _plays(news: Iterable[News]) -> Iterable[tuple[Played, bool]]:
    """Every declared play, and whether somebody objected to it."""
    pending = None
    for one in news:
        match one:
            case Judged() if pending is not None:
                yield pending, True
                pending = None
            case Played() | JokerPlayed():
                if pending is not None:
                    yield pending, False
                pending = one if isinstance(one, Played) else None
            case _:
                pass
    if pending is not None:
        yield pending, False


def _cards(n: int, tr: Translator) -> str:
    return tr.ngettext("{n} card laid", "{n} cards laid", n).format(n=n)
