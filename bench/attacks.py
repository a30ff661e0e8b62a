"""What a stranger may try against a server, each attack with what became of it.

    python bench/attacks.py [http://127.0.0.1:8000]

Only against a server of one's own on this machine: some of it would be a nuisance to others. It opens a table, makes
some decks, and uses up what its address may do, so that the next minutes are slow for this machine. The exit code is
the number of attacks that succeeded.
"""

import asyncio
import json
import re
import sys
import time
from collections.abc import Awaitable, Callable
from ipaddress import ip_address
from urllib.parse import urlsplit

import httpx
import websockets

ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
HAND = 'class="lhand'


class Stranger:
    """Somebody with a browser and some programs, and nothing else."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.host, self.port = urlsplit(origin).hostname or "", urlsplit(origin).port or 80

    def browser(self, **headers: str) -> httpx.AsyncClient:
        """A client with cookies of its own that sends what a browser sends."""
        sent = {"accept": "text/html", "accept-language": "en", "origin": self.origin} | headers
        return httpx.AsyncClient(base_url=self.origin, headers=sent, timeout=60, verify=False)

    async def raw(self, *chunks: bytes) -> bytes:
        """What the server answers to these bytes; b"" if it hangs up."""
        reader, writer = await asyncio.open_connection(self.host, self.port)
        try:
            for chunk in chunks:
                writer.write(chunk)
                await asyncio.wait_for(writer.drain(), 10)
            return await asyncio.wait_for(reader.read(200), 10)
        except (ConnectionError, TimeoutError):
            return b""
        finally:
            writer.close()

    async def playing(self, owner: httpx.AsyncClient, guest: httpx.AsyncClient | None = None) -> str:
        """A running game of hic – haec – hoc of its owner, a bot, and a guest with a seat of their own; its address."""
        url = (await owner.post("/tables", data={"game": "hic-haec-hoc"})).headers["location"]
        await owner.post(f"{url}/options", data={"mode": "strict", "cards_per_player": "7"})
        await owner.post(f"{url}/sit", data={"name": "Owner"})
        if guest is not None:
            await guest.post(f"{url}/sit", data={"name": "Guest"})
        await owner.post(f"{url}/chairs", data={"do": "bot"})
        while 'value="fewer"' in (await owner.get(url)).text:
            if (await owner.post(f"{url}/chairs", data={"do": "fewer"})).status_code != 303:
                break
        await owner.post(f"{url}/start")
        if HAND not in (await owner.get(url)).text:
            raise RuntimeError("the table to be attacked could not be opened")
        return url


Attack = Callable[[Stranger], Awaitable[str | None]]  # None: refused; else what was got
ATTACKS: list[tuple[str, Attack]] = []


def attack(name: str) -> Callable[[Attack], Attack]:
    """Name an attack; they are tried in the order in which they stand here."""

    def named(one: Attack) -> Attack:
        ATTACKS.append((name, one))
        return one

    return named


@attack("sit down on a bot's seat and read its hand")
async def bots_seat(stranger: Stranger) -> str | None:
    """By form, and as a program."""
    async with stranger.browser() as owner, stranger.browser() as eve:
        url = await stranger.playing(owner)
        await eve.post(f"{url}/sit", data={"name": "Eve", "seat": "1"})
        if HAND in (await eve.get(url)).text:
            return "the hand is on the page"
        program = await eve.post(f"/api{url.replace('/t/', '/tables/')}/sit", json={"name": "Eve", "seat": 1})
        return "a seat" if program.is_success and program.json().get("seat") is not None else None


@attack("give away the seat of somebody without a socket, and sit down there")
async def absent_seat(stranger: Stranger) -> str | None:
    """Somebody with a seat of their own offers the owner's, who has just sent a request; a friend takes it."""
    async with stranger.browser() as owner, stranger.browser() as eve, stranger.browser() as friend:
        url = await stranger.playing(owner, eve)
        for do in ("bot", "offer"):
            await eve.post(f"{url}/chairs", data={"do": do, "seat": "0"})
        await friend.post(f"{url}/sit", data={"name": "Friend", "seat": "0"})
        return "the hand is on the page" if HAND in (await friend.get(url)).text else None


