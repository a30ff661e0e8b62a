"""A new key in place of one that others may have seen."""

from msgspec.structs import replace

from spieltisch.game import Illegal
from spieltisch.table import seat_keys
from spieltisch.table.evening import code_of
from spieltisch.table.log import Chair, TableSetup, key_of
from spieltisch.table.table import Table
from spieltisch.web.access.actor import Actor
from spieltisch.web.commands.command import CommandResult
from spieltisch.web.http.forms import Fields
from spieltisch.web.http.problems import Forbidden
from spieltisch.web.services import Services


async def renew(services: Services, table: Table, actor: Actor, _fields: Fields) -> CommandResult:
    """One's key at this table anew, with all that it opens; the old one opens nothing any more, not even on pages that
    are open, nor at the other games of the evening. Forbidden for who has none.
    """
    key = seat_keys.new_key()
    if table.setup.classroom:
        raise Illegal("Your seat belongs to your class. Ask your teacher for a new strip.")
    if not seat_keys.recognizes(table.setup, actor.key):
        raise Forbidden("You have no seat at this table.")

    def change(setup: TableSetup) -> TableSetup:
        old, new = key_of(actor.key), key_of(key)
        return replace(
            setup,
            owner=new if setup.owner == old else setup.owner,
            deputy=new if setup.deputy == old else setup.deputy,
            chairs=tuple(_rekeyed(chair, old, new) for chair in setup.chairs),
            asks=tuple(replace(ask, key=new) if ask.key == old else ask for ask in setup.asks),
        )

    for game in await services.host.store.games(code_of(table.id)):
        await services.host.change(game, change)
    return CommandResult(key=key, seat=seat_keys.seat_of((await services.host.table(table.id)).setup, key))


def _rekeyed(chair: Chair, old: str, new: str) -> Chair:
    lender = None if chair.lender is None else _rekeyed(chair.lender, old, new)
    return replace(chair, key=new if chair.key == old else chair.key, lender=lender)
