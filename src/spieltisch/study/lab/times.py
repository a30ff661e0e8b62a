"""Dates: crowded years, dates too wide to be laid wrong, ids with the year in them, and dates that the texts
contradict.
"""

import math
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence

from spieltisch.decks.dates import Span, years
from spieltisch.decks.findings import Finding, message
from spieltisch.decks.table import COMMENTS, TEXTS, Row
from spieltisch.study.lab.corpus import Corpus
from spieltisch.study.lab.found import found
from spieltisch.study.lab.languages import LAB, pattern
from spieltisch.study.lab.telling import eras

Dated = tuple[Row, Span]

CROWD = 5  # cards of one year, at least
CHANCE = 0.003  # that so many would be of one year
WIDE = 0.08  # of the deck's cards fit into the date
WIDE_LONG = 0.04  # where it is longer than that:
_LONG = 250  # years
_SMALL = 20  # cards: in smaller decks a share says little
SPEAKS = 9.5  # how much likelier another time has to be by a card's words (a logarithm): 1 in 150 cards by chance
SPEAKS_TOO = 6.0  # where a thing that was not there yet speaks, too
_DIM = -3000  # before, cards are too few to know the words of a time
_FAR = 40  # years between a card and the year in its comment
_YEAR = re.compile(r"(?<![\d.,])(1[0-9]{3}|20[0-2][0-9])(?!\d|[.,]\d)")
_LOOKING_ON = {tag: pattern(f"\\b(?:{lab.looking_on})\\b") for tag, lab in LAB.items() if lab.looking_on}
_FORESEEN = {tag: pattern(lab.foreseen) for tag, lab in LAB.items()}


def crowds(cards: Sequence[Dated]) -> Iterator[Finding]:
    """Yield years with many more cards than their neighbours. These cards can lie in any order."""
    single = Counter(span.start for _, span in cards if span.start == span.end)
    starts = sorted(span.start for _, span in cards)
    for row, span in cards:
        many = single[span.start]
        if span.start != span.end or many < CROWD:
            continue
        reach = max(5, round((2026 - span.start) / 10))
        around = bisect_right(starts, span.start + reach) - bisect_left(starts, span.start - reach) - many
        usual = max(0.05, around / (2 * reach))
        if 1 - math.exp(-usual) * sum(usual**n / math.factorial(n) for n in range(many)) < CHANCE:
            wrong = message(
                "{n} cards are from {years}: next to each other they are always right", n=many, years=years(span)
            )
            yield found(row, "crowd", wrong, message("Keep the one or two that are told best."))


def wide(cards: Sequence[Dated]) -> Iterator[Finding]:
    """Yield dates that span so many cards that theirs can hardly be laid wrong."""
    if len(cards) < _SMALL:
        return
    starts, ends = sorted(span.start for _, span in cards), sorted(span.end for _, span in cards)
    for row, span in cards:
        inside = bisect_right(starts, span.end) - bisect_left(ends, span.start) - 1
        most = WIDE if span.end - span.start < _LONG else WIDE_LONG
        if span.end > span.start and inside >= most * len(cards):
            share = f"{inside / len(cards):.0%}"
            wrong = message("the date fits {share} of the deck: the card is nearly always right", share=share)
            yield found(row, "wide", wrong, message("Give a narrower date, or take another event."))


def named_years(cards: Sequence[Dated]) -> Iterator[Finding]:
    """Yield ids with the card's year in them that look unlike the others."""
    shapes = Counter(_shape(row["id"]) for row, _ in cards)
    usual = shapes.most_common(1)[0][0] if shapes else ""
    for row, span in cards:
        told = {int(digits) for digits in re.findall(r"\d{3,}", row["id"])}
        own = {abs(n) for year in (span.start, span.end) for n in (year, 1 - year)}
        if told & own and (_shape(row["id"]) != usual or shapes[usual] < 0.9 * len(cards)):
            wrong = message("the id “{id}” contains the year", id=row["id"])
            yield found(row, "id-year", wrong, message("Give it a short one that tells nothing: k7, q12."))


def _shape(name: str) -> str:
    return re.sub(r"[^\W\d_]", "a", re.sub(r"\d", "9", name))


def doubtful(row: Row, span: Span | None, known: Corpus) -> list[Finding]:
    """Return findings about a date that may be mistyped.

    The comment has another year, the front names things that did not exist yet, or the words are those of another time.
    """
    return (_against_comment(row, span) or _against_words(row, span, known)) if span else []


def _against_comment(row: Row, span: Span) -> list[Finding]:
    told = {int(year) for column in COMMENTS.values() for year in _YEAR.findall(row[column])}
    looks_on = any(one.search(row[COMMENTS[lang]]) for lang, one in _LOOKING_ON.items())
    if span.start != span.end or len(told) != 1 or looks_on:
        return []
    year = told.pop()
    if span.end < 900 or min(abs(year - span.start), abs(year - span.end)) <= _FAR:
        return []
    wrong = message("the comment mentions {year}, but the date is {years}", year=year, years=years(span))
    return [found(row, "date-doubtful", wrong, message("Which one is right?"))]


def _against_words(row: Row, span: Span, known: Corpus) -> list[Finding]:
    likely = known.likely(row, span)
    right = message("Check the date: are century and era right?")
    if (too_early := _not_yet(row, span)) is not None:
        words, since = too_early
        foreseen = any(one.search(row[TEXTS[lang]]) for lang, one in _FORESEEN.items())
        if not foreseen or (likely.against >= SPEAKS_TOO and likely.year >= since):
            wrong = message(
                "the date is {years}, but “{words}” has existed only since {since}",
                years=years(span), words=words, since=years(Span(since, since)),
            )  # fmt: skip
            return [found(row, "date-doubtful", wrong, right)]
    if likely.against >= SPEAKS and span.end > _DIM:
        wrong = message(
            "the date is {years}, but the text sounds more like cards from about {year}: {words}",
            years=years(span), year=years(Span(likely.year, likely.year)), words=likely.words,
        )  # fmt: skip
        return [found(row, "date-doubtful", wrong, right)]
    return []


def _not_yet(row: Row, span: Span) -> tuple[str, int] | None:
    """Return what the front names that came later than the card, with its first year."""
    for era in sorted(eras("thing"), key=lambda one: -one.span.start):
        if era.span.start <= span.end + 5:
            continue
        for lang, words in era.words.items():
            if said := words.search(row[TEXTS[lang]]):
                return said["said"], era.span.start
    return None


def too_close(cards: Sequence[Dated], error: float, least: float) -> float:
    """Return the share of all pairs of cards closer together than an error of this part of an age."""
    middles = sorted((span.start + span.end) / 2 for _, span in cards)
    pairs = len(middles) * (len(middles) - 1) / 2
    close = sum(
        bisect_left(middles, early + least + error * (2026 - early)) - number - 1
        for number, early in enumerate(middles)
    )
    return close / pairs if pairs else 0.0