@attack("keep seeing a hand after leaving")
async def after_leaving(stranger: Stranger) -> str | None:
    """On the page, and over a socket that was open before."""
    async with stranger.browser() as owner, stranger.browser() as eve:
        url = await stranger.playing(owner, eve)
        cookie = "; ".join(f"{name}={value}" for name, value in eve.cookies.items())
        live = f"ws://{stranger.host}:{stranger.port}{url}/live"
        origin = websockets.Origin(stranger.origin)
        async with websockets.connect(live, origin=origin, additional_headers={"cookie": cookie}) as line:
            await line.send(json.dumps({"seen": -1, "lang": "en"}))
            await asyncio.wait_for(line.recv(), 10)
            await eve.post(f"{url}/leave")
            parts: list[str] = []
            try:
                while True:
                    message = json.loads(await asyncio.wait_for(line.recv(), 2))
                    parts = message.get("parts") or parts  # whole pictures: this page keeps none
            except (TimeoutError, websockets.ConnectionClosed):
                pass
        if HAND in "".join(parts) or HAND in (await eve.get(url)).text:
            return "the hand is still there"
    return None


@attack("act from another site")
async def other_site(stranger: Stranger) -> str | None:
    """A form of another site, and a socket."""
    async with stranger.browser(**{"sec-fetch-site": "cross-site"}) as eve:
        if (await eve.post("/play", data={"game": "adaman"})).status_code != 403:
            return "a form was taken"
    async with stranger.browser() as owner:
        url = (await owner.post("/play", data={"game": "adaman"})).headers["location"]
    try:
        async with websockets.connect(
            f"ws://{stranger.host}:{stranger.port}{url}/live", origin=websockets.Origin("https://evil.example")
        ):
            return "a socket was opened"
    except websockets.InvalidStatus as refused:
        return None if refused.response.status_code == 403 else "no clear refusal"


@attack("heads without end")
async def heads(stranger: Stranger) -> str | None:
    """Many headers, one long header, a long address."""
    endless = (
        [b"GET / HTTP/1.1\r\nhost: x\r\n", *[b"a: " + b"b" * 1000 + b"\r\n"] * 4000],
        [b"GET / HTTP/1.1\r\nhost: x\r\na: ", *[b"b" * 65536] * 400],
        [b"GET /", *[b"b" * 65536] * 400],
    )
    for chunks in endless:
        begun = time.monotonic()
        answer = await stranger.raw(*chunks)
        if answer and not answer.startswith((b"HTTP/1.1 431", b"HTTP/1.1 400")):
            return answer[:40].decode("latin-1")
        if time.monotonic() - begun > 10:
            return "it held the server up"
    return None


@attack("more connections than one address may hold")
async def connections(stranger: Stranger) -> str | None:
    """Silent ones, until the server would have no room for others."""
    held: list[asyncio.StreamWriter] = []
    try:
        for _ in range(1000):
            reader, writer = await asyncio.open_connection(stranger.host, stranger.port)
            held.append(writer)
            try:
                if not await asyncio.wait_for(reader.read(1), 0.002):
                    return None  # hung up on
            except TimeoutError:
                continue
            except ConnectionError:
                return None
        return f"{len(held)} connections"
    except OSError:
        return None
    finally:
        for writer in held:
            writer.close()
        await asyncio.sleep(0.3)


@attack("shorten an opponent's time")
async def patience(stranger: Stranger) -> str | None:
    """Patience of less than a moment for a guest, by whoever opened the table."""
    async with stranger.browser() as owner, stranger.browser() as guest:
        url = await stranger.playing(owner, guest)
        fields = {"do": "patience", "seat": "1", "patience": "0.0001"}
        return "it was taken" if (await owner.post(f"{url}/chairs", data=fields)).status_code == 303 else None


@attack("hints without end")
async def hints(stranger: Stranger) -> str | None:
    """Each would take the server some work."""
    async with stranger.browser() as eve:
        url = (await eve.post("/play", data={"game": "adaman"})).headers["location"]
        for _ in range(200):
            page = (await eve.get(url)).text
            question = re.search(r'name="question" value="(\d+)"', page)
            if question is None:
                return None
            if (await eve.post(f"{url}/hint", data={"question": question[1]})).status_code == 429:
                return None
        return "200 hints"


