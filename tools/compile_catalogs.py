"""Compiles the translations when a wheel is built or the project is installed: each `.po` file to an `.mo` file."""

from datetime import UTC, datetime
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ALWAYS = datetime(2026, 1, 1, tzinfo=UTC)  # Babel would write the time of the build, so no two builds would be equal


class CompileCatalogs(BuildHookInterface):
    """The hook that `pyproject.toml` names."""

    def initialize(self, version, build_data):  # noqa: ARG002 - the signature is hatchling's
        """Compile each catalog beside its source; a broken one ends the build."""
        for source in sorted(Path(self.root, "src").rglob("*.po")):
            with source.open("rb") as file:
                catalog = read_po(file, abort_invalid=True)
            catalog.creation_date = catalog.revision_date = ALWAYS
            made = source.with_suffix(".mo.new")  # put in place whole: a program may read them meanwhile
            with made.open("wb") as file:
                write_mo(file, catalog)
            made.replace(source.with_suffix(".mo"))
