"""A reveal on the page: the question, the rows with their dates, the wrong ones, and the verdict."""

import re
from collections.abc import Sequence

from spieltisch.decks.chains import epochs
from spieltisch.decks.dates import Span, day_text, read_date, years
from spieltisch.decks.text import Text
from spieltisch.game import Invalid
from spieltisch.games.annodomini.cards import Reveal, misplaced
from spieltisch.games.annodomini.news import ENDS, Doubted, drawn
from spieltisch.games.annodomini.staging import Staging, staging
from spieltisch.games.annodomini.state import Public
from spieltisch.i18n import N_, Translator

_PARTED = (
    ("Jahrtausend", "Jahr\u00adtausend"), ("Jahrhundert", "Jahr\u00adhundert"), ("millennium", "millen\u00adnium"),
    (N_("September"), "Sep\u00adtember"),
)  # fmt: skip
LANES = 2  # columns of brackets
DRAWN = 40  # cards with brackets


def shown(reveal: Reveal, tr: Translator) -> dict[str, object]:
    moved = set(misplaced(tuple(row.span for row in reveal.rows)))
    beside = {place for pair in reveal.wrong for place in pair} - moved
    dates = [row.date[tr.lang] for row in reveal.rows]
    rows = [
        {
            "row": number + 1,
            "date": _breakable(dates[number]),
            "years": _read(row.date, row.span, tr),
            "text": row.front.spoken(tr.lang),
            "comment": row.comment.spoken(tr.lang),
            "source": row.source,
            "link": row.source.startswith("https://"),
            "site": row.source[: row.source.rfind("/") + 1],
            "page": row.source[row.source.rfind("/") + 1 :],
            "corrected": day_text(row.corrected)[tr.lang],
            "by": row.by,
            "bad": number in moved,
            "beside": number in beside,
        }
        for number, row in enumerate(reveal.rows)
    ]
    words = tr._("{above} is above {below}")
    wrong = [words.format(above=dates[above], below=dates[below]) for above, below in reveal.wrong]
    few = len(rows) <= DRAWN
    moments = _moments(reveal)
    for number, row in enumerate(rows):
        row |= {"at": moments.rows[number], "marked": moments.marks.get(number, 0)}
    title = tr.ngettext("{n} card is out of place", "{n} cards are out of place", len(moved)).format(n=len(moved))
    counted = tr.ngettext("{n} pair is wrong", "{n} pairs are wrong", len(wrong)).format(n=len(wrong))
    return {
        "rows": rows,
        "wrong": wrong,
        "title": title if wrong else tr._("The chain was right."),
        "counted": counted if wrong else "",
        "key": tr._("Pale red: part of a wrong pair, but in the right place itself.") if beside else "",
        "pairs": _brackets(reveal.wrong, wrong, moments) if few else [],
        "ends": moments.verdict,
        "epochs": epochs([row.span for row in reveal.rows]),
    }


def seconds(p: Public) -> float:
    """How long the last step is shown if it was a reveal, in seconds."""
    if p.revealed is None or not any(isinstance(one, Doubted) for one in p.news):
        return 0.0
    return _moments(p.revealed).verdict / 1000


def _moments(reveal: Reveal) -> Staging:
    return staging(len(reveal.rows), reveal.wrong, last_chain=reveal.at_once)


def asks(p: Public, tr: Translator) -> dict[str, object] | None:
    """The question that the reveal answers, and the stakes."""
    reveal = p.revealed
    if reveal is None:
        return None
    if reveal.at_once:
        laid = N_("{name} has laid the last card."), N_("You have laid your last card.")
        return {
            "title": tr._("Is the last chain right?"),
            "words": tr.of(reveal.last, *laid),
            "paid": p.paid,
        }
    doubts = tr.of(reveal.doubter, N_("{name} doubts."), N_("You doubt."))
    wrong = tr._("Wrong: {what}").format(what=drawn(reveal.last, p.options.last_player_penalty, tr))
    right = tr._("Right: {what}").format(what=drawn(reveal.doubter, p.options.doubter_penalty, tr))
    return {"title": tr._("Is the chain right?"), "words": f"{doubts} {wrong} {right}", "paid": p.paid}


def _breakable(date: str) -> str:
    """A date that may break inside its long word and before its era, for narrow fields."""
    date = re.sub(r"(\d)[\s\u00a0\u202f]+(?=v\.|BC)", r"\1 ", date)
    for word, parted in _PARTED:
        date = date.replace(word, parted)
    return date


def _read(written: Text, span: Span, tr: Translator) -> str:
    """The years that count, if the date does not show them."""
    try:
        date = read_date(written[tr.lang])  # so that its years use the same name of the era
    except Invalid:
        return tr._("counts as {years}").format(years=years(span)[tr.lang])
    return "" if date.form in {"year", "span"} else tr._("counts as {years}").format(years=date.years[tr.lang])


def _brackets(wrong: Sequence[tuple[int, int]], words: Sequence[str], moments: Staging) -> list[dict[str, object]]:
    """Brackets between cards: nearest pairs first, as many as the columns hold."""
    taken: list[list[tuple[int, int]]] = [[] for _ in range(LANES)]
    pairs: list[dict[str, object]] = []
    for (above, below), said in sorted(zip(wrong, words, strict=True), key=lambda one: one[0][1] - one[0][0]):
        for lane, there in enumerate(taken, 1):
            if all(below < start or above > end for start, end in there):
                there.append((above, below))
                at = moments.brackets[above, below]
                pairs.append({"from": above + 1, "to": below + 2, "lane": lane, "words": said, "at": at})
                break
    return pairs


def verdict(p: Public, tr: Translator) -> dict[str, object] | None:
    """The verdict: what the reveal means, for whom, and what comes next."""
    reveal = p.revealed
    if reveal is None:
        return None
    text = []
    if reveal.at_once and reveal.correct:
        played = N_("{name} has played their last card."), N_("You have played your last card.")
        text.append(tr.of(reveal.last, *played))
    elif reveal.at_once:
        laid = (
            N_("{name} laid the last card, but the chain was wrong."),
            N_("You laid your last card, but the chain was wrong."),
        )
        text.append(tr.of(reveal.last, *laid))
    elif reveal.correct:
        text.append(tr.of(reveal.doubter, N_("{name} was wrong to doubt."), N_("You were wrong to doubt.")))
    else:
        text.append(tr.of(reveal.doubter, N_("{name} was right to doubt."), N_("You were right to doubt.")))
        text.append(tr.of(reveal.last, N_("{name} placed last."), N_("You placed last.")))
    payer = reveal.doubter if reveal.correct else reveal.last
    if p.paid:
        text.append(drawn(payer, p.paid, tr))
    if p.end:
        then = "" if reveal.correct else tr._(ENDS[p.end])
    else:
        starter = (reveal.doubter + reveal.correct) % len(p.hands)
        then = tr.of(starter, N_("{name} begins round {n}."), N_("You begin round {n}."), n=p.round)
    return {
        "correct": reveal.correct,
        "title": tr._("The chain was right.") if reveal.correct else tr._("The chain was wrong."),
        "text": " ".join(text),
        "cards": min(p.paid, 3),
        "payer": payer,
        "then": then,
    }
