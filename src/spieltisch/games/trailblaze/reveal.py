"""A reveal on the page: the question, the cards with their years, the timing, and the verdict."""

from spieltisch.decks.dates import day_text
from spieltisch.decks.vocabulary import FIELDS
from spieltisch.games.trailblaze import rules
from spieltisch.games.trailblaze.board import Parts
from spieltisch.games.trailblaze.news import Front, Revealed, in_words
from spieltisch.games.trailblaze.state import Public
from spieltisch.i18n import N_, Translator

# in ms
QUESTION = 1200  # the last stone lies, and all cards are face down
PACE = 1000  # between cards
QUICK = 750  # between more than three cards
BREATH = 500  # from a year to the right stones
REST = 700  # pause before the verdict


def moments(cards: int) -> tuple[list[int], int]:
    """When each card turns, in ms after the reveal, and when the verdict comes."""
    turns = [QUESTION + n * (PACE if cards <= 3 else QUICK) for n in range(cards)]
    return turns, turns[-1] + BREATH + REST


def seconds(p: Public) -> float:
    """How long the last step is shown if it was a reveal, in seconds."""
    return moments(len(p.revealed))[1] / 1000 if any(isinstance(one, Revealed) for one in p.news) else 0.0


def shown(p: Public, tr: Translator) -> dict[str, object]:
    """The question, the cards in the order they turn, and when the verdict comes."""
    turns, ends = moments(len(p.revealed))
    last = not all(any(left) for left in p.stones)  # known in advance
    title = tr._("The last stones are down: who is right?") if last else tr._("Who is right?")
    cards = [
        _revealed(news, p, tr) | {"at": at, "marked": at + BREATH} for news, at in zip(p.revealed, turns, strict=True)
    ]
    return {"asks": title, "cards": cards, "ends": ends}


def front(front: Front | None, tr: Translator) -> dict[str, object] | None:
    if front is None:
        return None
    field = tr._(FIELDS[front.field]) if front.field in FIELDS else front.field
    return {
        "card": front.card,
        "text": front.text.spoken(tr.lang),
        "joker": front.joker,
        "motif": motif(front.field, joker=front.joker),
        "label": field,
    }


def motif(field: str, *, joker: bool) -> str:
    """The drawing on a card of this field."""
    return "joker" if joker else field if field in FIELDS else "other"


def _revealed(news: Revealed, p: Public, tr: Translator) -> dict[str, object]:
    stones = [
        {"period": p.periods[s.column].name[tr.lang], "right": s.column == news.column, "bonus": s.pattern is None}
        for s in news.stones
    ]
    source = news.source if news.source.startswith("https://") else ""
    return {
        "seat": news.seat, "front": front(news.card, tr), "year": news.year, "who": news.who, "place": news.place,
        "comment": news.comment.spoken(tr.lang), "source": source,
        "site": source[: source.rfind("/") + 1], "page": source[source.rfind("/") + 1 :],
        "corrected": day_text(news.corrected)[tr.lang],
        "stones": stones, "right": any(s["right"] for s in stones), "period": news.period[tr.lang],
    }  # fmt: skip


def verdict(p: Public, me: int | None, tr: Translator) -> dict[str, object] | None:
    """What the reveal means for this seat: right, near or wrong, and what follows."""
    mine = next((news for news in p.revealed if news.seat == me), None)
    if mine is None:
        return None
    own = next((s for s in mine.stones if s.pattern is not None), None)
    bonus = next((s for s in mine.stones if s.pattern is None), None)
    year = mine.year if mine.year is not None else tr._("The future")
    hit = own is not None and own.column == mine.column
    lines = []
    if hit and own is not None:
        title = tr._("Right.")
        lines.append(
            tr.ngettext("{n} point for row {row}.", "{n} points for row {row}.", own.row).format(n=own.row, row=own.row)
        )
    elif own is None:
        title = tr._("No stone placed.")
        lines.append(tr._("The right column was {period}.").format(period=in_words(mine.period[tr.lang], tr)))
    else:
        off = abs(mine.column - own.column)
        title = tr._("Just missed.") if off == 1 else tr._("Missed.")
        right = tr.ngettext("{year} is {n} column further right.", "{year} is {n} columns further right.", off)
        left = tr.ngettext("{year} is {n} column further left.", "{year} is {n} columns further left.", off)
        lines.append((right if mine.column > own.column else left).format(year=year, n=off))
        lines.append(tr._("Your stone is turned over."))
    if bonus is not None:
        good = bonus.column == mine.column
        wrong = tr._(N_("Your bonus stone was wrong.") if hit else N_("Your bonus stone was wrong too."))
        lines.append(tr._("Your bonus stone was right.") if good else wrong)
        hit = hit or good
    then, now = scored(p, mine)
    if (more := now.pattern - then.pattern) > 0:
        words = tr.ngettext("{n} more point for your pattern.", "{n} more points for your pattern.", more)
        lines.insert(1, words.format(n=more))
    if p.phase != "over" and p.starter is not None:
        starts = N_("You begin round {n}.") if p.starter == me else N_("{name} begins round {n}.")
        lines.append(tr._(starts).format(name=tr.name(p.starter), n=p.round))
    return {"hit": hit, "title": title, "text": " ".join(lines)}


def scored(p: Public, mine: Revealed) -> tuple[Parts, Parts]:
    """The score of the stones of a card's holder before and after its reveal."""
    fields = {(stone.row, stone.column) for stone in mine.stones if stone.column == mine.column}
    now = [stone for stone in p.board if stone.seat == mine.seat]
    before = [stone for stone in now if (stone.row, stone.column) not in fields]
    columns = len(p.periods)
    return rules.score(before, columns), rules.score(now, columns)
