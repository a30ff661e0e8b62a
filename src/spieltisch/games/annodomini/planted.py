"""Planted players: they know all dates with a given error, and have given habits. They prove that the arena's report
finds what is there; nobody else plays them.

They read what a language model is asked, and answer as one, so the proof includes question, answer and parser.
"""

import math
import random
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import cast

from spieltisch.decks.dates import Span, historical
from spieltisch.game import HasCards
from spieltisch.games.annodomini.state import Deck
from spieltisch.i18n import Translator
from spieltisch.package import Habits

TODAY = 2026  # ages are counted from here, so that figures of different years can be compared
BLUFF, SURE = 20, 80  # per cent: what those with a habit of bluffing state of a bluff, and of other moves
NARROW = 0.5  # years: no belief is narrower, since dates are whole years


def ago(span: Span) -> float:
    """How many years ago the middle of a span was."""
    return TODAY - (span.start + span.end) / 2


class Planted:
    """One of them, in one game. What it believes of an event is the same in every game with its `seed`."""

    def __init__(self, deck: HasCards, habits: Habits, seed: str, tr: Translator) -> None:
        self._habits, self._seed, self._tr = habits, seed, tr
        self._dice = random.Random(0)  # noqa: S311 - a game
        self._spans = {card.front[tr.lang]: card.span for card in cast("Deck", deck).cards}
        player = re.escape(tr._("Seat {n}")).replace(r"\{n\}", r"\d+")
        self._by = re.compile(rf" \({player}\)")

    def answer(self, question: str) -> str:
        """What it answers: a move, its chance, and the year of a card if that is asked."""
        tr = self._tr
        chain = self._cards(question, tr._("The chain, earliest first:"))
        hand = self._cards(question, tr._("Your cards:"))
        self._dice.seed(f"{self._seed}/{question}")
        move, chance = self._move(chain, hand, self._by.search(question.partition("\n\n")[0]) is not None)
        lines = [f"{tr._('MOVE')}: {move}", f"{tr._('CHANCE')}: {chance}"]
        asked = re.escape(tr._("your card {letter}")).replace(r"\{letter\}", "([A-Z]+)")
        for line in question.splitlines():
            if line.startswith(tr._("YEAR") + " ") and (found := re.search(asked, line)):
                year = round(self._year(hand[found[1]]))
                lines.append(f"{tr._('YEAR')}: {historical(year)}")
        return "\n".join(lines)

    def _cards(self, question: str, title: str) -> dict[str, str]:
        """The events below a title, by their number or letter."""
        _, found, rest = question.partition(title + "\n")
        lines = rest.partition("\n\n")[0].splitlines() if found else []
        return {name: self._by.sub("", text) for name, _, text in (line.partition(". ") for line in lines)}

    def _move(self, chain: dict[str, str], hand: dict[str, str], laid: bool) -> tuple[str, int]:
        tr, habits = self._tr, self._habits
        row = [*chain.values()]
        if not row:
            own = sorted(hand, key=lambda letter: self._year(hand[letter]))
            return tr._("open {cards}").format(cards=" ".join(own)), self._percent([hand[one] for one in own])
        if laid and habits.doubts and self._right(row) < 0.5:
            return tr._("doubt"), self._percent(row)
        ways = [
            (self._right([*row[:at], text, *row[at:]]), letter, at)
            for letter, text in hand.items()
            for at in range(len(row) + 1)
        ]
        bluffs = habits.bluffs is not None and self._dice.random() < habits.bluffs
        chance, letter, at = min(ways) if bluffs else max(ways)
        move = tr._("place {card} at {n}").format(card=letter, n=at + 1)
        if habits.bluffs is None:
            return move, round(100 * chance)
        return move, BLUFF if bluffs else SURE

    def _percent(self, row: Sequence[str]) -> int:
        return round(100 * self._right(row))

    def _right(self, row: Sequence[str]) -> float:
        """How likely it holds the row to be right: no pair of neighbours in the wrong order."""
        chance = 1.0
        for one, other in pairwise(row):
            first, second = self._year(one), self._year(other)
            spread = math.hypot(*(max(NARROW, self._habits.error * (TODAY - year)) for year in (first, second)))
            chance *= (1 + math.erf((second - first) / spread / math.sqrt(2))) / 2
        return chance

    def _year(self, text: str) -> float:
        """The year that it believes: the true one, off by its error as a share of the event's age."""
        span = self._spans.get(text) or next(
            span for front, span in self._spans.items() if front.startswith(text.removesuffix("…"))
        )
        off = random.Random(f"{self._seed}/{text}").gauss(0.0, self._habits.error)  # noqa: S311 - a game
        return TODAY - ago(span) * (1 + off)
