"""The doubt ledger in words, and what bots thought: for the page of a game that is over."""

from collections.abc import Iterable, Sequence
from typing import Any

from spieltisch.decks.dates import years
from spieltisch.game import State
from spieltisch.games.annodomini.ledger import Round, account, rounds
from spieltisch.games.annodomini.news import News
from spieltisch.games.annodomini.rooms import Own, Public
from spieltisch.games.annodomini.sentences import by

REVIEW = "Who erred, who doubted"


def review(
    games: Sequence[tuple[State[Public, Own, Any], Iterable[News]]], seats: int, thoughts: Sequence[Any], says: Any
) -> dict[str, Any]:
    """The context of `review.html`. `thoughts` are those of the bots, of all rounds."""
    state, news = games[0]
    played, options = rounds(news), state.public.options
    doubted, last = options.doubter_penalty, options.last_player_penalty
    accounts = [account(played, seat) for seat in range(seats)]
    return {
        "accounts": [
            {"seat": seat, "doubts": _of(one.right, one.doubts, says), "errors": _of(one.caught, one.errors, says)}
            for seat, one in enumerate(accounts)
        ],
        "even": says._(
            "With these penalties a doubt pays from {n} % of right ones on. A card laid wrong pays while at most every"
            " {m}th is doubted at once."
        ).format(n=round(100 * doubted / (doubted + last)), m=last),
        "rounds": [
            {"n": n, "told": _told(one, says), "thought": _thought(one, n, thoughts, says)}
            for n, one in enumerate(played, 1)
        ],
    }


def _of(part: int, all_: int, says: Any) -> str:
    return says._("{n} of {m}").format(n=part, m=all_) if all_ else "–"


def _told(one: Round, says: Any) -> list[str]:
    """Who laid the first error, who let it pass, how it ended."""
    if one.reveal.correct:
        said = [says._("The chain was right.")]
    else:
        seat, card = one.errors[0]
        words = by(seat, says, "{name} laid the first error: “{event}”", "You laid the first error: “{event}”")
        said = [words.format(name=says.name(seat), event=card.front[says.lang])]
        for passing in dict.fromkeys(by_ for by_ in one.passed if by_ != seat):
            words = by(passing, says, "{name} let it pass.", "You let it pass.")
            said.append(words.format(name=says.name(passing)))
    if not one.reveal.at_once:
        words = by(one.reveal.doubter, says, "{name} doubted.", "You doubted.")
        said.append(words.format(name=says.name(one.reveal.doubter)))
    return said


def _thought(one: Round, n: int, thoughts: Sequence[Any], says: Any) -> list[str]:
    """What bots believed of the cards with which they laid an error, and of the chain that they doubted."""
    wrong = {card.number: card for _, card in one.errors}
    said = []
    for thought in thoughts:
        name = says.name(thought.seat)
        if thought.round != n:
            continue
        if thought.wrong is not None:
            words = says._("{name}: “I thought the chain was wrong with {n} %, so I doubted.”")
            said.append(words.format(name=name, n=round(100 * thought.wrong)))
        elif thought.card in wrong:
            words = says._("{name} thought of {years}: “{event}”")
            years_ = years(thought.years)[says.lang]
            said.append(words.format(name=name, event=wrong[thought.card].front[says.lang], years=years_))
    return said
