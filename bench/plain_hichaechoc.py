"""The same random games as a plain program: lists and numbers, everything on one table. No views, no states.

This is how somebody would write it who wants nothing but the games played; what the contract costs is measured
against it (`bench/hichaechoc.py`). Assisted play without options, every action chosen from the list of those
possible, like there. `fits` is worked out once for all games.
"""

import random

CASES, NUMBERS, GENDERS = range(5), range(2), range(3)
CELLS = [(case, number, gender) for case in CASES for number in NUMBERS for gender in GENDERS]
DRAW, PASS = (-1, -1), (-2, -2)


class Cards:
    """The cards as numbers of their written forms, their readings, and which readings go on which."""

    def __init__(self, forms: list[str]) -> None:
        numbers = {form: number for number, form in enumerate(dict.fromkeys(forms))}
        self.cards = [numbers[form] for form in forms]
        self.readings = [[cell for cell in range(30) if self.cards[cell] == form] for form in range(len(numbers))]
        beside = [{b for b in range(30) if self.agree(a, b) == 2} for a in range(30)]
        tops = [[cell] for cell in range(30)] + self.readings  # declared, then undeclared ones by form
        self.fits = [set().union(*(beside[cell] for cell in top)) for top in tops]

    @staticmethod
    def agree(one: int, other: int) -> int:
        return sum(a == b for a, b in zip(CELLS[one], CELLS[other], strict=True))


def play(cards: Cards, seats: int, dice: random.Random) -> int:
    """One random game; how many actions it took."""
    pile = cards.cards[:]
    dice.shuffle(pile)
    hands = [[pile.pop() for _ in range(5)] for _ in range(seats)]
    top = pile.pop()
    fits = cards.fits[30 + top]
    played: list[int] = []
    seat = actions = passes = idle = 0
    drawn = None
    while True:
        hand = hands[seat]
        options = [
            (card, r) for card in set(hand if drawn is None else (drawn,)) for r in cards.readings[card] if r in fits
        ]
        if drawn is not None:
            options.append(PASS)
        elif not options:
            options.append(DRAW if pile or played else PASS)
        choice = dice.choice(options)
        actions += 1
        if choice is DRAW:
            if not pile:
                pile, played = played, []
                dice.shuffle(pile)
            drawn = pile.pop()
            hand.append(drawn)
            passes = idle = 0
            continue
        if choice is PASS:
            if drawn is None:
                passes += 1
                idle += 1
                if passes == seats or idle == 3 * seats:
                    return actions
        else:
            card, reading = choice
            hand.remove(card)
            if not hand:
                return actions
            played.append(top)
            top, fits = card, cards.fits[reading]
            passes = idle = 0
        drawn = None
        seat = (seat + 1) % seats
