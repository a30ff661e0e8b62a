"""Opens pages in the language of tests and prints what is not in it: wired-in words, and texts that lack their `lang`.

A process of its own, since languages are found when the program starts.
"""

import asyncio
import contextlib
import csv
import json
import random
import re
import sys
from html.parser import HTMLParser
from pathlib import Path

from spieltisch import games
from spieltisch.languages import DEFAULT, own_text
from tongues.xx import MARKED, OTHER, plain
from web.site import code, finished, playing, served
from web.test_classes import PLAN

LANG = "xx"
_LETTER = f"[{''.join(map(chr, MARKED.values()))}]"
MADE = re.compile(rf"\S*{_LETTER}\S*")  # its words
_SURE = rf"\S*{_LETTER}{{2}}\S*"  # a name in a deck may have one such letter
GLUED = re.compile(rf"{_SURE}(?<=[:;])(?=\s|$)|[:;]\s+{_SURE}")  # put together without a message
GAMES = [name for name, one in games.packages().items() if one.rules.seats[-1] > 1]
SPOKEN = ("aria-label", "aria-description", "title", "alt", "placeholder", "content")  # attributes that are read
SILENT = {"script", "style", "template", "code", "kbd", "pre", "noscript", "svg"}  # drawings have letters, too
UNREAD = {"data-why", "data-verdict", "data-epochs"}  # of the attributes for scripts; others may hold messages
VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr", "path", "use", "circle"}
# Names, which are the same in every language.
NAMES = {
    *(word for name in games.packages() for word in name.split("-")),
    "Ada", "Ben", "Spieltisch", "Deutsch", "English", "Italiano", "Français",
    "CSV", "PDF", "JSON", "ODS", "XLSX", "TSV", "min", "ms", "MB", "kB", "GB", "UTC", "localhost", "CC", "BY", "SA",
    *(word for one in games.packages().values() for word in re.findall(r"\w+", one.box.title)),
}  # fmt: skip


PARTS = re.compile(r"[,;:꞉⁏·()!?]|\s–\s")
# Codes of tables, numbers of rows, commands, and what this program typed itself.
CODE = re.compile(r"\b(?:[A-Z]{4,8}|[IVX]+|nothing|spieltisch(?: [a-z]+)+)\b")


def said(text):
    """The words of a text, without codes, numbers and addresses."""
    return " ".join(re.findall(r"\w+", CODE.sub(",", OTHER.sub(",", text)))).casefold()


# What decks say, which is not translated: whole cells and their parts, and all of it as one text.
CELLS = {
    said(part)
    for one in games.packages().values()
    for file in (one.folder / "decks").glob("*.csv")
    for line in csv.reader(file.read_text("utf-8").splitlines())
    for cell in line
    for part in (cell, *PARTS.split(cell))
}
# Words of dates are no messages: a language brings them in a file of its own, and this one has none.
DATES = {*re.findall(r"\w+", (own_text(DEFAULT, "dates.toml") or "").casefold())}
ALL = "\n".join(f" {cell} " for cell in CELLS)


def foreign(text):
    """What of a text is neither in the language of tests nor what a deck says."""
    if _is_content(text):  # in which a letter may have a mark, too
        return []
    runs = MADE.split(OTHER.sub(",", CODE.sub(",", text)))
    return [one for run in runs if not _is_content(run) for one in PARTS.split(run) if not _is_content(one)]


def _is_content(run):
    """Whether a deck says it: a whole cell, or several words of one."""
    if all(word in NAMES or word.casefold() in DATES for word in plain(run)):
        return True
    words = said(run)
    return not words or words in CELLS or (" " in words and f" {words} " in ALL)


