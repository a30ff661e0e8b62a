"""No page mixes languages: a German page has no English where German exists, nor the other way round."""

import random
import re
from html import unescape
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

import spieltisch
from web.site import code, finished, playing, served
from web.test_classes import PLAN

pytestmark = pytest.mark.anyio
SOURCE = Path(spieltisch.__file__).parent
GAMES = ("anno-domini", "hic-haec-hoc", "trailblaze")


def pairs():
    """All texts without braces that are longer than a word, English and German."""
    for file in sorted(SOURCE.glob("languages/de/messages/*.po")):
        with file.open("rb") as read:
            for one in read_po(read):
                ids = one.id if isinstance(one.id, tuple) else (one.id,)
                said = one.string if isinstance(one.string, tuple) else (one.string,)
                yield from zip(ids, said, strict=True)


EVERY = [*pairs()]
ENGLISH, GERMAN = zip(*EVERY, strict=True)
PAIRS = [(en, de) for en, de in EVERY if en != de and "{" not in en and " " in en and len(en) > 12]
FOREIGN = {
    "de": {en for en, _ in PAIRS} - {*GERMAN},
    "en": {de for _, de in PAIRS} - {*ENGLISH},  # Pause, for one, is a word of both
}


def texts(html):
    """What one reads or hears of a page, piece by piece."""
    html = re.sub(r"<(script|style|template)\b.*?</\1>", " ", html, flags=re.DOTALL)
    html = re.sub(r'<(\w+)[^>]* lang="(?:de|en)"[^>]*>[^<]*</\1>', " ", html)  # the switch of the language
    found = re.findall(r">([^<]+)<", html) + re.findall(r'(?:aria-label|title|alt|placeholder)="([^"]*)"', html)
    return {" ".join(unescape(one).split()) for one in found}


@pytest.mark.parametrize("lang", ["de", "en"])
@pytest.mark.parametrize("game", GAMES)
async def test_an_evening_and_a_class_are_told_in_one_language(tmp_path, game, lang):
    other = GAMES[GAMES.index(game) - 1]
    async with served(tmp_path) as site, site.browser(lang) as ada, site.browser(lang) as ben:

        async def look(browser, *paths):
            for path in paths:
                answer = await browser.get(path, follow_redirects=True)
                assert answer.status_code == 200, path
                foreign = texts(answer.text) & FOREIGN[lang]
                assert not foreign, (path, foreign)

        await look(ada, "/", "/privacy", "/credits", "/decks", "/class/new", "/plans/class", f"/rules/{game}")
        url, table = await playing(site, ada, ben, bots=1, game=game)
        await look(ada, url, f"{url}/screen")
        await finished(site, table, random.Random(1))
        await look(ben, url, f"{url}/screen", f"{url}/review", f"{url}/stories", f"{url}/replay")
        again = (await ada.post(f"{url}/rematch", data={"game": other})).headers["location"]
        await look(ben, again, f"{url}/evening")
        room = (await ada.post("/class/new", data=PLAN | {"game": game, f"{game}:level": ""})).headers["location"]
        await ben.post(f"{room}/join")
        await look(ada, room, f"{room}/wall", f"{room}/edit", f"{room}/report", f"{room}/pupil/1")
        await ada.post(f"{room}/deal", data={"way": "number", "dealt": ""})
        await look(ada, room, f"{room}/wall")
        seat = (await ben.get(f"{room}/seat")).headers["location"]
        await look(ben, seat)
        await ada.post(f"{room}/resume")
        await finished(site, await site.services.host.table(code(seat)), random.Random(2))
        await ada.post(f"{room}/stop")
        await look(ada, room, f"{room}/debrief", f"{room}/report")
