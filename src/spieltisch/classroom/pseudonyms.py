"""Names that nobody types: a time, a place or weather, and an animal. Any combination is fit for a wall."""

import random
from collections.abc import Collection, Sequence

from spieltisch.languages import language


def pseudonym(lang: str, taken: Collection[str], dice: random.Random) -> str:
    """A free name; there are several times as many as a class needs. While words are left, it shares none with others:
    a narrow page shows the first word alone.
    """
    words = language(lang).pseudonyms
    places, animals = _unused(words.places, taken), _unused(words.animals, taken)
    while True:
        name = words.pattern.format(place=dice.choice(places), animal=dice.choice(animals))
        if name not in taken:
            return name
        places, animals = words.places, words.animals


def _unused(words: Sequence[str], names: Collection[str]) -> Sequence[str]:
    return [word for word in words if not any(word in name for name in names)] or words
