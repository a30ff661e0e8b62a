"""Deals of Adaman with what is proven of them, as a data set."""

from collections.abc import Iterator

from spieltisch.games.adaman import rules
from spieltisch.games.adaman.decktet import decktet
from spieltisch.games.adaman.study import known
from spieltisch.games.adaman.study.winnable import Question, extra, run, shuffled
from spieltisch.study.datasets import PROGRAM, Column, Dataset, Wanted, program_version

DECK, SECONDS = "basic", 0.1
ABOUT = (
    "Random deals of the solitaire Adaman with the basic deck of 36 cards, seed {seed}, deals 0 to {last}: the order "
    "of the cards, and whether a player who knows that order can win. Wins and losses are proven by exhaustive search; "
    "a deal that took too long is undecided. The cards' names, ranks and suits are those of P. D. Magnus's Decktet."
)
COLUMNS = (
    Column("deal", "The number of the deal.", "Integer"),
    Column("winnable", "Whether it can be won by a player who knows the order; empty if undecided.", "Boolean"),
    Column("longer", "Whether it took more than 0.1 seconds and was solved again for longer.", "Boolean"),
    Column("cards", "The cards by their names in the deck, the first one dealt first, with blanks between them."),
)


def datasets(wanted: Wanted) -> Iterator[Dataset]:
    """The first deals of a seed. Raises Invalid where the file of those `known` is one of other deals; OSError."""
    question = Question(DECK, wanted.seed, SECONDS)
    about = ABOUT.format(seed=wanted.seed, last=wanted.deals - 1)
    yield Dataset(
        "adaman-deals", "Deals of Adaman, proven to be winnable or not", about, PROGRAM, program_version(), COLUMNS,
        _rows(question, wanted), ("solitaire", "search", "imperfect information", "Decktet"),
    )  # fmt: skip


def _rows(question: Question, wanted: Wanted) -> Iterator[tuple[object, ...]]:
    about: dict[str, object] = {"deck": DECK, "seed": wanted.seed, "rules": rules.version}
    letters = b"" if wanted.known is None else bytes(known.read(wanted.known, about))[: wanted.deals]
    names = [card.id for card in decktet(extra(DECK)).cards]
    more = run(question, range(len(letters), wanted.deals), wanted.on)
    solved = b"".join(known.LETTERS[answer.winnable] for answer in more)
    for deal, letter in enumerate((letters + solved).decode()):
        cards = " ".join(names[card] for card in shuffled(question, deal))
        yield deal, {"w": True, "l": False}.get(letter.lower()), letter.isupper(), cards
