"""What a language model answers: by OpenAI-compatible chat completions at an address, or by lines of a command.

No redirect is followed, and one deadline holds for all of an answer.
"""

import contextlib
import http.client
import os
import socket
import ssl
import threading
import time
from collections.abc import Callable, Sequence
from typing import Protocol

import msgspec
from msgspec import Struct

from spieltisch.arena.address import Address, DownError, reach
from spieltisch.arena.lines import Pipe, piped
from spieltisch.arena.seated import ForfeitError, LateError
from spieltisch.game import Invalid
from spieltisch.web.core.outgoing import certificates

KEY = "SPIELTISCH_MODEL_KEY"  # in the environment: the key that an address asks for
LONGEST = 1 << 20  # bytes of an answer
QUOTED = 200  # characters of an error, at most
MOST_COUNTED = 1 << 40  # tokens of an answer
MOST_TOKENS = 4096  # of an answer
WAITS = (1.0, 3.0)  # seconds before a request is sent again after the address has failed
BUSY = frozenset({408, 425, 429, 500, 502, 503, 504})  # statuses that may pass

Messages = Sequence[dict[str, str]]


class Said(Struct, frozen=True):
    """An answer; `asked` and `said` are its tokens, None where the model does not count them."""

    text: str
    asked: int | None = None
    said: int | None = None


class Model(Protocol):
    """What answers questions, each without remembering those before."""

    def complete(self, messages: Messages) -> Said:
        """The answer. Raises LateError if it is not there in time, DownError if there is no model."""
        ...

    def close(self) -> None:
        """Let go of it."""
        ...


class _Function(Struct):
    content: str | None = None


class _Choice(Struct):
    message: _Function


class _Usage(Struct):
    prompt_tokens: object = None
    completion_tokens: object = None


class _Completion(Struct):
    choices: list[_Choice]
    usage: object = None


class _Error(Struct):
    message: str


class _Failure(Struct):
    error: _Error


class _Line(Struct):
    content: str
    usage: object = None


class Chat:
    """A model at an address."""

    def __init__(self, where: Address, hosts: Sequence[str], seconds: float, seed: int) -> None:
        self._where, self._hosts, self._seconds, self._seed = where, hosts, seconds, seed

    def complete(self, messages: Messages) -> Said:
        asked = {
            "model": self._where.model, "messages": messages, "max_tokens": MOST_TOKENS, "seed": self._seed,
            "stream": False,
        }  # fmt: skip
        for wait in (*WAITS, None):
            status, body = self._post(msgspec.json.encode(asked), wait is None)
            if status == 200:
                return _completion(body)
            if status and status not in BUSY:
                break
            if wait is not None:
                time.sleep(wait)
        raise DownError(
            "{host} answers with status {n}: {reason}", host=self._where.host, n=status, reason=_reason(status, body)
        )

    def _post(self, body: bytes, is_last: bool) -> tuple[int, bytes]:
        """The status and the body; 0 if it has failed and is not the last attempt."""
        connection = _Connection(self._where, reach(self._where, self._hosts), self._seconds)
        headers = {"Content-Type": "application/json", "User-Agent": "Spieltisch"}
        if key := os.environ.get(KEY, "").strip():
            if not (key.isascii() and key.isprintable()):
                raise Invalid("no header can carry the key in {name}: it has signs other than ASCII", name=KEY)
            headers["Authorization"] = f"Bearer {key}"
        late = threading.Event()

        def give_up() -> None:
            late.set()
            connection.hang_up()

        timer = threading.Timer(self._seconds, give_up)
        timer.start()
        try:
            connection.request("POST", self._where.path, body, headers)
            answer = connection.getresponse()
            found = answer.read(LONGEST + 1)
        except (OSError, http.client.HTTPException) as wrong:
            if late.is_set() or isinstance(wrong, TimeoutError):
                raise LateError(self._seconds) from None
            if is_last:
                raise DownError("{host} does not answer: {reason}", host=self._where.host, reason=wrong) from None
            return 0, b""
        finally:
            timer.cancel()
            connection.close()
        if late.is_set():
            raise LateError(self._seconds)
        return answer.status, found

    def close(self) -> None:
        pass


