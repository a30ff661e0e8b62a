"""The page, computed from a view: the middle, the hand, the three rows of a declaration, the verdict.

In a strict game, nothing here may depend on which cards would fit: the tables of forms lie face down.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from spieltisch import package
from spieltisch.game import Invalid
from spieltisch.games.hichaechoc import forms, review, stories, verdict
from spieltisch.games.hichaechoc import news as told
from spieltisch.games.hichaechoc.agreement import readings
from spieltisch.games.hichaechoc.debrief import debrief
from spieltisch.games.hichaechoc.decisions import decisions
from spieltisch.games.hichaechoc.faces import face, tables_of
from spieltisch.games.hichaechoc.forms import CASES, CELLS, GENDERS, NUMBERS
from spieltisch.games.hichaechoc.news import News
from spieltisch.games.hichaechoc.record import PARADIGM
from spieltisch.games.hichaechoc.state import (
    JOKER,
    Action,
    Contest,
    Draw,
    GameView,
    Hidden,
    Own,
    Pass,
    Play,
    PlayJoker,
    Public,
)
from spieltisch.games.hichaechoc.terms import LATIN, cases, retold
from spieltisch.games.hichaechoc.wording import (
    FULL,
    SHORT,
    is_what,
    reading,
    says_what,
)
from spieltisch.i18n import N_, Translator
from spieltisch.package import FirstQuestion, Pieces, Way, WayName

LABELS = {
    "paradigm": N_("Pronoun"),
    "paradigm?": N_("Its thirty forms are on the cards."),
    "mode": N_("Way to play"),
    "mode?": N_("Assisted: only what fits can be played. Strict: anything goes, until somebody objects."),
    "mode:strict": N_("strict, with objections"),
    "mode:assisted": N_("assisted, for learning"),
    "joker": N_("With the joker"),
    "joker?": N_("One extra card that fits on any other."),
    "play_on": N_("Play on for the places"),
    "play_on?": N_("Until only one player still has cards."),
    "contest_price": N_("Price of a wrong objection"),
    "contest_price?": N_("Cards to draw. At 0, objecting to everything pays off. Between people, 1 is better."),
    "cards_per_player": N_("Cards at the beginning"),
}


WAYS: Mapping[WayName, Way] = {
    "quick": Way(words=N_("3 cards each, with objections"), options={"cards_per_player": 3}),
    "classic": Way(words=N_("5 cards each, with objections")),
    "children": Way(
        words=N_("4 cards each, only what fits can be played, with the joker"),
        options={"mode": "assisted", "joker": True, "cards_per_player": 4},
    ),
}


def _paradigms(lang: str) -> list[tuple[str, str]]:
    """The shipped decks of forms by name, hic first."""
    shipped = sorted(forms.shipped().items(), key=lambda one: (one[0] != PARADIGM, one[0]))
    return [(name, deck.title[lang]) for name, deck in shipped]


FIRST = FirstQuestion(
    asks=N_("Does everybody here know Latin?"),
    yes=N_("Yes: strict, with objections"),
    no=N_("No: with help, only what fits"),
    option="mode",
    value="assisted",
)
CONTENT = {"paradigm": _paradigms}
ROWS = (("number", N_("Number"), NUMBERS), ("gender", N_("Gender"), GENDERS))  # below the row of the cases
PLACES = {one: n for row in (CASES, NUMBERS, GENDERS) for n, one in enumerate(row)}
"""The place of each value in a cell, whatever the order in which a reader sees it."""


# -- pieces: cached by their arguments ------------------------------------------------------------------------


def top(
    tr: Translator, form: str, said: int | None, joker: bool, first: bool, own: tuple[int, ...]
) -> dict[str, object]:
    """The middle. `own`: all readings of the top card, if the tables of forms lie open."""
    return {"top": face(form, said, tr), "joker": joker, "first": first, "what": is_what(own, tr) if own else ""}


def under(tr: Translator, form: str, said: int | None, joker: bool) -> dict[str, object]:
    """The card under a contested one."""
    return {"top": face(form, said, tr), "joker": joker}


def played(tr: Translator, form: str, reading: int) -> dict[str, object]:
    """A contested card."""
    return {"played": face(form, reading, tr)}


def answer(_tr: Translator, mark: str, name: str, me: bool, fine: bool) -> dict[str, object]:
    """Whether somebody has accepted a play."""
    return {"mark": mark, "name": name, "me": me, "fine": fine}


def held(
    tr: Translator,
    place: int,
    card: int,
    form: str | None,
    drawn: bool,
    off: bool,
    fits: str,
    own: tuple[int, ...],
    my_turn: bool,
    plays: bool,
    assisted: bool,
) -> dict[str, object]:
    """A card in the hand, with its place there. `form` None: the joker; `off`: it cannot be chosen now. If the tables
    of forms lie open: `fits`, the readings it could be played as, and `own`, all its readings.
    """
    what = tr._(says_what(own)).format(form=form, what=is_what(own, tr)) if own else ""
    shown = {"what": what, "place": place, "card": card, "drawn": drawn, "off": off, "fits": fits}
    shown["own"] = " ".join(map(str, own))
    return shown | {"my_turn": my_turn, "plays": plays, "assisted": assisted} | face(form, None, tr)


def declaration(tr: Translator, said: int | None) -> dict[str, object]:
    """The three rows of a declaration; they start at what the top card was said to be."""
    return {"rows": _rows(said, tr)}


def tables(tr: Translator, cells: tuple[str, ...]) -> dict[str, object]:
    """The two tables of forms, `cells` in the order of the readings."""
    return {"forms": tables_of({cell: {"form": form} for cell, form in enumerate(cells)}, tr)}


PIECES = MappingProxyType({
    "top": top, "under": under, "played": played, "answer": answer, "held": held,
    "declaration": declaration, "tables": tables,
})  # fmt: skip


# -- the page ---------------------------------------------------------------------------------------------------


class Page(package.Page[Public, Own, Hidden, Action, News, object]):
    """The page and texts of hic – haec – hoc."""

    keys = ("hand", "contest")
    phrases = (
        N_("Salvete!"),
        N_("That is daring."),
        N_("Are you sure?"),
        N_("Nicely declined!"),
        N_("Let me decline it once more."),
        N_("I believe every word of it."),
        N_("I have my doubts."),
        N_("O tempora, o mores!"),
        N_("Festina lente."),
        N_("Errare humanum est."),
        N_("Optime!"),
        N_("That was fun. Valete!"),
    )
    highlights = (told.Judged,)
    reveal_seconds = staticmethod(verdict.seconds)
    labels = LABELS
    ways = WAYS
    first_question = FIRST
    content = CONTENT
    terms = LATIN
    pieces = PIECES
    review_title = N_("What was confused")
    has_missed = True
    has_mistakes = True
    again = MappingProxyType({"mode": ("strict", "assisted")})
    retold = staticmethod(retold)
    hidden = staticmethod(review.hidden)
    missed = staticmethod(review.missed)
    debrief = staticmethod(debrief)
    decisions = staticmethod(decisions)
    review = staticmethod(review.review)
    has_stories = True
    stories = staticmethod(stories.stories)

    def prepare(self, view: GameView, legal: Sequence[Action], tr: Translator, pieces: Pieces) -> dict[str, object]:
        """The context of `table.html`, beyond the common one."""
        p, me = view.public, view.seat
        assisted = p.terms.table is not None
        pending = p.turn.pending
        judged = next((news for news in p.news if type(news) is told.Judged), None)
        kinds, last = set(map(type, legal)), _last(p)
        context: dict[str, object] = {
            "assisted": assisted,
            "counts": p.hands,
            "notes": _notes(p, last, tr),
            "awaited": None if pending is None else tr._("may object"),
            "top": None,
            "lands": p.middle.top is not None,
            "last": last,
            "contest": None if pending is None else _contest(p, pending, me, tr, pieces),
            "held": 0 if view.own is None else len(view.own.hand),
            "pile": p.middle.pile,
            "gone": len(p.middle.played),
            "under_joker": p.middle.joker,
            "with_joker": p.terms.options.joker,
            "drawn": None if view.own is None or view.own.drawn is None else face(_form(p, view.own.drawn), None, tr),
            "plays": not kinds.isdisjoint({Play, PlayJoker}),
            "draws": Draw in kinds,
            "passes": Pass in kinds,
            "verdict": None if judged is None else verdict.verdict(p, judged, tr),
            "beneath": "",
            "forms": None,
        }
        if p.middle.top is not None:
            form, said = p.terms.forms[p.middle.top], p.middle.said
            context["top"] = {"form": form, "said": said is not None}
            if pending is None:
                own = readings(p.terms.table, p.middle.top) if p.terms.table is not None else ()
                context["lies"] = pieces.piece("top", form, said, p.middle.joker, not p.middle.played, own)
            else:
                context["under"] = pieces.piece("under", form, said, p.middle.joker)
                context["played"] = pieces.piece("played", p.terms.forms[pending.form], pending.reading)
        if view.own is not None:
            context["hand"] = pieces.row("held", _hand(view.own, p, legal, context["plays"]))
            context["declaration"] = pieces.piece("declaration", p.middle.said) if context["plays"] else ""
        if p.terms.table is not None and p.middle.top is not None:  # the tables of forms lie open
            beneath = readings(p.terms.table, p.middle.top) if p.middle.said is None else (p.middle.said,)
            context["beneath"] = " ".join(str(cell) for cell in beneath)
            context["forms"] = pieces.piece("tables", tuple(p.terms.forms[form] for form in p.terms.table))
        return context

    def screen(self, view: GameView, shown: dict[str, object], tr: Translator) -> dict[str, object]:
        """Further content of the public screen: the top or contested card, and what it has to match."""
        p = view.public
        pending, top, gone = p.turn.pending, p.middle.top, p.middle.played
        lying = matched = None
        if pending is not None and top is not None:
            matched = face(p.terms.forms[top], p.middle.said, tr)
        if pending is not None:
            lying = face(p.terms.forms[pending.form], pending.reading, tr)
        elif top is not None:
            lying = face(p.terms.forms[top], p.middle.said, tr)
        return {
            "lying": lying,
            "matched": matched,
            "beneath_top": face(_form(p, gone[-1]), None, tr) if gone else None,
        }

    def read_action(self, form: Mapping[str, list[str]]) -> dict[str, object] | None:
        """A play from the form: a card and a value of each row. The joker needs no reading."""
        chosen = {name: given[-1] for name, given in form.items() if given}
        if chosen.get("type") != "Play" or "reading" in chosen:
            return None
        card = chosen.get("form", "")
        if card == str(JOKER):
            return {"type": "PlayJoker"}
        cell = tuple(chosen.get(name, "") for name in ("case", "number", "gender"))
        if not (card.isascii() and card.isdigit() and len(card) < 3):
            raise Invalid("Choose a card first.")
        if cell not in CELLS:
            raise Invalid("Choose its case, number and gender too.")
        return {"type": "Play", "form": int(card), "reading": CELLS.index(cell)}

    def describe(self, view: GameView, action: Action, tr: Translator) -> str:
        """An action in words, with the form and the declared reading."""
        match action:
            case Play():
                form = view.public.terms.forms[action.form]
                return tr._("I play {form}: {reading}.").format(form=form, reading=reading(action.reading, tr))
            case PlayJoker():
                return tr._("I play the joker.")
            case Draw():
                return tr._("I draw a card.")
            case Pass():
                return tr._("I pass.")
            case Contest():
                return tr._("I object.")
        return tr._("Fine.")


# -- parts of the context ---------------------------------------------------------------------------------------


def _notes(p: Public, last: int | None, tr: Translator) -> list[str]:
    """Notes on every seat."""
    if p.turn.pending is not None:
        notes = ["" if seat in p.acting else tr._("says: fine") for seat in range(len(p.hands))]
        notes[p.turn.seat] = tr._("has played")
    else:
        notes = [""] * len(p.hands)
        if last is not None:
            notes[last] = tr._("played last")
        for news in p.news:
            if type(news) is told.Judged and not news.right:
                notes[news.seat] = tr._("took it back")
    for place, seat in enumerate(p.out, 1):
        notes[seat] = tr._("Place {n}").format(n=place)
    return notes


def _last(p: Public) -> int | None:
    """Who laid the top card, if that was in the last step."""
    if p.turn.pending is not None:
        return None
    for news in p.news:
        if type(news) is told.Played or type(news) is told.JokerPlayed or (type(news) is told.Judged and news.right):
            return news.seat
        if type(news) is told.Accepted:  # all accepted: it was the step before
            return p.turn.seat if p.end else _before(p, p.turn.seat)
    return None


def _before(p: Public, seat: int) -> int:
    gone = {news.seat for news in p.news if type(news) is told.Finished}
    seats = [(seat - i) % len(p.hands) for i in range(1, len(p.hands))]
    return next(one for one in seats if p.hands[one] or one in gone)


def _contest(p: Public, play: Play, me: int | None, tr: Translator, pieces: Pieces) -> dict[str, object]:
    seat = p.turn.seat
    asked = [
        (pieces.piece("mark", tr.mark(other), tr.name(other), True), tr.name(other), other == me, other not in p.acting)
        for other, held in enumerate(p.hands)
        if held and other != seat
    ]
    says_it = N_("You say: {reading}.") if seat == me else N_("{name} says: {reading}.")
    return {
        "seat": seat,
        "title": tr._(says_it).format(name=tr.name(seat), reading=reading(play.reading, tr)),
        "mine": seat == me,
        "answers": pieces.row("answer", asked),
        "price": p.terms.options.contest_price,
    }


def _hand(own: Own, p: Public, legal: Sequence[Action], plays: bool) -> list[tuple[object, ...]]:
    """The cards in the hand, as `held` shows them. After a draw, only the drawn card can be chosen; in assisted games,
    only those that fit.
    """
    fits: dict[int, list[int]] = {}
    mine, assisted, left = bool(legal), p.terms.table is not None, own.drawn
    if assisted:
        for one in legal:
            match one:
                case Play():
                    fits.setdefault(one.form, []).append(one.reading)
                case PlayJoker():
                    fits.setdefault(JOKER, [])
    cards = []
    for place, card in enumerate(own.hand):
        drawn = card == left
        if drawn:
            left = None  # of two equal cards, only one was drawn
        off = not drawn and (own.drawn is not None or (assisted and mine and card not in fits))
        fit = " ".join(map(str, fits[card])) if card in fits else ""
        every = readings(p.terms.table, card) if p.terms.table is not None and mine else ()
        if plays and not off:
            cards.append((place, card, _form(p, card), drawn, off, fit, every, mine, plays, assisted))
        else:  # the same at any place and in any game
            cards.append((0, card, _form(p, card), drawn, mine and off, "", (), mine and off, False, False))
    return cards


def _form(p: Public, card: int) -> str | None:
    return None if card == JOKER else p.terms.forms[card]


def _rows(said: int | None, tr: Translator) -> list[dict[str, object]]:
    """The three rows of a declaration; they start at what the top card was said to be."""
    top = () if said is None else CELLS[said]
    return [
        {
            "name": name,
            "label": tr._(label),
            "values": [
                {
                    "value": one,
                    "place": PLACES[one],
                    "short": tr._(SHORT[one]),
                    "full": tr._(FULL[one]),
                    "top": one in top,
                }
                for one in choices
            ],
        }
        for name, label, choices in (("case", N_("Case"), cases(tr)), *ROWS)
    ]
