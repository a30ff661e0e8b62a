"""Mail through one SMTP server, which the operator names."""

import asyncio
import contextlib
import datetime as dt
import re
import smtplib
from collections.abc import Generator
from email.message import EmailMessage
from email.policy import EmailPolicy
from email.utils import format_datetime
from functools import partial
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from spieltisch.web.core.outgoing import certificates, unwaited

SECONDS, WAIT = 30.0, 10.0  # for a whole message, for each answer
LONGEST = 254  # characters of an address, RFC 5321
_PORTS = {"smtp": 587, "smtps": 465}
_NEAR = {"localhost", "127.0.0.1", "::1"}
_ADDRESS = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z0-9-]{2,63}")


class _Policy(EmailPolicy):
    """As `email.policy.SMTP`, but a link stays in one piece: mail programs read no encoded one."""

    def fold_binary(self, name: str, value: str) -> bytes:
        """Return a header as it is sent."""
        return f"{name}: {value}\r\n".encode("ascii") if name.startswith("List-") else super().fold_binary(name, value)


class MailServer(NamedTuple):
    """A server that takes mail, and what to tell it. `sender` is the address from which mail comes."""

    host: str
    port: int
    is_secure: bool  # TLS from the first byte
    user: str
    password: str
    sender: str


def is_address(text: str) -> bool:
    """Return whether this is a mail address as nearly everybody has one: without quotes, comments or brackets."""
    return len(text) <= LONGEST and _ADDRESS.fullmatch(text) is not None


def server_at(address: str, sender: str) -> MailServer:
    """Return the server at an address such as smtps://user:password@mail.example. Raises ValueError for others; it does
    not repeat the password.
    """
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        raise ValueError("address") from None
    if parts.scheme not in _PORTS or not parts.hostname or parts.path.strip("/") or parts.query or parts.fragment:
        raise ValueError("address")
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    if bool(user) != bool(password) or not (user + password).isascii():  # SMTP has no other letters here
        raise ValueError("address")
    return MailServer(parts.hostname, port or _PORTS[parts.scheme], parts.scheme == "smtps", user, password, sender)


@contextlib.contextmanager
def connected(server: MailServer) -> Generator[smtplib.SMTP]:
    """Connect, with TLS unless the server is on this machine, and log in. Blocks. Raises OSError."""
    name = server.sender.rpartition("@")[2]
    if server.is_secure:
        made: smtplib.SMTP = smtplib.SMTP_SSL(server.host, server.port, name, timeout=WAIT, context=certificates())
    else:
        made = smtplib.SMTP(server.host, server.port, name, timeout=WAIT)
    with contextlib.closing(made) as smtp:
        if not server.is_secure and server.host not in _NEAR:
            smtp.starttls(context=certificates())
        if server.user:
            smtp.login(server.user, server.password)
        smtp.ehlo_or_helo_if_needed()
        yield smtp
        with contextlib.suppress(OSError):  # mail that is taken stays taken, whatever the goodbye
            smtp.quit()


async def send(server: MailServer, message: EmailMessage) -> None:
    """Send a message. Raises OSError (SMTPException, TimeoutError) unless the server takes it in time."""
    async with asyncio.timeout(SECONDS):
        await unwaited(partial(_deliver, server, message))


def _deliver(server: MailServer, message: EmailMessage) -> None:
    with connected(server) as smtp:
        smtp.send_message(message)


def compose(
    server: MailServer, to: str, subject: str, text: str, *, id_: str, at: float, stop: str = ""
) -> EmailMessage:
    """Return a message. `stop` is the link that ends such mail, for the mail program's own button (RFC 8058)."""
    made = EmailMessage(policy=_Policy(message_factory=EmailMessage, linesep="\r\n"))
    made["From"] = f"Spieltisch <{server.sender}>"
    made["To"] = to
    made["Subject"] = subject
    made["Date"] = format_datetime(dt.datetime.fromtimestamp(at, dt.UTC))
    made["Message-ID"] = f"<{id_}@{server.sender.rpartition('@')[2]}>"
    made["Auto-Submitted"] = "auto-generated"
    if stop:
        made["List-Unsubscribe"] = f"<{stop}>"
        made["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    made.set_content(text, cte="quoted-printable")
    return made
