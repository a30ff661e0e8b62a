"""A real SMTP server in the loop of a test."""

import asyncio
import contextlib
import ssl
from email import message_from_bytes, policy

from aiosmtpd.smtp import SMTP

from servers import proxies


class Inbox:
    """What was delivered."""

    def __init__(self):
        self.mails = []

    async def handle_DATA(self, _server, _session, envelope):  # noqa: N802 - as the server calls it
        mail = message_from_bytes(envelope.content, policy=policy.default)
        assert envelope.rcpt_tos == [mail["To"]]
        self.mails.append(mail)
        return "250 OK"


def tls(folder):
    """A context for a server called localhost, and the file that vouches for it."""
    file = proxies.certificate(folder)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(file, folder / "key.pem")
    return context, file


@contextlib.asynccontextmanager
async def inbox(*, secure=None, **options):
    """An inbox and its port. `secure`: TLS from the first byte."""
    found, loop = Inbox(), asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: SMTP(found, hostname="mail.test", loop=loop, **options), "127.0.0.1", 0, ssl=secure
    )
    try:
        yield found, server.sockets[0].getsockname()[1]
    finally:
        server.close()
        await asyncio.sleep(0.05)  # goodbyes that are under way
