"""Rows as CSV, or as data frames of pandas or polars, whichever is installed."""

import csv
import importlib
import io
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

from spieltisch.game import Invalid

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

Library = Literal["pandas", "polars"]
LIBRARIES = ("pandas", "polars")


class NoFramesError(ImportError):
    """Neither pandas nor polars is installed. The message says how to install one."""


class Rows:
    """Rows with the same columns, to be made into a data frame or CSV."""

    def __init__(self, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        self.columns, self.rows = tuple(columns), rows

    @overload
    def frame(self, library: Literal["pandas"] | None = None) -> "pd.DataFrame": ...
    @overload
    def frame(self, library: Literal["polars"]) -> "pl.DataFrame": ...
    def frame(self, library: Library | None = None) -> "pd.DataFrame | pl.DataFrame":
        """Return a data frame. `library` is "pandas" or "polars"; None takes the first that is installed.

        Raises NoFramesError, an ImportError that says what to install, or Invalid for another library.
        """
        make = _library(library).DataFrame
        values = list(zip(*self.rows, strict=True)) or [()] * len(self.columns)
        return make({name: list(column) for name, column in zip(self.columns, values, strict=True)})

    def csv(self) -> str:
        """Return CSV with a header line. None becomes an empty cell."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows(self.rows)
        return text.getvalue()


def _library(named: str | None) -> Any:
    if named is not None and named not in LIBRARIES:
        raise Invalid("choose pandas or polars for frames, not {named}", named=repr(named))
    for name in LIBRARIES if named is None else (named,):
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError as missing:
            if missing.name != name:
                raise
    wanted = "pandas or polars" if named is None else named
    raise NoFramesError(f"a frame needs {wanted}: pip install {named or 'pandas'}")
