"""Replaces the rows of one table by those of another database, whichever the engines."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from spieltisch.table.store import sql

Ask = Callable[[str, Sequence[Any]], Iterable[Any]]  # runs a statement of `sql` and returns its rows


def put(table: str, source: Ask, into: Ask, columns: Callable[[str], Sequence[str]]) -> None:
    """Replace a table and its deck by those of `source`, in the caller's transaction. Both databases have these
    columns.
    """
    for statement in sql.DELETE:
        into(statement, (table,))
    for name in ("plan", "pace", "log"):
        listed = ", ".join(columns(name))
        into_all = _insert(name, columns(name))
        for row in source(f"select {listed} from {name} where id = ?", (table,)):  # noqa: S608 - our names
            into(into_all, row)
    listed = ", ".join(columns("deck"))
    played = f"select {listed} from deck where hash = (select deck from plan where id = ?)"  # noqa: S608 - our names
    for row in source(played, (table,)):  # the same hash is the same deck, even if that one is damaged
        into(f"{_insert('deck', columns('deck'))} on conflict (hash) do update set body = excluded.body", row)


def _insert(name: str, columns: Sequence[str]) -> str:
    return f"insert into {name} ({', '.join(columns)}) values ({', '.join('?' * len(columns))})"  # noqa: S608 - ours
