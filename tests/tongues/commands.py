"""Types commands and prints what each says that is not in the language of tests.

A process of its own, since languages are found when the program starts. Help and what Cyclopts says of wrong options
are English, as is what the system says.
"""

import contextlib
import io
import json
import re
import sys

from spieltisch import games
from spieltisch.cli.app import app
from spieltisch.decks.library import shipped
from spieltisch.languages import LANGUAGES
from tongues.xx import plain

KNOWN = {"spieltisch", "Spieltisch", *(word for name in games.packages() for word in name.split("-"))}
TECHNICAL = re.compile(r"--[\w-]+|\[[^\]]*\]|\b[A-Z_]{3,}\b|\w+_\w+|https?:\S+")  # options, places to fill, variables
DECKS = " ".join(shipped())
SYSTEM = "No such file or directory"
# Commands, and what they print besides messages: names of decks, files, columns and fields, which are data.
COMMANDS = {
    "deck check women_firsts": DECKS,
    "deck stats hic": "abl acc dat gen nom pl sg",
    "deck reports": "",
    "deck check nothing": DECKS,
    "deck control hic shifted": "",
    "deck link nothing": "",
    "privacy": "",
    "privacy --format csv": "",
    "replay nothing.json": SYSTEM,
    "record NOTHERE": "",
    "doctor": "",
    "backup there": "",
    "restore nothing": SYSTEM,
    "upgrade": "",
    "language check nothing": SYSTEM,
    "language check {xx}": "",
}


def told(words):
    """What a command prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out), contextlib.suppress(SystemExit):
        app(words, exit_on_error=False, print_error=True, result_action="return_value")
    return out.getvalue()


def main():
    for command, data in COMMANDS.items():
        words = [str(LANGUAGES["xx"].folder) if one == "{xx}" else one for one in command.split()]
        known = {*data.split(), *KNOWN, *command.split()}
        if found := [one for one in plain(TECHNICAL.sub(" ", told(words))) if one not in known]:
            print(json.dumps({"path": command, "said": " ".join(found)}, ensure_ascii=False))


if __name__ == "__main__":
    sys.exit(main())
