"""During the game: moves, undo, hints, pauses, set phrases, reported cards."""

from msgspec.structs import replace

from spieltisch import i18n
from spieltisch.bounded import TooMuchError, apart
from spieltisch.decks.inbox import LONGEST
from spieltisch.decks.library import Library
from spieltisch.game import Illegal, Invalid
from spieltisch.table.analysis import Unknown
from spieltisch.table.log import TableSetup
from spieltisch.table.table import Table
from spieltisch.web.core.access.actor import Actor
from spieltisch.web.core.chat import Voice
from spieltisch.web.core.http import forms
from spieltisch.web.core.http.actions import action_of_form
from spieltisch.web.core.http.forms import Fields, field
from spieltisch.web.core.http.problems import Forbidden, TooMany
from spieltisch.web.core.services import Services
from spieltisch.web.core.view import hints
from spieltisch.web.table.command import CommandResult

LONGEST_THOUGHT = 60.0  # seconds that a bot may think for a hint
LONGEST_FRONT = 2_000  # characters of a card's front


async def move(services: Services, table: Table, actor: Actor, fields: Fields) -> CommandResult:
    """Answer the seat's question. Raises Invalid, Illegal or Stale if the answer is refused."""
    seat = actor.answering_seat(table, fields)
    question, action = forms.question(fields), action_of_form(table.package, fields)
    return CommandResult(moot=await services.host.answer(table.id, seat, question, action) == "moot")


async def undo(services: Services, table: Table, actor: Actor, fields: Fields) -> CommandResult:
    """Take the last move back. Raises Illegal if there is none, or if several play."""
    await services.host.undo(table.id, actor.own_seat(table.setup), forms.question(fields))
    return CommandResult()


async def hint(services: Services, table: Table, actor: Actor, fields: Fields) -> CommandResult:
    """Ask for a hint, step by step. Raises Illegal if there are none, TooMany for an address that asks too often."""
    services.limits.require("hint", actor.address)
    question, step = forms.question(fields), forms.number(fields, "step", 10)
    found = await find_hint(services, table, actor.own_seat(table.setup), question, step)
    return CommandResult(hint=found, go=f"/t/{table.id}?hint={question}&step={found.step}")


async def find_hint(services: Services, table: Table, seat: int, question: int, step: int | None) -> hints.Hint:
    """Return a hint of the game's analysis, or else of its bot, and mark the game. Raises Illegal if there is none, or
    not yet.
    """
    step = hints.step_of_hint(table, seat, question, step)
    early = step < table.package.page.hint_steps and step == 1  # the first of several tells no action: it need not wait
    view, first = hints.asked(table, seat)
    action = await services.analysis.advise(table.package, view, *([0.0] if early else []))
    if early:
        action = first
    if isinstance(action, Unknown):
        raise Illegal("This is still being worked out.")
    if action is None:
        try:  # it takes thought: others go on meanwhile
            action = await apart(hints.bots_choice, table, seat, seconds=LONGEST_THOUGHT)
        except TooMuchError:
            raise Illegal("This is still being worked out.") from None
    if not table.setup.hinted:
        await services.host.change(table.id, lambda setup: replace(setup, hinted=True))
    return hints.Hint(action, step)


async def pause(services: Services, table: Table, actor: Actor, _fields: Fields) -> CommandResult:
    """Pause: nobody moves and no clock runs. Raises Illegal if nothing is played, or by one person alone."""

    def stop(setup: TableSetup) -> TableSetup:
        actor.require_owner(setup)
        if setup.stage != "playing" or len(setup.chairs) == 1:
            raise Illegal("There is nothing to pause.")
        if setup.is_slow:
            raise Illegal("A slow game has no pause. Everybody has days for each turn.")
        return replace(setup, paused=True)

    await services.host.change(table.id, stop)
    return CommandResult()


async def resume(services: Services, table: Table, actor: Actor, _fields: Fields) -> CommandResult:
    """Go on. If the owner has left, anybody who sits there may do it; Forbidden before."""

    def go_on(setup: TableSetup) -> TableSetup:
        if not actor.owns(setup):
            actor.own_seat(setup)
            if setup.classroom:
                raise Forbidden("Your teacher has paused the game and will resume it.")
            if services.presence.is_here(setup.id, setup.owner):
                raise Forbidden("The person who opened the table paused the game and will resume it.")
        return replace(setup, paused=False, waits=False)

    await services.host.change(table.id, go_on)
    return CommandResult()


async def say(services: Services, table: Table, actor: Actor, fields: Fields) -> CommandResult:
    """Say a set phrase, which everybody hears in their own language. Raises Invalid for another phrase, TooMany if this
    seat has just said several.
    """
    seat, said = actor.answering_seat(table, fields), table.package.page.phrases
    phrase = forms.field(fields, "phrase")
    if not (forms.is_number(phrase, 2) and int(phrase) < len(said)):
        raise Invalid("Choose one of the phrases.")
    if not services.chat.say(table.id, Voice(seat, int(phrase))):
        raise TooMany("One message at a time. Please wait a moment.")
    return CommandResult()


async def report(services: Services, table: Table, actor: Actor, fields: Fields) -> CommandResult:
    """Report a wrong card to the host. Its front names it, so nothing of its back is asked or told.

    The reporter is counted for a moment and stored nowhere. Raises Illegal if there is no inbox or no such card,
    Invalid if the words are too long.
    """
    if services.inbox is None or "deck" not in table.setup.top:
        raise Illegal("You cannot report cards of this game here.")
    services.limits.require("report", actor.address)
    said = field(fields, "words")
    if len(said) > LONGEST:
        raise Invalid("{n} characters at most, please.", n=LONGEST)
    try:
        front = field(fields, "card")
        card = await services.host.library.answer(Library.card, tuple(table.setup.decks), front[:LONGEST_FRONT])
    except Invalid:  # the deck has been taken away meanwhile
        card = None
    if card is None:
        raise Illegal("This card is no longer in the deck. Somebody may have fixed it.")
    await services.inbox.put(*card, said, services.host.clock())
    return CommandResult(note=i18n.common_translator(actor.lang)._("Thank you. This card will be checked."))
