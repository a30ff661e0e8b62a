"""How hic – haec – hoc is told to a language model: a play is its form and its reading in full words."""

from collections.abc import Sequence

from spieltisch import package
from spieltisch.dice import Dice
from spieltisch.games.hichaechoc.contest import judge
from spieltisch.games.hichaechoc.rules import passes, silence
from spieltisch.games.hichaechoc.state import (
    Accept,
    Action,
    Contest,
    Draw,
    GameState,
    GameView,
    Hidden,
    Options,
    Own,
    Pass,
    Play,
    PlayJoker,
    Public,
)
from spieltisch.games.hichaechoc.wording import reading, written
from spieltisch.i18n import N_, Translator
from spieltisch.package import Judged

RULES = N_(
    "This is hic – haec – hoc, a card game with the thirty forms of a Latin pronoun: five cases (nominative,"
    " genitive, dative, accusative, ablative), singular and plural, masculine, feminine and neuter. A card"
    " shows only its form. Vowels count: hoc and hōc are different forms. The first player without cards"
    " wins.\n"
    "On your turn you play one card on the top card and say what it is meant to be: case, number and gender."
    " Exactly two of these three must agree with the card beneath, as it was declared; never all three. A"
    " first card without a declared reading may be anything that its form can be. Or you draw a card: you may"
    " play it at once, but no other. If the pile is empty you may pass.\n"
    "A move looks like this: “play hunc as accusative singular masculine”, “play joker”, “draw”, “pass”."
)
STRICT = N_(
    "You may say what you like about any card. After each play the others say “fine” or “object”. If an"
    " objection is justified, the card goes back to its player’s hand. If it is not, it costs {price} cards. If"
    " nobody objects, the play stands, even if it was wrong."
)


class Prompt(package.Prompt[Options, Public, Own, Hidden, Action]):
    """The game in text alone."""

    listed = False

    def rules(self, options: Options, tr: Translator, /) -> str:
        told = [tr._(RULES)]
        if options.mode == "strict":
            told.append(tr._(STRICT).format(price=options.contest_price))
        return "\n".join(told)

    def ask(self, view: GameView, tr: Translator, /) -> Sequence[str]:
        p, own, seat = view.public, view.own, view.seat
        assert own is not None
        assert seat is not None
        assert p.middle.top is not None
        top = tr._("On top lies {form}: {reading}.") if p.middle.said is not None else tr._("On top lies {form}.")
        said = "" if p.middle.said is None else reading(p.middle.said, tr)
        told = [top.format(form=written(p, p.middle.top, tr), reading=said)]
        if p.middle.joker:
            told.append(tr._("The joker lies on it. Play on the card beneath."))
        hand = ", ".join(written(p, card, tr) for card in own.hand) or "–"
        told.append(tr._("Your cards: {cards}").format(cards=hand))
        if p.turn.pending is not None:
            played = tr._("{name} plays {form} as {reading}. Write “fine” or “object”.")
            pending = p.turn.pending
            told.append(
                played.format(
                    name=tr.name(p.turn.seat), form=written(p, pending.form, tr), reading=reading(pending.reading, tr)
                )
            )
        elif own.drawn is not None:
            told.append(tr._("You have drawn {form}. Play it, or pass.").format(form=written(p, own.drawn, tr)))
        counts = ", ".join(tr.labelled(tr.name(one), n) for one, n in enumerate(p.hands))
        pile = tr._("You are {name}. Cards left: {counts}. In the pile: {n}.")
        return ["\n".join(told), pile.format(name=tr.name(seat), counts=counts, n=p.middle.pile)]

    def claim(self, view: GameView, tr: Translator, /) -> str:
        p = view.public
        if p.terms.table is not None:
            return ""
        if p.turn.pending is not None:
            return tr._("that this play is right")
        return tr._("that your play is right. If you play no card, write 100")

    def write(self, view: GameView, action: Action, tr: Translator, /) -> str:
        if isinstance(action, Play):
            said = tr._("play {form} as {reading}")
            return said.format(form=written(view.public, action.form, tr), reading=reading(action.reading, tr))
        return tr._(_WORDS[type(action)])

    def default(self, _view: GameView, legal: Sequence[Action], dice: Dice, /) -> Action:
        """What counts when the time is up."""
        return next((action for action in (silence, *passes) if action in legal), None) or dice.choice(legal)

    def judge(self, state: GameState, seat: int, action: Action, /) -> Judged | None:
        p = state.public
        if p.terms.table is not None:
            return None
        if isinstance(action, Play):
            return Judged(judge(state, seat, action).right)
        if p.turn.pending is None or not isinstance(action, Accept | Contest):
            return None
        contested = isinstance(action, Contest)
        return Judged(judge(state, seat, p.turn.pending).right, doubts=contested, answers=not contested)


_WORDS: dict[type, str] = {
    PlayJoker: N_("play joker"),
    Draw: N_("draw"),
    Pass: N_("pass"),
    Contest: N_("object"),
    Accept: N_("fine"),
}
