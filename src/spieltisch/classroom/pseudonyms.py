"""Names that nobody types: a time, a place or weather, and an animal. Any combination is fit for a wall."""

import random
from collections.abc import Container

WORDS = {
    "de": (
        ("Abend Berg Fluss Frühlings Garten Herbst Hügel Insel Küsten Mond Moos Morgen Nebel Nord Ost Regen Schnee See"
         " Sommer Sonnen Sternen Süd Tal Wald West Wiesen Winter Wolken"),
        ("amsel biber dachs delfin eule falke falter fink fuchs hase hirsch igel käfer kauz kranich lachs lerche"
         " libelle luchs marder möwe otter panda pinguin reiher robbe specht wal wiesel"),
        "",
    ),
    "en": (
        ("Autumn Coast Creek Dawn Dusk Eastern Field Forest Garden Hill Island Lake Maple Meadow Misty Moon Morning"
         " Northern Rain River Snow Southern Spring Star Summer Sunny Western Winter"),
        ("Badger Bluebird Crane Dolphin Dragonfly Falcon Finch Fox Hare Hedgehog Heron Kingfisher Koala Lark"
         " Lynx Marten Moth Otter Owl Panda Penguin Puffin Robin Salmon Seal Sparrow Wren"),
        " ",
    ),
}  # fmt: skip


def pseudonym(lang: str, taken: Container[str], dice: random.Random) -> str:
    """A free name; there are several times as many as a class needs."""
    places, animals, between = WORDS.get(lang, WORDS["en"])
    while True:
        name = between.join((dice.choice(places.split()), dice.choice(animals.split())))
        if name not in taken:
            return name
