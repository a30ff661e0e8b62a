"""The same random games as a plain program: lists, numbers, one function. No views, no states, no records.

This is how one would write it who wants nothing but the games played: what the contract costs is measured
against it (`bench/hichaechoc.py`). Assisted play without options, like there.
"""

import random

CASES, NUMBERS, GENDERS = range(5), range(2), range(3)
CELLS = [(case, number, gender) for case in CASES for number in NUMBERS for gender in GENDERS]


def tables(forms: list[str]) -> tuple[list[int], list[list[list[int]]]]:
    """The cards as numbers, and for every top (declared reading, then undeclared form) what each card fits as."""
    numbers = {form: number for number, form in enumerate(dict.fromkeys(forms))}
    cards = [numbers[form] for form in forms]
    beside = [[sum(a == b for a, b in zip(x, y, strict=True)) == 2 for y in CELLS] for x in CELLS]
    readings = [[cell for cell in range(30) if cards[cell] == form] for form in range(len(numbers))]
    tops = [[cell] for cell in range(30)] + readings
    return cards, [
        [[cell for cell in readings[form] if any(beside[cell][under] for under in top)] for form in range(len(numbers))]
        for top in tops
    ]


def play(cards: list[int], fits: list[list[list[int]]], seats: int, dice: random.Random) -> int:
    """One random game; how many actions it took."""
    pile = cards[:]
    dice.shuffle(pile)
    hands = [[pile.pop() for _ in range(5)] for _ in range(seats)]
    form = pile.pop()
    top = 30 + form
    played: list[int] = []
    seat = actions = passes = idle = 0
    while True:
        hand = hands[seat]
        fit = fits[top]
        plays = [(card, reading) for card in set(hand) for reading in fit[card]]
        drew = False
        if not plays and (pile or played):
            actions += 1
            if not pile:
                pile, played = played, []
                dice.shuffle(pile)
            card = pile.pop()
            hand.append(card)
            drew = True
            plays = [(card, reading) for reading in fit[card]]
            choice = dice.randrange(len(plays) + 1)
        elif plays:
            choice = dice.randrange(len(plays))
        else:
            choice = 0
        actions += 1
        if choice < len(plays):
            card, reading = plays[choice]
            hand.remove(card)
            played.append(form)
            form, top = card, reading
            if not hand:
                return actions
            passes = idle = 0
        elif drew:
            passes = idle = 0
        else:
            passes += 1
            idle += 1
            if passes == seats or idle == 3 * seats:
                return actions
        seat = (seat + 1) % seats
