"""Adaman as one would write it in an afternoon: a mutable class, cards by name, no views, no log, no undo.

It shares nothing with the product: a yardstick for its speed (bench/adaman.py) and a second opinion on its
rules (tests/games/adaman/test_second_opinion.py).
"""

import itertools
import random

SUITS = {
    "ace-moons": "M", "ace-suns": "S", "ace-waves": "W", "ace-leaves": "L", "ace-wyrms": "Y", "ace-knots": "K",
    "author": "MK", "desert": "SY", "origin": "WL", "journey": "MW", "painter": "SK", "savage": "LY",
    "battle": "YK", "mountain": "MS", "sailor": "WL", "discovery": "SW", "forest": "ML", "soldier": "YK",
    "lunatic": "MW", "market": "LK", "penitent": "SY", "castle": "SK", "cave": "WY", "chance-meeting": "ML",
    "betrayal": "YK", "diplomat": "MS", "mill": "WL", "darkness": "WY", "merchant": "LK", "pact": "MS",
    "bard": "S", "calamity": "Y", "end": "L", "huntress": "M", "sea": "W", "windfall": "K",
    "borderland": "WLY", "harvest": "MSL", "light-keeper": "SWK", "watchman": "MYK",
    "consul": "MWK", "island": "SWY", "rite": "MLY", "window": "SLK", "excuse": "",
}  # fmt: skip
NAMES = list(SUITS)
BASIC = NAMES[:36]
RANKS = {name: 1 if i < 6 else min(10, i // 3) for i, name in enumerate(NAMES)}
PEOPLE = {
    "author", "painter", "savage", "sailor", "soldier", "lunatic", "penitent", "diplomat", "merchant", "bard",
    "huntress", "light-keeper", "watchman", "consul",
}  # fmt: skip
OVERLAP = {(a, b): bool(set(SUITS[a]) & set(SUITS[b])) for a in NAMES for b in NAMES}


class Adaman:
    def __init__(self, pile: list[str]) -> None:
        self.deck = list(pile)
        self.pile = pile[::-1]
        self.capital: list[str] = []
        self.palace: list[str] = []
        self.resources: list[str] = []
        self.won: list[str] = []
        self.spent: list[str] = []
        self.excuse: str | None = None  # from where a card has to be moved
        self.end: str | None = None
        self.refill()

    def refill(self) -> None:
        while self.pile and len(self.capital) < 5:
            card = self.pile.pop()
            if card == "excuse" and not self.resources:
                self.spent.append(card)
                continue
            self.capital.append(card)
            if card == "excuse":
                self.excuse = "resource"
                return
        while self.pile and len(self.resources) < 5:
            card = self.pile.pop()
            if card in PEOPLE:
                self.palace.append(card)
                if len(self.palace) == 6:
                    self.end = "hanged"
                    return
            else:
                self.resources.append(card)
                if card == "excuse":
                    self.excuse = "capital"
                    return
        self.look()

    def look(self) -> None:
        if not self.pile and not PEOPLE & {*self.capital, *self.palace}:
            self.end = "won"
        elif not self.moves():
            self.end = "won" if len(self.won) == len(PEOPLE & set(self.deck)) else "lost"

    def moves(self) -> list[tuple]:
        if self.excuse:
            row = self.resources if self.excuse == "resource" else self.capital
            return [("excuse", card) for card in row if card != "excuse"]
        found = []
        for target in self.palace + self.capital:
            fitting = [card for card in self.resources if OVERLAP[card, target]]
            for n in range(1, len(fitting) + 1):
                for paid in itertools.combinations(fitting, n):
                    if sum(RANKS[card] for card in paid) >= RANKS[target]:
                        found.append((target, paid))
        return found

    def move(self, target: str, paid: tuple[str, ...] | str) -> None:
        if target == "excuse":
            self.answer(paid)
            return
        for card in paid:
            self.resources.remove(card)
            self.spent.append(card)
        (self.capital if target in self.capital else self.palace).remove(target)
        (self.won if target in PEOPLE else self.resources).append(target)
        self.refill()

    def answer(self, card: str) -> None:
        if self.excuse == "resource":
            self.resources.remove(card)
            self.capital[self.capital.index("excuse")] = card
        else:
            self.capital.remove(card)
            self.resources.remove("excuse")
            (self.palace if card in PEOPLE else self.resources).append(card)
        self.spent.append("excuse")
        self.excuse = None
        if len(self.palace) == 6:
            self.end = "hanged"
        else:
            self.refill()

    def score(self) -> int:
        counted = {"hanged": [], "won": self.won + self.resources}.get(self.end, self.won)
        return sum(RANKS[card] for card in counted)


def playout(chance: random.Random) -> str:
    pile = list(BASIC)
    chance.shuffle(pile)
    game = Adaman(pile)
    while not game.end:
        game.move(*chance.choice(game.moves()))
    return game.end
