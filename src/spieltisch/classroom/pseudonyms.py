"""Names that nobody types: a time, a place or weather, and an animal. Any combination is fit for a wall."""

import random
from collections.abc import Container

from spieltisch.languages import language


def pseudonym(lang: str, taken: Container[str], dice: random.Random) -> str:
    """A free name; there are several times as many as a class needs."""
    words = language(lang).pseudonyms
    while True:
        name = words.pattern.format(place=dice.choice(words.places), animal=dice.choice(words.animals))
        if name not in taken:
            return name
