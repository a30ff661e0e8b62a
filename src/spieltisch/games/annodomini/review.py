"""The look back at a finished game: hidden cards, the ledger in words, the bots' reasons, cards to learn."""

from collections.abc import Iterable, Sequence

from spieltisch.decks.dates import years
from spieltisch.decks.exporting.anki import Note
from spieltisch.games.annodomini.bot import Thought
from spieltisch.games.annodomini.events import Event
from spieltisch.games.annodomini.ledger import Round, account, rounds
from spieltisch.games.annodomini.news import News
from spieltisch.games.annodomini.state import Finished, GameState
from spieltisch.i18n import N_, Translator
from spieltisch.package import Section

NEXT = 8  # cards of the pile to show


def hidden(state: GameState, tr: Translator) -> list[Section]:
    """What nobody saw: the dates of the chain, of every hand and of the next cards in the pile."""
    p, cards, lang = state.public, state.hidden.cards, tr.lang

    def line(card: Event) -> str:
        return tr.labelled(card.date[lang], card.front[lang])

    parts = [(tr._("The chain"), [laid.card.number for laid in p.chain])]
    parts += [(tr.name(seat), [card.number for card in hand]) for seat, hand in enumerate(p.hands)]
    parts.append((tr._("Next on the pile"), list(state.hidden.pile[:NEXT])))
    return [Section(title, [line(cards[n]) for n in numbers]) for title, numbers in parts if numbers]


def review(games: Sequence[Finished], seats: int, thoughts: Sequence[Thought], tr: Translator) -> dict[str, object]:
    """The context of `review.html`. `thoughts` are those of the bots, of all rounds."""
    state, news = games[0].dealt, games[0].news
    played, options = rounds(news), state.public.options
    doubted, last = options.doubter_penalty, options.last_player_penalty
    even = doubted / (doubted + last)
    accounts = [account(played, seat) for seat in range(seats)]
    return {
        "accounts": [
            {"seat": seat, "doubts": _of(one.right, one.doubts, tr), "errors": _of(one.caught, one.errors, tr)}
            for seat, one in enumerate(accounts)
        ],
        "even": tr._(
            "With these penalties, doubting pays if at least {n} % of your doubts are right."
            " A wrong card pays if at most one in {m} is doubted at once."
        ).format(n=_percent(even), m=last),
        "rounds": [
            {"n": n, "told": _told(one, tr), "thought": _thought(one, n, thoughts, even, tr)}
            for n, one in enumerate(played, 1)
        ],
    }


def _of(part: int, all_: int, tr: Translator) -> str:
    return tr._("{n} of {m}").format(n=part, m=all_) if all_ else "–"


def _percent(share: float) -> int:
    return round(100 * share)


def _told(one: Round, tr: Translator) -> list[str]:
    """Who laid the first error, who let it pass, how it ended."""
    passed, doubter = dict[int, None](), None if one.reveal.at_once else one.reveal.doubter
    if one.reveal.correct:
        said = [tr._("The chain was right.")]
    else:
        seat, card = one.errors[0]
        words = N_("{name} laid the first wrong card: “{event}”"), N_("You laid the first wrong card: “{event}”")
        said = [tr.of(seat, *words, event=card.front[tr.lang])]
        passed = dict.fromkeys(by for by in one.passed if by != seat)
        for passing in passed:
            if passing != doubter:
                said.append(tr.of(passing, N_("{name} did not doubt it."), N_("You did not doubt it.")))
    if doubter in passed:
        words = N_("{name} let it pass and doubted later."), N_("You let it pass and doubted later.")
        said.append(tr.of(doubter, *words))
    elif doubter is not None:
        said.append(tr.of(doubter, N_("{name} doubted."), N_("You doubted.")))
    return said


def _thought(one: Round, n: int, thoughts: Sequence[Thought], even: float, tr: Translator) -> list[str]:
    """What bots believed about their wrong cards, and about the chains that they doubted. A doubt is a good bet from
    the chance `even` on, however it ends.
    """
    wrong = {card.number: card for _, card in one.errors}
    said = []
    for thought in thoughts:
        name = tr.name(thought.seat)
        if thought.round != n:
            continue
        if thought.wrong is not None:
            words = tr._("{name}: “I was {n} % sure that the chain was wrong, so I doubted.”")
            good, poor = (
                N_("A good bet: doubting pays from {n} % on."),
                N_("Not a good bet: doubting pays from {n} % on."),
            )
            bet = tr._(good if _percent(thought.wrong) >= _percent(even) else poor).format(n=_percent(even))
            said.append(f"{words.format(name=name, n=_percent(thought.wrong))} {bet}")
        elif thought.card in wrong and thought.years is not None:
            words = tr._("{name} guessed {years}: “{event}”")
            years_ = years(thought.years)[tr.lang]
            said.append(words.format(name=name, event=wrong[thought.card].front[tr.lang], years=years_))
    return said


def missed(state: GameState, news: Iterable[News], seat: int, tr: Translator) -> list[Note]:
    """Cards for a seat to learn: those it laid wrong or let pass, with the date on the back."""
    found, lang = {}, tr.lang
    for one in rounds(news):
        fronts = {card.front for by, card in one.errors if by == seat}
        if seat in one.passed:  # it laid a card after the first error
            fronts.add(one.errors[0][1].front)
        for row in one.reveal.rows:
            if row.front in fronts:
                fields = (row.front[lang], row.date[lang], row.comment[lang], row.source)
                found[row.front] = Note(row.front.first, fields)
    return list(found.values())
