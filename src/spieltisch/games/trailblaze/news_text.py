"""One sentence for each kind of news, with "you" for the player who did it."""

from spieltisch.decks.text import Text
from spieltisch.games.trailblaze import news as told
from spieltisch.games.trailblaze.board import Stone, covers_rows
from spieltisch.games.trailblaze.news import News
from spieltisch.games.trailblaze.state import Public
from spieltisch.i18n import N_, Translator

_SHORT: dict[type, tuple[str, str]] = {
    told.Started: (N_("{name} drew the bonus stone and starts."), N_("You drew the bonus stone and start.")),
    told.Kept: (N_("{name} keeps the card."), N_("You keep your card.")),
    told.TookBonus: (N_("{name} takes the bonus stone."), N_("You take the bonus stone.")),
    told.LeftBonus: (N_("{name} leaves the bonus stone."), N_("You leave the bonus stone.")),
    told.Skipped: (N_("{name} finds no free field."), N_("You find no free field.")),
    told.HeldBack: (N_("{name} does not place the bonus stone."), N_("You do not place the bonus stone.")),
}
_SWAPPED = {
    True: (
        N_("{name} swaps with the middle and gets the bonus stone."),
        N_("You swap with the middle and get the bonus stone."),
    ),
    False: (N_("{name} swaps with the middle."), N_("You swap with the middle.")),
}
_PLACED = {
    True: (
        N_("{name} places the bonus stone: {period}, row {row}."),
        N_("You place the bonus stone: {period}, row {row}."),
    ),
    False: (N_("{name} places a stone: {period}, row {row}."), N_("You place a stone: {period}, row {row}.")),
}
_REPLACED = (
    N_("{name} replaces the bonus stone: {period}, row {row}."),
    N_("You replace the bonus stone: {period}, row {row}."),
)
_REVEALED = {
    (True, True): (N_("{year}: {name} is right, {period}."), N_("{year}: you are right, {period}.")),
    (False, True): (
        N_("{year}: {name}’s bonus stone is right, {period}."),
        N_("{year}: your bonus stone is right, {period}."),
    ),
    (False, False): (
        N_("{year}: {name} is wrong. The right column is {period}."),
        N_("{year}: you are wrong. The right column is {period}."),
    ),
}
_ENDS = {  # for one, several, the reader, the reader and one other, the reader and others
    "rows-complete": (
        N_("{name} has a right stone in every row: the game is over."),
        N_("{name} have a right stone in every row: the game is over."),
        N_("You have a right stone in every row: the game is over."),
        N_("You and {name} have a right stone in every row: the game is over."),
        N_("You, {some} and {last} have a right stone in every row: the game is over."),
    ),
    "no-stones": (
        N_("{name} has no stones left: the game is over."),
        N_("{name} have no stones left: the game is over."),
        N_("You have no stones left: the game is over."),
        N_("You and {name} have no stones left: the game is over."),
        N_("You, {some} and {last} have no stones left: the game is over."),
    ),
}


def tell(news: News, public: Public, tr: Translator) -> str:
    """The sentence for one piece of news; "" if nothing need be said."""
    match news:
        case told.Shuffled():
            return tr.ngettext(
                "The deck is shuffled: {n} card.", "The deck is shuffled: {n} cards.", news.cards
            ).format(n=news.cards)
        case told.Dealt():
            return tr._("Round {n}: new cards are dealt.").format(n=news.round)
        case told.Swapped():
            return _say(_SWAPPED[news.bonus], news.seat, tr)
        case told.Placed():
            return _of_stone(_PLACED[news.stone.pattern is None], news.stone, news.period, tr)
        case told.Replaced():
            return _of_stone(_REPLACED, news.stone, news.period, tr)
        case told.Revealed():
            return _revealed(news, tr)
        case told.PutUnder():
            return ""
        case told.Ended():
            return ending(news.end, public, tr)
    return _say(_SHORT[type(news)], news.seat, tr)


def ending(end: str, public: Public, tr: Translator) -> str:
    """Why the game is over, and who caused it."""
    if end not in _ENDS:
        return tr._("No field is free any more: the game is over.")
    one, many, mine, both, ours = _ENDS[end]
    done = [seat for seat in range(len(public.cards)) if _ends(end, seat, public)]
    names = [tr.name(seat) for seat in done if seat != tr.me]
    if not names:
        return tr._(mine)
    *others, last = names
    some, mine_too = ", ".join(others), tr.me in done
    if not some:
        return tr._(both if mine_too else one).format(name=last)
    if mine_too:
        return tr._(ours).format(some=some, last=last)
    return tr._(many).format(name=tr._("{some} and {last}").format(some=some, last=last))


def _ends(end: str, seat: int, public: Public) -> bool:
    if end == "no-stones":
        return not any(public.stones[seat])
    return covers_rows(stone for stone in public.board if stone.seat == seat)


def _say(sentences: tuple[str, str], seat: int, tr: Translator, **values: object) -> str:
    theirs, mine = sentences
    return tr._(mine if seat == tr.me else theirs).format(name=tr.name(seat), **values)


def _of_stone(sentences: tuple[str, str], stone: Stone, period: Text, tr: Translator) -> str:
    return _say(sentences, stone.seat, tr, period=in_words(period[tr.lang], tr), row=stone.row)


def _revealed(news: told.Revealed, tr: Translator) -> str:
    right = [stone for stone in news.stones if stone.column == news.column]
    own = any(stone.pattern is not None for stone in right)
    year = news.year if news.year is not None else tr._("No woman so far")
    period = in_words(news.period[tr.lang], tr)
    return _say(_REVEALED[own, bool(right)], news.seat, tr, year=year, period=period)


def in_words(period: str, tr: Translator) -> str:
    """A period in words: "1900 to 1929"."""
    first, _, last = period.partition("–")
    return tr._("{first} to {last}").format(first=first, last=last) if last.isdecimal() else period
