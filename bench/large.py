"""Decks of any size, to measure with: sentences of made-up words, no two of them alike."""

import random

SYLLABLES = (
    "ba be bi bo da de di do fa fe fi fo ga ge gi go ka ke ki ko la le li lo ma me mi mo na ne ni no ra re ri ro"
)


def deck(cards, seed=0):
    """A sheet with that many cards, as CSV in bytes."""
    dice, syllables = random.Random(seed), SYLLABLES.split()

    def word():
        return "".join(dice.choices(syllables, k=dice.randint(2, 4)))

    lines = ["date,event,comment,source"]
    for n in range(cards):
        event = f"{word().title()} {' '.join(word() for _ in range(7))}."
        lines.append(f"{1 + n * 2000 // cards},{event},{word().title()} {word()} {word()}.,Book of {word()}")
    return "\n".join(lines).encode()