class _Connection(http.client.HTTPConnection):
    """A connection to a checked address, by the host's name."""

    def __init__(self, where: Address, to: Sequence[str], seconds: float) -> None:
        super().__init__(where.host, where.port, timeout=seconds)
        self._where, self._to = where, to
        self._line: socket.socket | None = None  # `sock` is None as soon as an answer that ends the connection begins

    def connect(self) -> None:
        sock = self._reached(time.monotonic() + (self.timeout or 0.0))
        sock.settimeout(self.timeout)
        self._line = sock
        if self._where.is_secure:
            self._line = sock = certificates().wrap_socket(sock, server_hostname=self._where.host)
        self.sock: socket.socket | ssl.SSLSocket = sock

    def _reached(self, end: float) -> socket.socket:
        """A socket to the first address that takes it. A name may have others that nobody listens at."""
        *others, last = self._to
        for to in others:
            with contextlib.suppress(OSError):
                return socket.create_connection((to, self._where.port), max(0.1, end - time.monotonic()))
        return socket.create_connection((last, self._where.port), max(0.1, end - time.monotonic()))

    def hang_up(self) -> None:
        """End all waiting, from another thread."""
        if self._line is not None:
            with contextlib.suppress(OSError):
                self._line.shutdown(socket.SHUT_RDWR)


def _completion(body: bytes) -> Said:
    try:
        found = msgspec.json.decode(body, type=_Completion)
        text = found.choices[0].message.content
    except (msgspec.DecodeError, IndexError, RecursionError):
        raise DownError("the address does not answer as chat completions do") from None
    return _said(text or "", found.usage)


def _said(text: str, usage: object) -> Said:
    """An answer with its tokens. A server that counts them in another way counts none."""
    try:
        counted = msgspec.convert(usage, _Usage)
    except msgspec.ValidationError:
        counted = _Usage()
    asked, said = (
        int(one) if isinstance(one, int | float) and 0 <= one < MOST_COUNTED else None
        for one in (counted.prompt_tokens, counted.completion_tokens)
    )
    return Said(text, asked, said)


def _reason(status: int, body: bytes) -> str:
    """Why an address answers with an error, as it says itself, in one short printable line."""
    try:
        text = msgspec.json.decode(body, type=_Failure).error.message
    except (msgspec.DecodeError, RecursionError):
        text = body[:QUOTED].decode(errors="replace")
    line = "".join(sign if sign.isprintable() else " " for sign in text[:QUOTED])
    return " ".join(line.split()) or http.client.responses.get(status, "")


class Answers:
    """A model inside this program: it answers the last message."""

    def __init__(self, answer: Callable[[str], str]) -> None:
        self._answer = answer

    def complete(self, messages: Messages) -> Said:
        return Said(self._answer(messages[1]["content"]))

    def close(self) -> None:
        pass


class Command:
    """A model that a command starts. It is asked in lines of JSON, {"messages": […]}, and answers each with a line,
    {"content": "…"}, with `usage` beside it if it counts tokens. One that is late is ended and started anew.
    """

    def __init__(self, command: str, seconds: float) -> None:
        self._command, self._seconds = command, seconds
        self._held = contextlib.ExitStack()
        self._pipe: Pipe | None = None

    def complete(self, messages: Messages) -> Said:
        if self._pipe is None:
            self._pipe = self._held.enter_context(piped(self._command, self._seconds))
        try:
            line = self._pipe.ask(msgspec.json.encode({"messages": messages}) + b"\n")
        except LateError:
            self.close()
            raise
        except ForfeitError as wrong:
            raise DownError("{command}: {reason}", command=self._command, reason=str(wrong)) from None
        try:
            found = msgspec.json.decode(line, type=_Line)
        except (msgspec.DecodeError, RecursionError):
            example = '{"content": "…"}'
            raise DownError(
                "{command} does not answer with a line like {example}", command=self._command, example=example
            ) from None
        return _said(found.content, found.usage)

    def close(self) -> None:
        self._pipe = None
        self._held.close()
