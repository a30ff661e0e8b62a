"""A host in a process of its own, for tests that kill it: `python served.py STORE SOCKET`.

One JSON line asks, one answers: {"look": id, "seat": i} or {"table": id, "seat": i, "question": q, "action": a}.
"""

import asyncio
import sys
from pathlib import Path

import msgspec

from spieltisch import games
from spieltisch.game import Refused
from spieltisch.table.host import Host
from spieltisch.table.store import Store
from spieltisch.table.store.sqlite import SQLite
from spieltisch.table.wake import Hub

games.__path__[:] = [str(Path(__file__).parent / "toys")]


def store(where: str) -> Store:
    """The file, or the database with this address."""
    if not where.startswith("postgresql:"):
        return SQLite(where)
    from spieltisch.cluster.postgres import Postgres

    return Postgres(where)


async def main(where: str, socket: str) -> None:
    host = Host(store(where), Hub())
    shape = games.package("bids").rules.Action

    async def look(id_: str, seat: int) -> dict:
        await host.refresh([id_])  # another process may have written
        table = await host.table(id_)
        return {"question": table.question(seat), "legal": table.legal(seat), "seq": table.seq}

    async def answer(asked: dict) -> dict:
        action = msgspec.convert(asked["action"], shape)
        try:
            return {"said": await host.answer(asked["table"], asked["seat"], asked["question"], action)}
        except Refused as refused:
            return {"said": type(refused).__name__}

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            asked = msgspec.json.decode(line)
            said = await (look(asked["look"], asked["seat"]) if "look" in asked else answer(asked))
            writer.write(msgspec.json.encode(said) + b"\n")
        writer.close()

    server = await asyncio.start_unix_server(serve, socket)
    print("ready", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
