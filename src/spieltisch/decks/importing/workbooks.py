"""Workbooks (XLSX, ODS) from anywhere, read as a person sees them. Formulas are named, not run."""

from spieltisch.decks.importing.lines import Numbered
from spieltisch.decks.importing.ods import PART, read_ods
from spieltisch.decks.importing.packages import no_workbook, unpacked
from spieltisch.decks.importing.xlsx import is_xlsx, read_xlsx

_SHEETS = 20  # that are looked at


def read_workbook(content: bytes) -> list[Numbered]:
    """The sheets, at least one that can be seen; Invalid where this is no workbook."""
    parts = unpacked(content)
    if is_xlsx(parts):
        sheets = read_xlsx(parts, _SHEETS)
    elif PART in parts:
        sheets = read_ods(parts, _SHEETS)
    else:
        no_workbook()
    if all(one.hidden for one in sheets):
        no_workbook()
    return sheets
