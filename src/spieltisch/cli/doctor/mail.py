"""Whether a mail server takes this server's mail, for `spieltisch doctor --mail`. Nothing is sent."""

import smtplib
import ssl
from collections.abc import Generator

from spieltisch.cli.doctor.findings import Finding
from spieltisch.cli.output import _
from spieltisch.extras import needed

with needed():
    from spieltisch.web.core.mailing import MailServer, connected, is_address, server_at


def look_over(address: str, sender: str) -> Generator[Finding]:
    """What can be seen of the mail server at this address. No password is told."""
    try:
        server = server_at(address, sender)
    except ValueError:  # which is not repeated: it may hold a password
        yield Finding("bad", _(
            "--mail needs an address such as smtps://user:password@mail.example or smtp://mail.example:587."
        ))  # fmt: skip
        return
    if not is_address(sender):
        yield Finding("bad", _("--mail needs --mail-from: the address from which mail comes."))
        return
    yield _tried(server)


def _tried(server: MailServer) -> Finding:
    told = {"host": server.host, "port": server.port, "sender": server.sender}
    try:
        with connected(server) as smtp:
            code, answer = smtp.mail(server.sender)
            if code != 250:
                why = answer.decode("utf-8", "replace")
                return Finding("bad", _("The mail server takes no mail from {sender}: {why}", **told, why=_line(why)))
    except smtplib.SMTPAuthenticationError:
        return Finding("bad", _("The mail server rejects this name and password. Check the address given with --mail."))
    except smtplib.SMTPNotSupportedError as error:
        return Finding("bad", _("The mail server {host} offers no TLS or login: {why}", **told, why=_line(str(error))))
    except ssl.SSLError as error:
        return Finding("bad", _(
            "The mail server {host} is not reached through TLS: {why}. smtps:// is for port 465, smtp:// for 587.",
            **told, why=_line(error.reason or str(error)),
        ))  # fmt: skip
    except OSError as error:
        why = _line(str(error)) or type(error).__name__
        return Finding("bad", _("The mail server {host}:{port} does not answer: {why}", **told, why=why))
    return Finding("good", _("The mail server {host} takes mail from {sender}.", **told))


def _line(text: str) -> str:
    return " ".join(text.split()).rstrip(".")[:200]
