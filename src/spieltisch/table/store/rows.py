"""The rows of one table, put in the place of those that another database has, whichever engine keeps either."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from spieltisch.table.store import sql

Ask = Callable[[str, Sequence[Any]], Iterable[Any]]  # does a statement of `sql`: the rows that come back


def put(table: str, source: Ask, into: Ask, columns: Callable[[str], Sequence[str]]) -> None:
    """Put what `source` has of a table, with its deck, in the place of what is there, in the caller's transaction.
    Both have these columns.
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
    for row in source(played, (table,)):  # the same hash is the same deck, also where that one is damaged
        into(f"{_insert('deck', columns('deck'))} on conflict (hash) do update set body = excluded.body", row)


def _insert(name: str, columns: Sequence[str]) -> str:
    return f"insert into {name} ({', '.join(columns)}) values ({', '.join('?' * len(columns))})"  # noqa: S608 - ours
