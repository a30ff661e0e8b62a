"""What the terminal says about a command that cannot be read: what is wrong, what would be right, and where to look."""

import difflib
from collections.abc import Iterable
from typing import Literal, get_args, get_origin

from cyclopts import (
    Argument,
    CoercionError,
    CycloptsError,
    MissingArgumentError,
    RepeatArgumentError,
    Token,
    UnknownCommandError,
    UnknownOptionError,
    UnusedCliTokensError,
    ValidationError,
)
from cyclopts.validators import Number

from spieltisch.cli import settings
from spieltisch.cli.output import _, unknown

ALIKE = 0.75  # by difflib, from 0 to 1: the least for “Did you mean …?”


def in_words(error: CycloptsError) -> object:
    """Return the message for a command line that could not be read."""
    from rich.text import Text  # else it would mark up what stands in brackets

    command = " ".join(("spieltisch", *(error.command_chain or ())))
    where = _("Type {command} --help to see what you can write.", command=command)
    return Text(f"{command}: {_what(error)} {where}")


def _what(error: CycloptsError) -> str:
    if error.msg is None:
        match error:
            case UnusedCliTokensError(unused_tokens=[word, *_rest]):
                return _("“{word}” does not belong here. The name of an option begins with --.", word=word)
            case UnknownOptionError(token=token):
                word = (token.keyword or token.value).partition("=")[0]
                there = (name for argument in error.argument_collection for name in argument.names)
                return unknown(word) + _likely(word, there)
            case UnknownCommandError(unused_tokens=[word, *_rest], app=app) if app is not None:
                return _no_command(word, [name for name in app if not name.startswith("-")])
            case RepeatArgumentError(token=token):
                return _("{option} is given twice.", option=token.keyword)
            case MissingArgumentError(argument=Argument() as argument):
                return _missing(argument, error.keyword)
            case CoercionError(argument=Argument() as argument, token=Token() as token):
                return _unfit(argument, token, error.target_type) + _set_in(argument, token)
            case ValidationError(argument=Argument(tokens=[token, *_rest]) as argument):
                told = _out_of_bounds(argument, token) or error.exception_message
                return told + _set_in(argument, token)
    return str(error)


def _no_command(word: str, there: list[str]) -> str:
    told = _("There is no command “{word}” here.", word=word)
    return told + (_likely(word, there) or " " + _("There are: {commands}.", commands=", ".join(there)))


def _missing(argument: Argument, keyword: str | None) -> str:
    if keyword is not None or any(token.keyword for token in argument.tokens):
        return _("{option} needs a value.", option=keyword or argument.name)
    return _("{what} is missing.", what=_named(argument))


def _unfit(argument: Argument, token: Token, wanted: object) -> str:
    """What is said of a value that is of another type than the option."""
    told = {"option": _named(argument), "given": token.value}
    if wanted is int:
        return _("{option} must be a whole number, not {given}.", **told)
    if wanted is float:
        return _("{option} must be a number, not {given}.", **told)
    if get_origin(wanted) is not Literal:
        return _("{option} cannot be {given}.", **told)
    words = list(map(str, get_args(wanted)))
    several = _("{option} cannot be {given}, but one of these: {words}.", words=", ".join(words), **told)
    return several + _likely(token.value, words)


def _out_of_bounds(argument: Argument, token: Token) -> str:
    """What is said of a number that is too small or too large; "" if that is not what was wrong."""
    told, value = {"option": _named(argument), "given": token.value}, argument.value
    validators = argument.parameter.validator
    for one in validators if isinstance(validators, tuple) else ():
        match one:
            case Number(gte=least) if least is not None and value < least:
                return _("{option} must be at least {least}, not {given}.", least=least, **told)
            case Number(gt=floor) if floor is not None and value <= floor:
                return _("{option} must be more than {floor}, not {given}.", floor=floor, **told)
            case Number(lte=most) if most is not None and value > most:
                return _("{option} must be at most {most}, not {given}.", most=most, **told)
    return ""


def _named(argument: Argument) -> str:
    """What the help calls it."""
    positional = argument.field_info.is_positional
    return argument.name.removeprefix("--").upper() if positional else argument.name


def _set_in(argument: Argument, token: Token) -> str:
    """Where a value was set, if not on the command line."""
    place = settings.place_of(token)
    return "" if place == settings.CLI else " " + _("{option} is set in {place}.", option=argument.name, place=place)


def _likely(word: str, there: Iterable[str]) -> str:
    """The question whether another word was meant; "" if none is like this one."""
    return "".join(
        " " + _("Did you mean {word}?", word=one) for one in difflib.get_close_matches(word, there, 1, ALIKE)
    )
