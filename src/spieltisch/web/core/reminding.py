"""What people are told beyond the page when it is their turn: game, table, name and a link; nothing of the game."""

import hmac

import msgspec

from spieltisch.game import Refused
from spieltisch.i18n import Translator
from spieltisch.table.evening import code_of
from spieltisch.table.host import Host
from spieltisch.table.reminders import Hook, Reminder
from spieltisch.table.table import Table
from spieltisch.web.core.catalog import title
from spieltisch.web.core.outgoing import Hosts, NotSentError, post
from spieltisch.web.core.view.outcome import several
from spieltisch.web.core.view.viewer import translator_for


def where(table: Table, seats: tuple[int, ...], tr: Translator) -> str:
    """Return where it is somebody's turn: the game, the table, and their names."""
    name = several([tr.name(seat) for seat in seats], tr)
    return tr._("{game}, table {code}, {name}").format(game=title(table.package), code=code_of(table.id), name=name)


class Reminding:
    """Sends reminders: its `send` is a `table.reminders.Send`. `home` is this server's address, for links. It comes
    from --origin, never from a request, whose Host may be forged.
    """

    def __init__(self, host: Host, hosts: Hosts, home: str) -> None:
        self._host = host
        self._hosts = hosts
        self._home = home

    async def send(self, one: Reminder, table: Table, seats: tuple[int, ...], turn: str) -> None:
        """Tell somebody that it is their turn. Raises OSError if that fails."""
        tr, code = translator_for(table, None, one.lang), code_of(table.id)
        link = f"{self._home}/t/{code}"
        await self._call(one.to, {
            "event": "turn", "id": f"{turn}.{one.key[:12]}", "game": title(table.package), "table": code,
            "name": several([tr.name(seat) for seat in seats], tr), "link": link,
            "text": f"{tr._('Your turn.')} {where(table, seats, tr)} {link}",
        })  # fmt: skip

    async def _call(self, hook: Hook, message: dict[str, str]) -> None:
        try:
            target = self._hosts.target(hook.url)
        except Refused as error:  # its host is not listed any more
            raise NotSentError(error.text) from None
        body, at = msgspec.json.encode(message), str(round(self._host.clock()))
        signature = hmac.new(hook.secret.encode(), f"{at}.".encode() + body, "sha256").hexdigest()
        headers = {"X-Spieltisch-Time": at, "X-Spieltisch-Signature": f"sha256={signature}"}
        await post(target, {"Content-Type": "application/json", **headers}, body)
