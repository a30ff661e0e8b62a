"""What everybody may have been shown of marked decks."""

import json

from msgspec.structs import replace

from leaks.markers import marked, marks, shown
from spieltisch.classroom.classrooms import Classrooms
from spieltisch.classroom.counts import LessonCount
from spieltisch.decks.exporting.objectives import deck_of
from spieltisch.game import see
from spieltisch.table import lobby
from spieltisch.table.session import TableSession

NAMES = ("id", "form")  # keys for a card in a report


class Eyes:
    """What each seat, and everybody, has ever been shown; and what nobody may be shown. Reports have the real cards."""

    def __init__(self, patch):
        self.seats, self.everybody, self.seeds = {}, set(), set()
        self._real = {}
        load, publish, begin, decided = (
            lobby.options_and_deck, TableSession.publish, TableSession.begin, Classrooms.decided,
        )  # fmt: skip

        def loaded(package, top, seats, library):
            options, deck = load(package, top, seats, library)
            new = marked(deck)
            for one, card in zip(new.cards, deck.cards, strict=True):
                self._real |= {getattr(one, name): getattr(card, name) for name in NAMES if hasattr(card, name)}
            return options, new

        def published(session, position, entry):
            publish(session, position, entry)
            self.everybody |= shown(see(position.state, None))
            for seat in range(len(position.since)):
                self.seats.setdefault((session.setup.id, seat), set()).update(shown(see(position.state, seat)))

        def begun(session, setup, seed, cards):
            begin(session, setup, seed, cards)
            self.seeds.add(seed.hex())

        async def counted(classes, room):
            count, library = await decided(classes, room), classes._host.library
            rows = [replace(one, card=self._real.get(one.card, one.card)) for one in count.rows]
            return LessonCount([replace(one, deck=deck_of(library, one.deck, one.card)) for one in rows], count.running)

        patch.setattr(lobby, "options_and_deck", loaded)
        patch.setattr(TableSession, "publish", published)
        patch.setattr(TableSession, "begin", begun)
        patch.setattr(Classrooms, "decided", counted)

    def foreign(self, text, place):
        """Whether it has marks that the seat (table, seat) has never been shown."""
        return bool(marks(text) - self.seats.get(place, set()))

    def secret(self, text):
        """Whether it has marks that are not open on any table, or a seed."""
        return bool(marks(text) - self.everybody) or any(one in text for one in self.seeds)


def pictured(payload):
    """The parts of a picture in a socket's message."""
    said = json.loads(payload)
    said |= said.get("update") or {}
    return "".join(part for part in [*(said.get("parts") or ()), said.get("html")] if isinstance(part, str))
