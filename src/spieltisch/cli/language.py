"""The commands `spieltisch language`: begin a language, and check one that somebody has written or sent."""

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from spieltisch.cli.output import Spoken, Tag, _, refuse
from spieltisch.languages import DEFAULT

app = App(name="language", help="Begin a language, and check one.")


@app.command
def new(
    tag: str,
    *,
    from_: Annotated[Tag, Parameter(name="--from")] = DEFAULT,
    to: Path = Path(),
) -> int:
    """Make a folder for a new language: its settings, and catalogues with every message to translate.

    Parameters
    ----------
    tag
        The language's tag, such as it or pt-BR.
    from_
        Language that you translate from. Its text stands above each message.
    to
        Folder in which to make it; the current one by default.

    """
    from spieltisch.cli.language_folder import begin
    from spieltisch.game import Refused

    try:
        folder = begin(tag, from_, to)
    except (Refused, OSError) as wrong:
        return refuse("language new", wrong, to)
    print(_("written: {file}", file=folder))
    return 0


@app.command
def check(folder: Path, *, language: Spoken = None) -> int:
    """Say what is missing or wrong in a language's folder: lost placeholders and markup, words left in English, labels
    too long for a button on a narrow phone, files nobody reads.

    Parameters
    ----------
    folder
        The language's folder, named by its tag.

    """
    from spieltisch.cli.language_folder import findings
    from spieltisch.game import Refused
    from spieltisch.i18n import common_catalog, system_language

    words = common_catalog(language or system_language())
    try:
        found = list(findings(folder))
    except (Refused, OSError) as wrong:
        return refuse("language check", wrong, folder)
    for one in found:
        place = one.file if not one.line else f"{one.file}:{one.line}"
        print(
            f"{place}: {words.gettext(one.text).format_map(one.values)}", file=sys.stderr if one.wrong else sys.stdout
        )
    if not found:
        print(words.gettext("Nothing is missing or wrong."))
    return int(any(one.wrong for one in found))
