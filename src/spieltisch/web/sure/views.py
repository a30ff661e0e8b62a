"""What the pages show: a chain before and after it is turned over, and what a curve tells."""

import hashlib
from collections.abc import Mapping, Sequence

from msgspec import Struct

from spieltisch.decks.chains import Stock, cards_of
from spieltisch.decks.dates import day_text
from spieltisch.decks.library import Library
from spieltisch.decks.text import Text
from spieltisch.decks.vocabulary import EPOCHS, FIELDS
from spieltisch.i18n import N_, Translator
from spieltisch.sure import CURVE, Claim, Curve, Group

LEFT, BOTTOM, WIDE, HIGH = 54, 208, 230, 196  # of the plot: where its corner lies, and its size
OUTCOMES = {True: N_("The chain was right."), False: N_("The chain was wrong.")}
SHORT = 9  # characters of a date that are written large
VERDICTS = {
    "few": N_("too few to tell"),
    "over": N_("too sure"),
    "under": N_("could be surer"),
    "fits": N_("fits"),
}
WHOLE = {
    "over": N_("On average you say {said} % and are right {share} % of the time. You are too sure: say lower numbers."),
    "under": N_("On average you say {said} % and are right {share} % of the time. You can trust yourself more."),
    "fits": N_("On average you say {said} % and are right {share} % of the time. That fits, judging by {n} guesses."),
}
STEPS = (
    (5, N_("certainly not")),
    (25, N_("probably not")),
    (50, N_("no idea")),
    (75, N_("probably")),
    (95, N_("certainly")),
)
EXAMPLE = tuple(
    Claim(percent, at < hits)
    for percent, hits, n in ((60, 12, 20), (70, 14, 22), (80, 11, 20), (90, 13, 20))
    for at in range(n)
)


class Row(Struct, frozen=True):
    """A card of a chain with its back."""

    front: Text
    date: Text
    comment: Text
    source: str
    corrected: str


class Dealt(Struct, frozen=True):
    """A chain with all that is on its cards. `mark` is another one as soon as these are other cards."""

    mark: str
    title: Text
    accent: str
    rows: tuple[Row, ...]
    right: bool
    astray: int | None
    epochs: tuple[str, ...]
    fields: tuple[str, ...]


def dealt(library: Library, names: Sequence[str], seed: str) -> Dealt | None:
    """Return the chain of a seed; None if the deck has too few cards. A question to the library."""
    found = library.read(names[0])
    chain = None if found is None else Stock(cards_of(*found)).deal(seed)
    if found is None or chain is None:
        return None
    kind, deck = found
    ids = [card.id for card in chain.cards]
    told = kind.learned(deck, ids)
    rows = [Row(one.front, one.back, one.comment, one.source, one.corrected) for one in map(told.__getitem__, ids)]
    mark = hashlib.sha256("/".join(ids).encode()).hexdigest()[:4]
    fields = tuple(one for one in chain.fields if one in FIELDS)
    return Dealt(mark, deck.title, kind.accent, tuple(rows), chain.right, chain.astray, chain.epochs, fields)


def turned(chain: Dealt, lang: str) -> list[dict[str, object]]:
    """Return the rows of a chain that has been turned over."""
    return [
        {
            "date": row.date[lang],
            "text": row.front.spoken(lang),
            "comment": row.comment.spoken(lang),
            "source": row.source,
            "link": row.source.startswith("https://"),
            "corrected": day_text(row.corrected)[lang] if row.corrected else "",
            "bad": at == chain.astray,
            "long": len(row.date[lang]) > SHORT,
        }
        for at, row in enumerate(chain.rows)
    ]


def paid(points: int, tr: Translator) -> str:
    """Return points with their sign."""
    signed = f"+{points}" if points > 0 else str(points).replace("-", "−")
    return tr.ngettext("{n} point", "{n} points", points).format(n=signed)


def told(found: Curve, tr: Translator) -> dict[str, object]:
    """Return what a curve tells; until there are enough claims only how many are missing."""
    said = tr.ngettext("{n} guess so far", "{n} guesses so far", found.n).format(n=found.n)
    missing = CURVE - found.n
    after = tr.ngettext(
        "After {n} more guess, you see your curve.",
        "After {n} more guesses, you see your curve.",
        missing,
    )
    undecided = tr.ngettext("{n} guess of 50 % is not in it.", "{n} guesses of 50 % are not in it.", found.undecided)
    shown = missing <= 0 and found.whole is not None
    lines = [_line(f"{ten} %", group, tr) for ten, group in found.tens.items()]
    return {
        "counted": f"{said}, {paid(found.points, tr)}.",
        "missing": "" if missing <= 0 else after.format(n=missing),
        "shown": shown,
        "whole": _whole(found.whole, tr) if shown and found.whole is not None else "",
        "undecided": undecided.format(n=found.undecided) if found.undecided else "",
        "plot": plot(found.tens),
        "tens": lines,
        "parts": [
            {"title": title, "lines": [_line(tr._(names[one]), group, tr) for one, group in groups]}
            for title, names, groups in (
                (tr._("By time"), EPOCHS, [(one, found.epochs[one]) for one in EPOCHS if one in found.epochs]),
                (tr._("By field"), FIELDS, sorted(_known(found.fields), key=lambda one: -one[1].n)),
            )
            if groups
        ],
    }


def _known(groups: Mapping[str, Group]) -> list[tuple[str, Group]]:
    return [(name, group) for name, group in groups.items() if name in FIELDS]


def _whole(group: Group, tr: Translator) -> str:
    words = tr._(WHOLE.get(group.verdict, WHOLE["fits"]))
    return words.format(said=_percent(group.said), share=_percent(group.share), n=group.n)


def _line(name: str, group: Group, tr: Translator) -> dict[str, object]:
    words = tr._("When you say {said} %, you are right {share} % of the time.")
    return {
        "name": name,
        "n": group.n,
        "said": _percent(group.said),
        "share": _percent(group.share),
        "verdict": group.verdict,
        "words": tr._(VERDICTS[group.verdict]),
        "sentence": words.format(said=_percent(group.said), share=_percent(group.share)),
    }


def _percent(share: float) -> int:
    return round(100 * share)


def plot(groups: Mapping[int, Group]) -> dict[str, object]:
    """Return where the dots of the curve lie, and their bars. Of too few claims there is no dot."""
    dots = [
        {
            "x": _across(group.said),
            "y": _up(group.share),
            "low": _up(group.low),
            "high": _up(group.high),
            "verdict": group.verdict,
        }
        for group in groups.values()
        if group.verdict != "few"
    ]
    return {
        "dots": dots,
        "line": [_across(0.5), _up(0.5), _across(1), _up(1)],
        "across": [(_across(n / 100), n) for n in (50, 60, 70, 80, 90, 100)],
        "up": [(_up(n / 100), n) for n in (0, 25, 50, 75, 100)],
    }


def _across(said: float) -> float:
    return round(LEFT + WIDE * (said - 0.5) / 0.5, 1)


def _up(share: float) -> float:
    return round(BOTTOM - HIGH * share, 1)