class Words(HTMLParser):
    """What somebody reads or hears of a page in its own language, with the elements around."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.path, self.found = [], []

    def handle_starttag(self, tag, attrs):
        own = dict(attrs)
        if tag == "meta" and own.get("name") != "description":
            return
        foreign = self._foreign or own.get("lang", LANG) != LANG or tag in SILENT or "data-own" in own
        if not foreign:
            for name, value in attrs:
                words = name in SPOKEN or (name.startswith("data-") and name not in UNREAD and " " in (value or ""))
                if words and value:
                    self._look(value, f"{tag}[{name}]")
        if tag not in VOID:
            self.path.append((tag, own.get("id") or own.get("class") or "", foreign))

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        while self.path and self.path.pop()[0] != tag:
            pass

    def handle_data(self, data):
        if not self._foreign:
            self._look(data, "")

    @property
    def _foreign(self):
        return bool(self.path) and self.path[-1][2]

    def _look(self, text, tag):
        if wired := foreign(text) or GLUED.findall(text):
            where = " ".join(f"{one}.{name.replace(' ', '.')}" if name else one for one, name, _ in self.path[-3:])
            self.found.append((f"{where} {tag}".strip(), " … ".join(" ".join(one.split()) for one in wired)))


def words(html):
    """What is not in the language of tests, each with its place."""
    parser = Words()
    parser.feed(html)
    return parser.found


class Sweep:
    def __init__(self):
        self.found = {}

    def page(self, path, text):
        for where, said in words(text):
            self.found.setdefault((where, said), path)

    async def look(self, browser, *paths):
        for path in paths:
            answer = await browser.get(path, follow_redirects=True)
            none = path.endswith("/missed") and answer.status_code == 422  # in a game in which nothing was missed
            assert none or answer.status_code < 300, (path, answer.status_code)  # 202: a review is still being made
            if "html" in answer.headers["content-type"]:
                assert f'<html lang="{LANG}">' in answer.text, path
                self.page(path, answer.text)


async def at_home(site, sweep):
    async with site.browser(LANG) as ada:
        await sweep.look(ada, "/", "/credits", "/privacy", "/languages", "/decks", "/practice", "/sure", "/class/new")
        await sweep.look(ada, *(f"/plans/{name}" for name in ("class", "history", "latin")))
        for name, one in games.packages().items():
            await sweep.look(ada, f"/rules/{name}", f"/learn/{name}", f"/learn/{name}/1?hint=1")
            if one.daily.number.__func__ is not None:
                daily = await ada.get(f"/daily/{name}")
                if daily.status_code == 200:
                    sweep.page(f"/daily/{name}", daily.text)
            if one.rules.seats[0] == 1:
                await sweep.look(ada, f"/deals/{name}")
        decks = re.findall(r'href="(/decks/[\w-]+)"', (await ada.get("/decks")).text)
        await sweep.look(ada, *dict.fromkeys(decks))
        for path in ("/nothing", "/rules/nothing", "/t/NOTHERE", "/decks/nothing", "/plans/nothing"):
            sweep.page(path, (await ada.get(path)).text)
        for path, data in {
            "/join": {"code": "?"}, "/tables": {"game": "nothing"}, "/class/new": PLAN | {"size": "99"},
            "/decks": {"kind": "events", "text": "a;b;c\n1;2;3"},
        }.items():  # fmt: skip
            sweep.page(f"POST {path}", (await ada.post(path, data=data)).text)


async def at_a_table(site, sweep, game):
    async with site.browser(LANG) as ada, site.browser(LANG) as ben:
        waiting = (await ada.post("/tables", data={"game": game, "name": "Ada"})).headers["location"]
        await sweep.look(ada, waiting)
        await sweep.look(ben, waiting)
        url, table = await playing(site, ada, ben, bots=1, game=game)
        await sweep.look(ada, url, f"{url}/screen", f"{url}/reminders")
        dice = random.Random(3)
        for _ in range(12):
            seat = next((one for one in table.to_act if table.setup.chairs[one].kind == "person"), None)
            if table.result is not None or seat is None:
                await asyncio.sleep(0.005)
                continue
            action = dice.choice(table.legal(seat))
            with contextlib.suppress(Exception):
                await site.services.host.answer(table.id, seat, table.question(seat), action)
            await sweep.look(ada if seat == 0 else ben, url)
        await finished(site, table, random.Random(1))
        await sweep.look(ben, url, f"{url}/screen", f"{url}/review", f"{url}/stories", f"{url}/replay?step=3")
        await sweep.look(
            ben, f"{url}/missed", f"{url}/practice", f"{url}/picture.svg", f"{url}/together", f"{url}/claims"
        )
        again = (await ada.post(f"{url}/rematch", data={"game": game})).headers["location"]
        await sweep.look(ben, again, f"{url}/evening")


async def alone(site, sweep):
    async with site.browser(LANG) as ada:
        url = (await ada.post("/play", data={"game": "adaman", "name": "Ada"})).headers["location"]
        await sweep.look(ada, url)
        table = await site.services.host.table(code(url))
        await finished(site, table, random.Random(1), blind=True)
        await sweep.look(ada, url, f"{url}/review", f"{url}/replay?step=1")


async def in_a_class(site, sweep, game):
    async with site.browser(LANG) as ada, site.browser(LANG) as ben, site.browser(LANG) as cy:
        made = await ada.post("/class/new", data=PLAN | {"game": game, f"{game}:level": ""})
        room = made.headers["location"]
        for one in (ben, cy):
            await one.post(f"{room}/join")
        await sweep.look(ben, room)
        await sweep.look(
            ada, room, f"{room}/wall", f"{room}/edit", f"{room}/report", f"{room}/pupil/1", f"{room}/strips"
        )
        await ada.post(f"{room}/deal", data={"way": "number", "dealt": ""})
        await sweep.look(ada, room, f"{room}/wall")
        seat = (await ben.get(f"{room}/seat")).headers["location"]
        await sweep.look(ben, seat)
        await ada.post(f"{room}/resume")
        await finished(site, await site.services.host.table(code(seat)), random.Random(2))
        await ada.post(f"{room}/stop")
        await sweep.look(ada, room, f"{room}/debrief", f"{room}/report", f"{room}/wall")
        await sweep.look(ben, room)


async def main(folder):
    sweep = Sweep()
    async with served(folder, mail="smtp://localhost", mail_from="a@b.example", operator="") as site:
        await at_home(site, sweep)
        await alone(site, sweep)
        for game in GAMES:
            await at_a_table(site, sweep, game)
        for game in ("hic-haec-hoc", "anno-domini"):
            await in_a_class(site, sweep, game)
    for (where, said), path in sweep.found.items():
        print(json.dumps({"path": path, "where": where, "said": said}, ensure_ascii=False))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