async def lesson(teacher: httpx.AsyncClient, pupil: httpx.AsyncClient) -> str:
    """A class with one pupil at a table; the address of the pupil's seat."""
    plan = {"game": "hic-haec-hoc", "size": "4", "minutes": "45", "hic-haec-hoc:level": "discipula", "strips": "0"}
    url = (await teacher.post("/class/new", data=plan)).headers["location"]
    await pupil.post(f"{url}/join")
    await teacher.post(f"{url}/deal", data={"way": "number", "dealt": ""})
    await teacher.post(f"{url}/resume")
    return (await pupil.get(f"{url}/seat")).headers["location"]


@attack("keep a pupil's seat by making its key anew")
async def pupils_key(stranger: Stranger) -> str | None:
    """Then the class would not find the seat any more."""
    async with stranger.browser() as teacher, stranger.browser() as pupil:
        seat = await lesson(teacher, pupil)
        return "another key" if (await pupil.post(f"{seat}/renew")).status_code == 303 else None


@attack("play under a teacher's name")
async def pupils_name(stranger: Stranger) -> str | None:
    """By sitting down once more, and by the chair."""
    async with stranger.browser() as teacher, stranger.browser() as pupil:
        seat, name = await lesson(teacher, pupil), "Herr Schmitz"
        await pupil.post(f"{seat}/sit", data={"name": name})
        for chair in "0123":
            await pupil.post(f"{seat}/chairs", data={"do": "name", "seat": chair, "name": name})
        return "it was taken" if name in (await pupil.get(seat)).text else None


@attack("imitate somebody's name")
async def imitation(stranger: Stranger) -> str | None:
    """With a Cyrillic letter."""
    async with stranger.browser() as owner, stranger.browser() as eve:
        url = (await owner.post("/tables", data={"game": "hic-haec-hoc"})).headers["location"]
        await owner.post(f"{url}/sit", data={"name": "Anna"})
        await eve.post(f"{url}/sit", data={"name": "\u0410nna"})
        return "it was taken" if "\u0410nna" in (await owner.get(url)).text else None


@attack("a form of megabytes")
async def megabytes(stranger: Stranger) -> str | None:
    """Encoded so that reading it takes long."""
    async with stranger.browser(**{"content-type": "application/x-www-form-urlencoded"}) as eve:
        answer = await eve.post("/decks", content=b"%41" * 1_500_000)
        return None if answer.status_code == 413 else f"{answer.status_code}"


@attack("guess the codes of tables")
async def codes(stranger: Stranger) -> str | None:
    """Misses, and the right one over and over."""
    async with stranger.browser() as owner:
        right = (await owner.post("/tables", data={"game": "adaman"})).headers["location"]
    async with stranger.browser() as eve:
        for n in range(1000):
            wrong = "".join(ALPHABET[(n * 7919 + k * 104729) % len(ALPHABET)] for k in range(8))
            if (await eve.get(f"/t/{wrong}")).status_code == 429:
                break
        else:
            return "1000 guesses"
        for _ in range(1500):
            if (await eve.get(right)).status_code == 429:
                return None
        return "1500 visits"


@attack("open tables by the page of a deck")
async def decks_door(stranger: Stranger) -> str | None:
    """Each is kept for a month."""
    async with stranger.browser() as eve:
        for _ in range(100):
            if (await eve.post("/decks/events/play")).status_code == 429:
                return None
        return "100 tables"


async def run(origin: str, say: Callable[[str], None] = print) -> list[str]:
    """Try all; the names of those that succeeded."""
    got = []
    for name, one in ATTACKS:
        became = await one(Stranger(origin))
        say(f"{'refused ' if became is None else 'SUCCEEDED'} {name}{'' if became is None else f': {became}'}")
        if became is not None:
            got.append(name)
    return got


if __name__ == "__main__":
    target = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000"
    name = urlsplit(target).hostname or ""
    if name != "localhost" and not ip_address(name).is_loopback:
        sys.exit("Only a server on this machine may be attacked: http://127.0.0.1:…")
    sys.exit(len(asyncio.run(run(target))))
