"""The look back at a finished game: hidden years, each card's period, the bots' reasons, cards to learn."""

from collections.abc import Iterable, Sequence

from spieltisch.decks.dates import years
from spieltisch.decks.exporting.anki import Note
from spieltisch.games.trailblaze.bot import Thought
from spieltisch.games.trailblaze.news import Dealt, News, Revealed
from spieltisch.games.trailblaze.state import Finished, GameState
from spieltisch.i18n import Translator
from spieltisch.package import Section

NEXT = 6  # cards of the deck to show


def hidden(state: GameState, tr: Translator) -> list[Section]:
    """What nobody saw: the years of this round's cards and of the next ones."""
    p, backs, lang = state.public, state.hidden.cards, tr.lang

    def line(card: int, whose: str = "") -> str:
        year = tr._("not yet") if backs[card].year is None else str(backs[card].year)
        return tr.labelled(f"{whose}{year}", backs[card].front[lang])

    held = [line(front.card, f"{tr.name(seat)}\u00a0– ") for seat, front in enumerate(p.cards) if front]
    middle = [] if p.middle is None else [line(p.middle.card, tr._("Middle") + "\u00a0– ")]
    parts = [
        (tr._("The cards of this round"), held + middle),
        (tr._("Next in the deck"), [line(card) for card in state.hidden.deck[:NEXT]]),
    ]
    return [Section(title, lines) for title, lines in parts if lines]


def review(games: Sequence[Finished], seats: int, thoughts: Sequence[Thought], tr: Translator) -> dict[str, object]:
    """The context of `review.html`. `thoughts` are those of the bots, of all rounds."""
    rounds: list[list[Revealed]] = []
    for one in games[0].news:
        if isinstance(one, Dealt) and one.round > len(rounds):
            rounds.append([])
        elif isinstance(one, Revealed):
            rounds[-1].append(one)
    thought = {(one.round, one.seat): one for one in thoughts}
    revealed = [one for cards in rounds for one in cards]
    return {
        "accounts": [_account(seat, [one for one in revealed if one.seat == seat], tr) for seat in range(seats)],
        "rounds": [
            {"n": n, "cards": [_card(one, thought.get((n, one.seat)), tr) for one in cards]}
            for n, cards in enumerate(rounds, 1)
            if cards
        ],
    }


def own_column(one: Revealed) -> int | None:
    """The column of the holder's own stone."""
    return next((stone.column for stone in one.stones if stone.pattern is not None), None)


def _account(seat: int, cards: Sequence[Revealed], tr: Translator) -> dict[str, object]:
    """How many stones were right, and how many were one column off."""
    off = [abs(column - one.column) for one in cards if (column := own_column(one)) is not None]
    return {"seat": seat, "right": _of(off.count(0), len(off), tr), "near": _of(off.count(1), len(off), tr)}


def _of(part: int, whole: int, tr: Translator) -> str:
    return tr._("{n} of {m}").format(n=part, m=whole) if whole else "–"


def _card(one: Revealed, thought: Thought | None, tr: Translator) -> dict[str, object]:
    column, period = own_column(one), one.period[tr.lang]
    return {
        "seat": one.seat,
        "text": one.card.text[tr.lang],
        "when": period if one.year is None else one.year,
        "right": None if column is None else column == one.column,
        "thought": _thought(thought, tr) if thought else "",
    }


def _thought(one: Thought, tr: Translator) -> str:
    said, lang = tr._("“I guessed {years}, so {period}. I was {n} % sure.”"), tr.lang
    return said.format(years=years(one.years)[lang], period=one.period[lang], n=round(100 * one.chance))


def missed(state: GameState, news: Iterable[News], seat: int, tr: Translator) -> list[Note]:
    """Cards for a seat to learn: each first with its stone in a wrong place, with the year on the back."""
    found, lang = {}, tr.lang
    for one in news:
        if not isinstance(one, Revealed) or one.seat != seat:
            continue
        if any(stone.pattern is not None and stone.column != one.column for stone in one.stones):
            year = one.period[lang] if one.year is None else str(one.year)
            who = ", ".join(filter(None, (one.who, one.place)))
            told = ". ".join(filter(None, (who, one.comment[lang])))
            found[one.card.text] = Note(one.card.text.first, (one.card.text[lang], year, told, one.source))
    return list(found.values())
