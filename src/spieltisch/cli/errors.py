"""What the terminal says about a command that cannot be read: what is wrong, and where to look."""

from cyclopts import CycloptsError, MissingArgumentError, UnusedCliTokensError

from spieltisch.cli.output import _


def in_words(error: CycloptsError) -> object:
    """Return the message for a command line that could not be read."""
    from rich.text import Text  # else it would mark up what stands in brackets

    command = " ".join(("spieltisch", *(error.command_chain or ())))
    where = _("Type {command} --help to see what you can write.", command=command)
    return Text(f"{command}: {_what(error)} {where}")


def _what(error: CycloptsError) -> str:
    if isinstance(error, UnusedCliTokensError) and error.unused_tokens:
        return _("“{word}” does not belong here. The name of an option begins with --.", word=error.unused_tokens[0])
    argument = error.argument
    if not isinstance(error, MissingArgumentError) or argument is None:
        return str(error)
    if error.keyword is not None or any(token.keyword for token in argument.tokens):
        return _("{option} needs a value.", option=error.keyword or argument.name)
    positional = argument.field_info.is_positional
    return _("{what} is missing.", what=argument.name.removeprefix("--").upper() if positional else argument.name)
