"""The command `spieltisch privacy`: the entry for a school's register of processing activities."""

import sys
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from spieltisch import paths
from spieltisch.cli.output import Spoken, _, reason, write
from spieltisch.i18n import system_language
from spieltisch.privacy.retention import CLASS_HOURS, KEEP_DAYS


def privacy(
    *,
    form: Annotated[Literal["text", "csv"], Parameter(name="--format")] = "text",
    to: Path = Path("-"),
    language: Spoken = None,
    data: Path | None = None,
    database: str | None = None,
    keep_days: int = KEEP_DAYS,
    class_hours: int = CLASS_HOURS,
    trusted_proxy: Annotated[tuple[str, ...], Parameter(negative=())] = (),
    backup_days: int | None = None,
    wake: str = "",
    operator: str = "",
    webhook_host: Annotated[tuple[str, ...], Parameter(negative=())] = (),
    mail: str = "",
) -> int:
    """Write the entry for a school's register of processing activities (Art. 30 GDPR).

    Give the same options as for serve. Fill in what stands in [brackets]. This is not legal advice.

    Parameters
    ----------
    form
        text, or csv for spreadsheets.
    to
        File to write; printed by default.
    data
        Folder of the server; the user's data folder by default.
    database
        The server's --database.
    keep_days
        The server's --keep-days.
    class_hours
        The server's --class-hours.
    trusted_proxy
        The server's --trusted-proxy; repeat it for several.
    backup_days
        Days that you keep backups.
    wake
        The server's --wake.
    operator
        The server's --operator.
    webhook_host
        The server's --webhook-host; repeat it for several.
    mail
        The server's --mail.

    """
    from spieltisch.privacy import register

    folder = data or paths.data_folder()
    if not folder.is_dir():
        text = _("There is no folder {folder}. Give the server’s folder with --data.", folder=folder)
        print(f"spieltisch privacy: {text}", file=sys.stderr)
        return 1
    if min(keep_days, class_hours, backup_days or 0) < 0:
        print("spieltisch privacy:", _("Days and hours must be 0 or more."), file=sys.stderr)
        return 1
    running = register.Running(
        folder,
        database,
        keep_days,
        class_hours,
        trusted_proxy,
        backup_days,
        wake,
        operator,
        webhook_host,
        mail,
    )
    lang = language or system_language()
    try:
        made = register.table(running, lang) if form == "csv" else register.text(running, lang)
    except (OSError, ValueError) as error:
        print(f"spieltisch privacy: {reason(error)}", file=sys.stderr)
        return 1
    return write(to, made)
