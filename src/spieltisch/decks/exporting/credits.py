"""The origin of a deck, from its table: authors, licence, and the sources it was checked against."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import urlsplit

from msgspec import Struct

from spieltisch.decks.check import open_deck
from spieltisch.decks.deck import Deck
from spieltisch.decks.findings import message, say
from spieltisch.decks.library import Library
from spieltisch.decks.text import Text
from spieltisch.languages import DEFAULT

_SAID = ("source", "drawings", "note")  # lines above the cards about their origin


class Credits(Struct, frozen=True):
    """A deck's title and number of cards; its `#` lines; the number of cards from each site or book; how many name the
    fact they were compared with, and how many somebody has read again.
    """

    name: str
    title: Text
    cards: int
    version: str
    authors: str
    licence: str
    said: tuple[Text, ...]
    sites: tuple[tuple[str, int], ...]
    facts: int
    read: int


def asked(library: Library, names: Sequence[str]) -> Credits:
    """Answer `Library.answer`: the origin of the first of these decks."""
    return credits_of(open_deck(library.path(names[0])))


def credits_of(deck: Deck) -> Credits:
    """The origin of a deck, from its table."""
    rows = deck.table.rows
    sites = Counter(_site(source) for row in rows if (source := row.cells.get("source", "")))
    return Credits(
        deck.name,
        deck.title,
        len(rows),
        deck.table.said("version"),
        deck.table.said("authors"),
        deck.table.said("licence"),
        tuple(line for key in _SAID for line in deck.table.lines(key)),
        tuple(sites.most_common()),
        sum(bool(row.cells.get("fact")) for row in rows),
        sum(bool(row.cells.get("review")) for row in rows),
    )


def _site(source: str) -> str:
    """The site of an address; anything else is a book, and returned unchanged."""
    return urlsplit(source).netloc if source.startswith(("http://", "https://")) else source


def lines(one: Credits, lang: str) -> Iterator[str]:
    """The credits in sentences."""
    if one.version:
        yield say(message("Version: {version}", version=one.version), lang)
    if one.authors:
        yield say(message("By: {names}", names=one.authors), lang)
    if one.licence:
        yield say(message("Licence: {licence}", licence=one.licence), lang)
    yield from (said[lang] for said in one.said)
    if one.sites:
        sites = ", ".join(f"{site} ({n})" for site, n in one.sites)
        yield say(message("Sources of the cards: {sites}", sites=sites), lang)
    if one.facts:
        yield say(message("{n} of {m} cards name the fact they were checked against", n=one.facts, m=one.cards), lang)
    if one.read:
        yield say(message("{n} of {m} cards were read again in both languages", n=one.read, m=one.cards), lang)


def document(decks: Iterable[Deck]) -> str:
    """The credits of several decks, in Markdown and English."""
    parts = ["# Sources of the shipped decks\n\nMade by `spieltisch deck sources` from the tables of the decks.\n"]
    for deck in decks:
        one = credits_of(deck)
        told = "".join(f"- {line}\n" for line in lines(one, DEFAULT))
        parts.append(f"## {one.title[DEFAULT]} (`{one.name}`)\n\n- {one.cards} cards\n{told}")
    return "\n".join(parts)
