"""What pages ask of decks: questions that are answered in another process. See `decks.library`."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from spieltisch.decks.check import for_play, open_deck
from spieltisch.decks.deck import Deck, Kind
from spieltisch.decks.exporting.credits import Credits, credits_of
from spieltisch.decks.exporting.files import EXPORTS
from spieltisch.decks.findings import Finding, errors
from spieltisch.decks.importing import making
from spieltisch.decks.importing.work import ASKED
from spieltisch.decks.library import Library
from spieltisch.decks.library import shipped as shipped_decks
from spieltisch.decks.text import Text
from spieltisch.decks.things import in_play
from spieltisch.game import Invalid
from spieltisch.i18n import common_translator
from spieltisch.web.view.deck_choice import KINDS
from spieltisch.web.view.decks import PAGE, card, deck_page, game_of
from spieltisch.web.view.drawn import drawn


def deck_of(library: Library, names: Sequence[str]) -> Deck:
    """The deck itself."""
    return open_deck(library.path(names[0]))


class About(Struct, frozen=True):
    """What is to be known of a deck before anything of it is shown."""

    kind: Kind
    title: Text
    cards: int


def about(library: Library, names: Sequence[str]) -> About:
    """What kind of deck it is, its title and its number of cards."""
    deck = deck_of(library, names)
    return About(deck.kind, deck.title, len(deck.table.rows))


def shown(
    library: Library, names: Sequence[str], base: str, lang: str, at: int, series: str, mine: bool
) -> dict[str, Any] | None:
    """A page of a deck, its cards drawn: see `deck_page`; None if no game is played with such decks."""
    deck = deck_of(library, names)
    if deck.kind not in KINDS:
        return None
    tr, shipped = common_translator(lang), names[0] in shipped_decks()
    page = deck_page(deck, tr, at=at, mine=mine, series=series)
    return page | {"cards": drawn(base, "deckcards.html", tr, **page, name=names[0], shipped=shipped) if mine else ""}


def exported(library: Library, names: Sequence[str], form: str, lang: str) -> bytes:
    """The deck as a file in one of `EXPORTS`."""
    made = EXPORTS[form].made(making.handed_out(deck_of(library, names)), lang)
    return made.encode() if isinstance(made, str) else made


def top(library: Library, names: Sequence[str]) -> tuple[str, dict[str, Any]]:
    """The game that is played with this deck, and what is chosen for a table with it. Invalid if none can be."""
    deck = deck_of(library, names)
    package = game_of(deck.kind)
    return package.name, package.record.top_with(names[0], len(in_play(for_play(deck)).cards))


def card_places(library: Library, names: Sequence[str]) -> dict[str, int]:
    """Where the page with a card begins, by the card's id."""
    ids = [row["id"] for row in deck_of(library, names).table.rows]
    return {one: number // PAGE * PAGE for number, one in enumerate(ids)}


Place = tuple[int, dict[str, Any], str]  # of a card: its row in the deck, what is on it, the fact that it names


def cards_reported(library: Library, names: Sequence[str], ids: Sequence[str], lang: str) -> dict[str, Place]:
    """Those of these cards that the deck still has, by their ids."""
    deck = deck_of(library, names)
    rows = {row["id"]: (at, row) for at, row in enumerate(deck.table.rows)}
    return {
        one: (rows[one][0], card(rows[one][1], deck.kind, lang), rows[one][1].cells.get("fact", ""))
        for one in ids
        if one in rows
    }


def card_with_front(library: Library, names: Sequence[str], front: str) -> tuple[str, str] | None:
    """The deck and the id of the card with this front: see `Library.card`."""
    return library.card(names, front)


def origin(library: Library, names: Sequence[str]) -> Credits:
    """Where the deck comes from."""
    return credits_of(deck_of(library, names))


class Edited(Struct, frozen=True):
    """A deck after a change: its new `text`, and the place of the card that was changed (-1: none) with its id. Or what
    is `wrong` with that card, and the deck stays; then the `row` is what a form shows instead of what was sent.
    """

    text: str = ""
    at: int = -1
    card: str = ""
    wrong: tuple[Finding, ...] = ()
    row: Mapping[str, str] = {}


def edited(library: Library, names: Sequence[str], to: str, fields: Mapping[str, str]) -> Edited:
    """Change a card, take one away, settle what two people wrote, name the deck or its eras, share it or not (`to`).
    Invalid if that cannot be done.
    """
    deck = deck_of(library, names)
    card = fields.get("id", "")
    if to in {"card", "remove"} and (late := making.overtaken(deck, fields)):
        there = next((row.cells for row in deck.table.rows if row["id"] == card), None)
        if there is not None:
            again = {"over": "1"} if to == "card" else there
            return Edited(wrong=(late,), row={**again, "seen": making.seen(there)})
        if to == "card":
            return Edited(wrong=(late,), row={"id": "", "seen": ""})
    match to:
        case "card":
            new, found = making.changed(deck, fields)
            asked = [one for one in found if one.rule in ASKED] if "meant" not in fields else []
            if errors(found) or asked:
                return Edited(wrong=tuple(found))
            if "settle" in fields:
                new = making.settled(new, card)
            elif "over" in fields or not fields.get("seen"):
                new = making.replacing(deck, new, card)
            ids = [row["id"] for row in new.table.rows]
            at = ids.index(card) if card in ids else len(ids) - 1
            return Edited(new.text(), at, ids[at])
        case "remove":
            return Edited(making.without(deck, card).text())
        case "eras":
            return Edited(making.with_eras(deck, fields.get("eras", "")).text())
        case "settle":
            return Edited(making.settled(deck, card).text())
        case "title":
            return Edited(making.renamed(deck, Text(fields.get("title_de", ""), fields.get("title_en", ""))).text())
        case "share" | "unshare":
            return Edited(making.shared(deck, shared=to == "share").text())
    raise Invalid("This is not one of the choices.")
