"""The command `spieltisch`. `app` registers all commands. Each command imports what it needs itself, so that `replay`
starts without a web server. Other packages call nothing in here.
"""

import os
import sys

from spieltisch import extras
from spieltisch.game_folder import UnusableGameError
from spieltisch.i18n import common_catalog, system_language

# Commands that need more than `cli`.
_NEEDS = {"arena": "study", "serve": "serve", "simulate": "study", "study": "study", "warm": "study"}


def main() -> None:
    """Run the command line. Returns the exit status: 0, 1 for a refusal, 2 for a wrong command line."""
    try:
        try:
            sys.exit(_run(sys.argv[1:]))
        finally:
            sys.stdout.flush()
    except BrokenPipeError:  # the reader has seen enough, like `head`; Python would write again at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


def _run(words: list[str]) -> int:
    try:
        from spieltisch.cli.app import run

        return run(words)
    except KeyboardInterrupt:
        return 130
    except UnusableGameError as wrong:  # whatever the command: nearly all of them look at the games
        from spieltisch.cli.output import named

        print(f"spieltisch: {named(wrong)}", file=sys.stderr)
        return 1
    except (ModuleNotFoundError, extras.MissingExtraError) as missing:
        extra = extras.bringing(missing)
        if extra is None:
            raise
        needed = "print" if words[:2] == ["deck", "print"] else _NEEDS.get(next(iter(words), ""), extra)
        if extra in {"dask", "environments", "postgres"} or (words[:1] == ["arena"] and extra == "serve"):
            needed = extra
        text = common_catalog(system_language()).gettext("This command is not installed. Install it with: {command}")
        print(f"spieltisch: {text.format(command=extras.command(needed))}", file=sys.stderr)
        return 1
