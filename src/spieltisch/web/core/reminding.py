"""What people are told beyond the page when it is their turn: game, table, name and a link; nothing of the game."""

import hmac
import secrets

import msgspec

from spieltisch.game import Refused
from spieltisch.i18n import Translator, common_translator
from spieltisch.table.evening import code_of
from spieltisch.table.host import Host
from spieltisch.table.reminders import Hook, Mail, Reminder, Reminders
from spieltisch.table.signing import Signer
from spieltisch.table.table import Table
from spieltisch.web.core import mailing
from spieltisch.web.core.catalog import title
from spieltisch.web.core.http.rate_limits import RateLimits
from spieltisch.web.core.mailing import MailServer
from spieltisch.web.core.outgoing import Hosts, NotSentError, post
from spieltisch.web.core.view.outcome import several
from spieltisch.web.core.view.viewer import translator_for


def where(table: Table, seats: tuple[int, ...], tr: Translator) -> str:
    """Return where it is somebody's turn: the game, the table, and their names."""
    name = several([tr.name(seat) for seat in seats], tr)
    return tr._("{game}, table {code}, {name}").format(game=title(table.package, tr), code=code_of(table.id), name=name)


class Reminding:
    """Sends reminders: its `send` is a `table.reminders.Send`. `home` is this server's address, for links. It comes
    from --origin, never from a request, whose Host may be forged.
    """

    def __init__(
        self, host: Host, hosts: Hosts, mail: MailServer | None, signer: Signer, limits: RateLimits, home: str
    ) -> None:
        self._host = host
        self._hosts = hosts
        self._mail = mail
        self._signer = signer
        self._limits = limits
        self._home = home

    async def send(self, one: Reminder, table: Table, seats: tuple[int, ...], turn: str) -> None:
        """Tell somebody that it is their turn. Raises OSError if that fails."""
        tr, code, id_ = translator_for(table, None, one.lang), code_of(table.id), f"{turn}.{one.key[:12]}"
        said, link = where(table, seats, tr), f"{self._home}/t/{code}"
        if isinstance(one.to, Hook):
            await self._call(one.to, {
                "event": "turn", "id": id_, "game": title(table.package, tr), "table": code,
                "name": several([tr.name(seat) for seat in seats], tr), "link": link,
                "text": f"{tr._('Your turn.')} {said} {link}",
            })  # fmt: skip
            return
        if not self._limits.take("turn mail", f"{code} {one.to.address}"):
            raise NotSentError("too often")
        stop = self.link(code, one)
        turn_, rest = f"{tr._('Your turn.')} {said}", tr._("Stop these emails:")
        await self._post(one.to, turn_, f"{turn_}\n{link}\n\n{rest}\n{stop}\n", id_, stop)

    async def ask(self, code: str, one: Reminder) -> None:
        """Send a mail in which the owner of an address can confirm it. It holds nothing that a player has typed. Raises
        OSError if that fails, TooMany if this address or table has had enough of them.
        """
        assert isinstance(one.to, Mail)
        self._limits.require("ask by mail", one.to.address.lower())
        self._limits.require("ask by mail at", code)
        tr = common_translator(one.lang)
        text = tr._(
            "Somebody at table {code} on {home} wants an email here when it is their turn. If that is you, confirm the"
            " address on this page:"
        ).format(code=code, home=self._home)
        rest = tr._("If not, do nothing. You will get no more emails, and the server forgets this address after a day.")
        await self._post(
            one.to, tr._("Confirm your address"), f"{text}\n{self.link(code, one)}\n\n{rest}\n", secrets.token_hex(16)
        )

    def link(self, code: str, one: Reminder) -> str:
        """Return the link of the page where the owner of a mail address confirms it or ends the mails."""
        return f"{self._home}/t/{code}/mail/{self._signer.sign(_signed(code, one))}"

    def by_link(self, code: str, kept: Reminders, signature: str) -> Reminder | None:
        """Return the reminder whose link ends so."""
        mails = (one for one in kept.people if isinstance(one.to, Mail))
        return next((one for one in mails if self._signer.is_signature(signature, _signed(code, one))), None)

    async def _post(self, mail: Mail, subject: str, text: str, id_: str, stop: str = "") -> None:
        if self._mail is None:
            raise NotSentError("no mail server")
        now = self._host.clock()
        await mailing.send(
            self._mail, mailing.compose(self._mail, mail.address, subject, text, id_=id_, at=now, stop=stop)
        )

    async def _call(self, hook: Hook, message: dict[str, str]) -> None:
        try:
            target = self._hosts.target(hook.url)
        except Refused as error:  # its host is not listed any more
            raise NotSentError(error.text) from None
        body, at = msgspec.json.encode(message), str(round(self._host.clock()))
        signature = hmac.new(hook.secret.encode(), f"{at}.".encode() + body, "sha256").hexdigest()
        headers = {"X-Spieltisch-Time": at, "X-Spieltisch-Signature": f"sha256={signature}"}
        await post(target, {"Content-Type": "application/json", **headers}, body)


def _signed(code: str, one: Reminder) -> str:
    assert isinstance(one.to, Mail)
    return f"mail {code} {one.key} {one.to.address}"
