"""How sure somebody is, and how sure they may be.

A claim says with how many per cent a chain is right. It is paid by Brier's rule (Monthly Weather Review 78, 1950), the
square of its distance from what came true: in the long run nobody gains by saying anything but what they believe.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Literal, TypeVar

from msgspec import Meta, Struct

from spieltisch.intervals import wilson

STEP = 5  # per cent, of the slider
CURVE = 25  # claims, before a curve tells something
LEAST = 5  # claims, before anything is told of those of a kind
TENS = (60, 70, 80, 90, 100)  # per cent: the points of the curve
Tag = Annotated[str, Meta(max_length=40)]


class Claim(Struct, frozen=True, array_like=True):
    """With how many per cent somebody held a chain to be right, whether it was, and what it was about."""

    percent: Annotated[int, Meta(ge=0, le=100)]
    right: bool
    epochs: tuple[Tag, ...] = ()
    fields: tuple[Tag, ...] = ()

    @property
    def sure(self) -> int:
        """How sure they were of what they held to be true, 50 to 100 per cent: 20 % for right are 80 % for wrong."""
        return max(self.percent, 100 - self.percent)

    @property
    def hit(self) -> bool:
        """Whether that was true."""
        return (self.percent > 50) == self.right


class Group(Struct, frozen=True):
    """Some claims together, none of 50 %: how sure they were on average, and how many were hits. `low` and `high` bound
    the share of hits (Wilson's interval of 95 %).
    """

    n: int
    said: float
    hits: int
    low: float
    high: float

    @property
    def share(self) -> float:
        return self.hits / self.n

    @property
    def verdict(self) -> Literal["few", "over", "under", "fits"]:
        """Whether they were surer than they may be (`over`), or less sure. `fits`: chance alone may explain it."""
        if self.n < LEAST:
            return "few"
        return "over" if self.said > self.high else "under" if self.said < self.low else "fits"


class Curve(Struct, frozen=True):
    """What can be told of somebody's claims. Claims of 50 % are `undecided`: they cost and tell nothing."""

    n: int
    points: int
    undecided: int
    whole: Group | None
    tens: Mapping[int, Group]
    epochs: Mapping[str, Group]
    fields: Mapping[str, Group]


def points(percent: int, right: bool) -> int:
    """The points of a claim: 100 for all of the truth, 0 for 50 %, -300 for the contrary of the truth."""
    off = 100 - percent if right else percent
    return 100 - round(off * off / 25)


STAKES = tuple((points(percent, True), points(percent, False)) for percent in range(0, 101, STEP))
"""The points of each step of the slider, if the chain is right and if it is wrong."""


def brier(claims: Sequence[Claim]) -> float:
    """The mean square of the distance from the truth: 0 for knowing everything, 0.25 for always saying 50 %."""
    return sum((claim.percent / 100 - claim.right) ** 2 for claim in claims) / len(claims)


def curve(claims: Sequence[Claim]) -> Curve:
    """All that can be told of these claims."""
    decided = [claim for claim in claims if claim.percent != 50]
    return Curve(
        n=len(claims),
        points=sum(points(claim.percent, claim.right) for claim in claims),
        undecided=len(claims) - len(decided),
        whole=_group(decided) if decided else None,
        tens=_grouped((ten(claim.sure), claim) for claim in decided),
        epochs=_grouped((one, claim) for claim in decided for one in claim.epochs),
        fields=_grouped((one, claim) for claim in decided for one in claim.fields),
    )


def ten(sure: int) -> int:
    """The point of the curve to which a claim belongs: the nearest ten, the upper one of two."""
    return max(TENS[0], (sure + 5) // 10 * 10)


T = TypeVar("T", int, str)


def _grouped(claims: Iterable[tuple[T, Claim]]) -> dict[T, Group]:
    found: dict[T, list[Claim]] = {}
    for name, claim in claims:
        found.setdefault(name, []).append(claim)
    return {name: _group(found[name]) for name in sorted(found)}


def _group(claims: Sequence[Claim]) -> Group:
    n, hits = len(claims), sum(claim.hit for claim in claims)
    return Group(n, sum(claim.sure for claim in claims) / n / 100, hits, *wilson(hits / n, n))
