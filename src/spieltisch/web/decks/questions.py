"""What pages ask of decks, answered in another process: see `decks.library`."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from spieltisch.decks.check import for_play, open_deck
from spieltisch.decks.deck import Deck
from spieltisch.decks.exporting.files import EXPORTS
from spieltisch.decks.findings import Finding, errors
from spieltisch.decks.importing import making
from spieltisch.decks.importing.work import ASKED
from spieltisch.decks.library import Library
from spieltisch.decks.library import shipped as shipped_decks
from spieltisch.decks.text import TAGS, Text, text_of
from spieltisch.decks.things import in_play
from spieltisch.game import Invalid
from spieltisch.games import with_decks
from spieltisch.i18n import common_translator
from spieltisch.web.core.view.deck_choice import chosen_kinds
from spieltisch.web.decks.views import PAGE, deck_page, drawn


def deck_of(library: Library, names: Sequence[str]) -> Deck:
    return open_deck(library.path(names[0]))


class About(Struct, frozen=True):
    """What can be known of a deck before anything of it is shown."""

    kind: str
    title: Text
    cards: int


def about(library: Library, names: Sequence[str]) -> About:
    """Return the deck's kind, title and number of cards."""
    deck = deck_of(library, names)
    return About(deck.kind, deck.title, len(deck.table.rows))


def shown(
    library: Library, names: Sequence[str], base: str, lang: str, at: int, series: str, mine: bool
) -> dict[str, object] | None:
    """Return what a deck's page shows, its cards drawn: see `deck_page`. None if no game plays such decks."""
    deck = deck_of(library, names)
    if deck.kind not in chosen_kinds():
        return None
    tr, shipped = common_translator(lang), names[0] in shipped_decks()
    page = deck_page(deck, tr, at=at, mine=mine, series=series)
    return page | {"cards": drawn(base, "decks/cards.html", tr, **page, name=names[0], shipped=shipped) if mine else ""}


def exported(library: Library, names: Sequence[str], form: str, lang: str) -> bytes:
    """Return the deck as a file in one of `EXPORTS`."""
    made = EXPORTS[form].made(making.handed_out(deck_of(library, names)), lang)
    return made.encode() if isinstance(made, str) else made


def top(library: Library, names: Sequence[str]) -> tuple[str, dict[str, object]]:
    """Return the game that plays this deck and the top keys of a record with it. Raises Invalid if there is none."""
    deck = deck_of(library, names)
    package = with_decks(deck.kind)
    return package.name, package.record.top_with(names[0], len(in_play(for_play(deck)).cards))


def card_places(library: Library, names: Sequence[str]) -> dict[str, int]:
    """Return where the page with a card begins, by the card's id."""
    ids = [row["id"] for row in deck_of(library, names).table.rows]
    return {one: number // PAGE * PAGE for number, one in enumerate(ids)}


class Edited(Struct, frozen=True):
    """A deck after a change: its new `text`, and the place and id of the changed card (-1: none).

    If something is `wrong` with that card, the deck stays as it was, and a form shows `row` instead of what was sent.
    """

    text: str = ""
    at: int = -1
    card: str = ""
    wrong: tuple[Finding, ...] = ()
    row: Mapping[str, str] = {}


def edited(library: Library, names: Sequence[str], to: str, fields: Mapping[str, str]) -> Edited:
    """Do `to` to the deck: change or remove a card, settle a conflict, set title or eras, share or unshare. Raises
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
            title = text_of({tag: fields.get(f"title_{tag}", "") for tag in TAGS})
            return Edited(making.renamed(deck, title).text())
        case "share" | "unshare":
            return Edited(making.shared(deck, shared=to == "share").text())
    raise Invalid("This is not one of the choices.")
