"""The deck in play: bots of three levels at tables of four show lengths, the seats' advantages, and hard cards.

A bot's belief about a card comes from its date, its level and its fields, never from its words. So the results are
about dates and their order, not about how a card is written.
"""

from collections import Counter
from collections.abc import Callable, Sequence

from msgspec import Struct

from spieltisch import games
from spieltisch.decks.base_kind import DeckKind, kind_of
from spieltisch.decks.choosing import Choosable
from spieltisch.decks.findings import Message
from spieltisch.decks.text import Text
from spieltisch.decks.things import in_play
from spieltisch.game import HasCards, HasNews, Refused, read
from spieltisch.package import Package
from spieltisch.study import figures, series
from spieltisch.study.figures import Mean

SEATS = 4
LONGEST = 60  # rounds of a game: without an end some tables would doubt for ever
SHOWN = 12  # times that a card has to be turned over before anything is said of it


class Level(Struct, frozen=True):
    """Games of four bots of one level: their lengths, and each seat's part of the wins; 1 in 4 is fair."""

    level: str
    label: str
    games: int
    unfinished: int
    actions: Mean
    seats: tuple[Mean, ...]
    lengths: tuple[tuple[int, int], ...]


class Laid(Struct, frozen=True):
    """A card in these games: how often it was turned over, and how often it had to be moved."""

    card: str
    front: Text
    shown: int
    wrong: int


class Played(Struct, frozen=True):
    """The results of all games, with their number of seats and of cards `each` (0: the game's usual number). `refused`
    is the reason if none could be played.
    """

    levels: tuple[Level, ...] = ()
    cards: tuple[Laid, ...] = ()
    seats: int = SEATS
    each: int = 0
    refused: Message | None = None


def play(
    deck: Choosable, kind: str, games_: int, seed: int = 1, progress: Callable[[int], None] | None = None
) -> Played:
    """Play this many games of each level. `progress` gets the number of games so far."""
    package = games.with_decks(kind)
    ways = {"max_rounds": LONGEST} if "max_rounds" in package.rules.Options.__struct_fields__ else {}
    usual = read(package.record.default["deck"], str)
    top = read(
        package.record.top_with(usual, len(in_play(deck).cards))["options"],
        dict[str, object],
    )
    seats = SEATS
    try:
        options = package.rules.Options(**top, **ways)
        while seats > 2 and not _fits(package, seats, options, deck):
            seats -= 1
        package.rules.setup(seats, options, in_play(deck))
    except Refused as reason:
        return Played(refused=Message(reason.text, reason.values))
    watch = _Watch(kind_of(kind), {card.front: card.id for card in deck.cards})
    levels, done = [], 0
    for level, label in package.bot.levels.items():
        bots = (level,) * seats
        of_level = series.Series(package.name, {}, bots, seed)
        played = []
        for number in range(games_):
            played.append(series.one_game(of_level, number, package, options, deck, watch.see))
            done += 1
            if progress is not None:
                progress(done)
        of = figures.of(of_level, played)
        levels.append(Level(level, label, games_, of.unfinished, of.actions, of.by_seat, of.lengths))
    return Played(tuple(levels), watch.laid(), seats, getattr(options, "cards_per_player", 0))


def _fits(package: Package, seats: int, options: Struct, deck: Choosable) -> bool:
    try:
        package.rules.setup(seats, options, in_play(deck))
    except Refused:
        return False
    return True


class _Watch:
    """Counts the cards of the chains that are turned over."""

    def __init__(self, kind: DeckKind[HasCards], ids: dict[Text, str]) -> None:
        self._kind = kind
        self._ids = ids
        self._fronts = {card: front for front, card in ids.items()}
        self._shown = Counter[str]()
        self._wrong = Counter[str]()
        self._last: object = None

    def see(self, public: HasNews) -> None:
        """Look at the open cards after a step."""
        laid = self._kind.laid(public)
        if laid is None or laid[0] is self._last:
            return
        self._last, cards = laid
        self._shown.update(self._ids[front] for front, _ in cards)
        self._wrong.update(self._ids[front] for front, wrong in cards if wrong)

    def laid(self) -> tuple[Laid, ...]:
        """Return what was seen of each card, those laid wrong most often first."""
        seen = (Laid(card, self._fronts[card], shown, self._wrong[card]) for card, shown in self._shown.items())
        return tuple(sorted(seen, key=lambda one: (-one.wrong / one.shown, -one.shown, one.card)))


def hardest(played: Played, most: int = 5) -> Sequence[Laid]:
    """Return the cards that were laid wrong most often."""
    return [one for one in played.cards if one.shown >= SHOWN and one.wrong][:most]
