"""Who plays: how players are named, and what is known of each before a game begins."""

import hashlib
import re
import shlex
import shutil
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Literal

from msgspec import Struct

from spieltisch import __version__
from spieltisch.arena.address import endpoint
from spieltisch.game import Invalid
from spieltisch.match import RANDOM
from spieltisch.package import Bot, Habits, Package
from spieltisch.study.environments.knowledge import NONE, Knowledge, read

USUAL = "bot"  # our bot at its usual level
SIMULATIONS = 1_000_000  # of a search, at most
Kind = Literal["bot", "openspiel", "lines", "http", "model", "planted"]
_NAMED = re.compile(r"([\w.-]{1,40})=(.+)", re.DOTALL)
_PLANTED = re.compile(r"error/(\d{1,3})(?:,bluffs/(\d{1,3}))?(?:,(no-doubts))?")
_SEARCH = re.compile(r"ismcts/(\d{1,7})(?:,(noise/.+))?")


class Player(Struct, frozen=True):
    """A player. `command` says what plays: a level, a bot of OpenSpiel's, or the command line of a program; `version`
    says which one it was: the release, or the SHA-256 of the program's files.
    """

    name: str
    kind: Kind
    command: str
    version: str


def player(text: str, package: Package) -> Player:
    """The player that a text names: a level of the game's bots, `bot` or `random`; `openspiel:random` or
    `openspiel:ismcts/N`; a program, `lines:COMMAND` or `http:COMMAND`; a language model, `model:http://HOST:PORT/v1#NAME`
    or `model:COMMAND`; `planted:error/15`, a player that proves the report. Before it may stand its name, `NAME=`.

    Raises Invalid, saying what would be right.
    """
    named = _NAMED.fullmatch(text.strip())
    name, said = (named[1], named[2]) if named else (text.strip(), text.strip())
    kind, colon, command = said.partition(":")
    if not colon:
        return Player(name, "bot", _level(said, package), f"spieltisch {__version__}, rules {package.rules.version}")
    if kind == "openspiel":
        return Player(name, "openspiel", _spiel(command), _openspiel())
    if kind == "lines":
        return Player(name, "lines", command.strip(), _hash(words(command)))
    if kind == "http":
        if package.rules.seats[-1] == 1:
            raise Invalid(
                "programs can play by HTTP only in games for several players: in a solo game, the table would give them"
                " hints"
            )
        return Player(name, "http", command.strip(), _hash(words(command)))
    if kind == "model":
        return _model(named[1] if named else "", command.strip())
    if kind == "planted":
        habits(command)
        return Player(name, "planted", command, f"spieltisch {__version__}")
    raise Invalid(
        "{text} is not a player: name a level, openspiel:…, lines:COMMAND, http:COMMAND or model:ADDRESS",
        text=repr(text),
    )  # fmt: skip


def _model(name: str, command: str) -> Player:
    where = endpoint(command)
    if where is None:
        return Player(name or f"model:{command}", "model", command, _hash(words(command)))
    return Player(name or where.model, "model", command, where.model)


def words(command: str) -> list[str]:
    """The words of a command line, the first a program that can be run; Invalid if it is none."""
    try:
        found = shlex.split(command)
    except ValueError as wrong:
        raise Invalid("{command} is not a command line: {reason}", command=repr(command), reason=wrong) from None
    if not found:
        raise Invalid("name a program by its command line, such as lines:node bot.js")
    if shutil.which(found[0]) is None:
        raise Invalid("{command} cannot be started: there is no program {program}", command=command, program=found[0])
    return found


def _level(name: str, package: Package) -> str:
    usual = () if type(package.bot) is Bot else (USUAL,)
    known = (*package.bot.levels, *usual, RANDOM)
    if name not in known:
        raise Invalid("{game} has no bot {name}, only {known}", game=package.name, name=name, known=", ".join(known))
    return name


def simulations(command: str) -> int:
    """How many games OpenSpiel's search plays in its mind before each choice; 0 for its player without judgement."""
    found = _SEARCH.fullmatch(command)
    return int(found[1]) if found else 0


def knowledge(command: str) -> Knowledge:
    """What OpenSpiel's search is told of what lies hidden."""
    found = _SEARCH.fullmatch(command)
    return read(found[2]) if found and found[2] else NONE


def habits(command: str) -> Habits:
    """What a planted player does. Raises Invalid, saying what would be right."""
    found = _PLANTED.fullmatch(command)
    if found is None or not 1 <= int(found[1]) <= 100 or int(found[2] or 0) > 100:
        raise Invalid(
            "planted players are error/15, error/15,bluffs/20 or error/15,bluffs/20,no-doubts in per cent, not {name}",
            name=repr(command),
        )
    return Habits(int(found[1]) / 100, None if found[2] is None else int(found[2]) / 100, found[3] is None)


def _spiel(command: str) -> str:
    if command != RANDOM and not 1 <= simulations(command) <= SIMULATIONS:
        raise Invalid(
            "OpenSpiel players are random, ismcts/N and ismcts/N,noise/SIGMA, N from 1 to {most}, not {name}",
            most=SIMULATIONS, name=repr(command),
        )  # fmt: skip
    knowledge(command)
    return command


def _openspiel() -> str:
    try:
        return f"open-spiel {version('open-spiel')}"
    except PackageNotFoundError:
        from spieltisch.extras import MissingExtraError  # noqa: PLC0415 - only to say what is missing

        raise MissingExtraError("environments") from None


def _hash(command: list[str]) -> str:
    """The SHA-256 of the files that a command names by their path; without any, of the program itself."""
    files = [file for word in command if (file := Path(word)).is_file()]
    summed = hashlib.sha256()
    for file in files or [Path(shutil.which(command[0]) or command[0])]:
        try:
            summed.update(file.read_bytes())
        except OSError as wrong:
            raise Invalid("{file} cannot be read: {reason}", file=file, reason=wrong.strerror or wrong) from None
    return f"sha256 {summed.hexdigest()}"
