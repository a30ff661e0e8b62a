"""A trial of a game from elsewhere before a server starts: it is dealt, shown and told, and a bot moves once."""

from collections.abc import Iterable

from spieltisch.bots import beliefs_of
from spieltisch.dice import CommittedDice, FastDice
from spieltisch.game import Faulty, Invalid, see
from spieltisch.game_folder import asked, wrong_value
from spieltisch.i18n import Translator
from spieltisch.package import Package, Page
from spieltisch.table.position import Position, dealt, moved

SEED = bytes(16)


class _NoPieces:
    """Stands in for the pieces of templates, which are not drawn here."""

    def piece(self, _name: str, /, *_given: object) -> str:
        return ""

    def row(self, _name: str, _several: Iterable[tuple[object, ...]], /) -> str:
        return ""


def rehearse(package: Package, langs: Iterable[str]) -> None:
    """Play one move of the smallest table. Raises what the game raises, and UnusableGameError for what it may not
    return.
    """
    rules, seats, throw = package.rules, package.rules.seats[0], CommittedDice(SEED, "deal").throw
    several = [package.translator(lang, [""] * seats) for lang in langs]
    options, deck = package.record.load(dict(package.record.default), seats)
    position = dealt(rules, seats, options, deck, throw)[0]
    _show(package, position, several)
    for seat in position.to_act[:1]:
        view, legal = see(position.state, seat), position.legal(seat)
        if not legal:
            raise Faulty(
                "The rules of {game} have a fault: nothing is legal for a seat whose turn it is.", game=rules.name
            )
        beliefs = beliefs_of(package, rules.setup(seats, options, deck).hidden, SEED, seat)
        action = package.bot.choose(view, legal, FastDice(1), beliefs)
        if action not in legal:
            raise wrong_value(package.bot, "choose", Invalid("{action} is not in `legal`", action=repr(action)))
        _show(package, moved(position, seat, action, throw)[0], several)


def _show(package: Package, position: Position, several: Iterable[Translator]) -> None:
    """Ask for all that a seat and a spectator are shown."""
    page, public = package.page, position.state.public
    asked(page, Page, "reveal_seconds", public)
    asked(page, Page, "is_marked", public.news)
    for tr in several:
        asked(page, Page, "tell_step", public.news, public, tr)
        for seat in (*(position.to_act or (0,))[:1], None):
            view, legal = see(position.state, seat), () if seat is None else position.legal(seat)
            asked(page, Page, "prepare", view, legal, tr, _NoPieces())
            for action in legal:
                asked(page, Page, "describe", view, action, tr)
