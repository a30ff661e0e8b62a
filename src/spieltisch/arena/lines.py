"""A program as a player: a process for each game, which is asked and answers in lines of JSON (`docs/arena.md`)."""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Generator, Sequence
from typing import IO, Any

import msgspec
from msgspec import Struct

from spieltisch.arena.player import words
from spieltisch.arena.seated import ForfeitError, LateError
from spieltisch.game import GameView, Invalid, Result
from spieltisch.match import Match

PROTOCOL = "spieltisch-arena/1"
LONGEST_ANSWER = 64 * 1024  # bytes
LAST = 2.0  # seconds in which a program ends by itself after its game
ENDING = 10.0  # seconds in which one that says nothing more ends, before it counts as silent
QUOTED = 200  # signs of what a program said, at most


@contextlib.contextmanager
def started(command: str, **pipes: Any) -> Generator[subprocess.Popen[bytes]]:
    """The program of a command, and all that it starts, until the end of the block. Invalid if it cannot be started."""
    try:
        group = sys.platform != "win32"
        process: Any = subprocess.Popen(words(command), start_new_session=group, **pipes)  # noqa: S603 - it was asked for
    except OSError as wrong:
        reason = wrong.strerror or wrong
        raise Invalid("{command} cannot be started: {reason}", command=command, reason=reason) from None
    try:
        yield process
    finally:
        kill(process)
        for pipe in (process.stdin, process.stdout):
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.close()
        process.wait()


def kill(process: subprocess.Popen[bytes]) -> None:
    """End a program, and what it has started."""
    with contextlib.suppress(OSError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)


class Pipe:
    """A process that answers each line with a line."""

    def __init__(self, process: subprocess.Popen[bytes], said: IO[bytes], seconds: float) -> None:
        self._process, self._said, self._seconds = process, said, seconds

    def ask(self, asked: bytes) -> bytes:
        """Its answer. A process that does not take the question in, or does not answer in time, is ended, and so lets
        go of us. Raises LateError then, else ForfeitError.
        """
        late = threading.Event()

        def give_up() -> None:
            late.set()
            kill(self._process)

        timer = threading.Timer(self._seconds, give_up)
        timer.start()
        try:
            with contextlib.suppress(BrokenPipeError):
                self._write(asked)
            assert self._process.stdout is not None
            answer = self._process.stdout.readline(LONGEST_ANSWER)
        finally:
            timer.cancel()
        if answer.endswith(b"\n"):
            return answer
        if late.is_set():
            raise LateError(self._seconds)
        if len(answer) == LONGEST_ANSWER:
            raise ForfeitError(f"its answer is longer than {LONGEST_ANSWER} bytes")
        raise ForfeitError(ended(self._process, self._said))

    def _write(self, asked: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(asked)
        self._process.stdin.flush()

    def end(self, last: bytes) -> None:
        """Tell it a last line, and let it end by itself for a moment."""
        timer = threading.Timer(LAST, kill, [self._process])
        timer.start()
        with contextlib.suppress(OSError):
            self._write(last)
            assert self._process.stdin is not None
            self._process.stdin.close()
        self._process.wait()
        timer.cancel()


@contextlib.contextmanager
def piped(command: str, seconds: float) -> Generator[Pipe]:
    """The program of a command, to be asked, until the end of the block. Raises Invalid if it cannot be started."""
    with (
        tempfile.TemporaryFile() as said,
        started(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said) as process,
    ):
        yield Pipe(process, said, seconds)


@contextlib.contextmanager
def seated(match: Match, seat: int, command: str, seconds: float, seed: int) -> Generator["Program"]:
    """The program on its seat, until the game is over. Raises Invalid if it cannot be started."""
    with piped(command, seconds) as pipe:
        yield Program(pipe, match, seat, seconds, seed)


class Program:
    """A process that speaks JSON lines."""

    def __init__(self, pipe: Pipe, match: Match, seat: int, seconds: float, seed: int) -> None:
        self._pipe, self._match = pipe, match
        self._head: bytes = _line(
            type="game", protocol=PROTOCOL, game=match.package.name, seat=seat, seats=match.seats,
            options=match.options, seed=seed, seconds=seconds,
        )  # fmt: skip

    def choose(self, view: GameView, legal: Sequence[Struct]) -> Struct:
        notation = self._match.package.record.notation
        lines = [notation(self._match.deck, view, action) for action in legal]
        asked = self._head + _line(type="act", view=view, legal=legal, lines=lines)
        self._head = b""
        return self._meant(self._pipe.ask(asked), legal, lines)

    def _meant(self, answer: bytes, legal: Sequence[Struct], lines: Sequence[str]) -> Any:
        """The action that an answer means: its place in `legal`, its line, or the action itself."""
        try:
            found = msgspec.json.decode(answer)
        except (msgspec.DecodeError, RecursionError):
            raise ForfeitError(f"its answer is not JSON: {_quoted(answer.decode(errors='replace'))}") from None
        if type(found) is int and 0 <= found < len(legal):
            return legal[found]
        if isinstance(found, str) and found in lines:
            return legal[lines.index(found)]
        if isinstance(found, dict):
            with contextlib.suppress(msgspec.ValidationError, RecursionError):
                action = msgspec.convert(found, self._match.package.rules.Action)
                if action in legal:
                    return action
        raise ForfeitError(f"it answered with an illegal move: {_quoted(answer.decode(errors='replace'))}")

    def end(self, result: Result | None) -> None:
        self._pipe.end(self._head + _line(type="end", result=result))


def ended(process: subprocess.Popen[bytes], said: IO[bytes]) -> str:
    """How a program has ended, and what it said last, where one of its last lines does not speak of an error."""
    try:
        status = process.wait(ENDING)
    except subprocess.TimeoutExpired:
        return "it closed its output"
    said.seek(0, os.SEEK_END)
    said.seek(max(0, said.tell() - 20 * QUOTED))
    told = said.read().decode(errors="replace").split("\n")
    last = next((line for line in reversed(told) if "rror" in line), "") or "\n".join(told).strip().rpartition("\n")[2]
    how = f"by signal {-status}" if status < 0 else f"with status {status}"
    return f"it ended {how}" + (f": {_quoted(last)}" if last else "")


def _line(**message: object) -> bytes:
    return msgspec.json.encode(message) + b"\n"


def _quoted(text: str) -> str:
    shown = "".join(sign if sign.isprintable() else "�" for sign in text.strip())
    return f"“{shown[:QUOTED]}{'…' * (len(shown) > QUOTED)}”"
