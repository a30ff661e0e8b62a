"""Every sentence with every kind of subject: you, a name, several, nobody. "You" is never told as somebody else is."""

import random
import re
from html import unescape
from types import SimpleNamespace
from typing import Any

import pytest

from spieltisch import games
from spieltisch.table.replay import Replay
from spieltisch.web.core.view import outcome
from web.site import code, finished, served

pytestmark = pytest.mark.anyio

NAMES = ("Quaddo", "Quibbe", "Quélise Ågren")  # that no card has
ENGLISH = re.compile(r"\bYou (?!always|perhaps|miss|pass|guess|press|discuss)\w+s\b|\bYou (?:has|was)\b")
GERMAN = re.compile(r"\b[Dd]u (?:ist|hat|wird|kann|will|soll|\w*[^\Wszxß]t)\b|\bDu \w+en\b(?! wir)")
EMPTY = re.compile(r"[{}]|\bNone\b|(?<!\d)  +(?!\d)")
VERBS = {"en": ("is", "has", "plays", "draws"), "de": ("ist", "hat", "überlegt", "spielt")}


def wrong(text, lang):
    """What of a text tells of a reader as of somebody else."""
    return [found[0] for found in (ENGLISH if lang == "en" else GERMAN).finditer(text)]


def read(html):
    """What one reads of a page, line by line."""
    html = re.sub(r"<(script|style|svg|template)\b.*?</\1>", " ", html, flags=re.DOTALL)
    html = re.sub(r"</?(?:b|span|small|i|em|a)\b[^>]*>", "", html)
    return unescape(re.sub(r"<[^>]*>", "\n", html))


@pytest.mark.parametrize("lang", ["de", "en"])
def test_what_is_wrong_is_found(lang):
    you = "You" if lang == "en" else "Du"
    for verb in VERBS[lang]:
        assert wrong(f"{you} {verb}", lang), verb
    right = {"en": "You are in. You pass. You win.", "de": "Du bist dabei. Du gewinnst. Du überlegst. Du musst ziehen."}
    assert not wrong(right[lang], lang)


@pytest.mark.parametrize("lang", ["de", "en"])
@pytest.mark.parametrize("game", ["adaman", "anno-domini", "hic-haec-hoc", "trailblaze"])
async def test_what_happened_is_told_of_you_and_of_others(tmp_path, game, lang):
    package = games.package(game)
    names = NAMES[: 1 if package.rules.seats[-1] == 1 else 3]
    async with served(tmp_path) as site, site.browser(lang) as ada:
        for seed in range(2):
            url = await _opened(site, ada, game, len(names))
            table = await site.services.host.table(code(url))
            await finished(site, table, random.Random(seed), blind=len(names) == 1 or seed % 2 == 0)
            replay = await site.services.host.replay(table.id)
            for me in (None, *range(len(names))):
                tr = package.translator(lang, names, me)
                for sentence in _told(package, replay, tr):
                    assert not wrong(sentence, lang), sentence
                    assert not EMPTY.search(sentence), sentence
                    assert me is None or NAMES[me] not in sentence, sentence
                    if me is None and len(names) > 1:
                        assert not re.search(r"\b(?:You|Du|Dein|Your)\b", sentence), sentence


def _told(package, replay: Replay, tr):
    """Every sentence about a game."""
    for step, entry in enumerate(replay.news, 1):
        public = replay.at(step).view(None).public
        for one in entry.news:
            if sentence := package.page.tell(one, public, tr):
                yield sentence


async def _opened(site, ada, game, seats):
    if seats == 1:
        return (await ada.post("/play", data={"game": game})).headers["location"]
    url = (await ada.post("/tables", data={"game": game, "name": NAMES[0]})).headers["location"]
    for name in NAMES[1:seats]:
        async with site.browser() as other:
            await other.post(f"{url}/sit", data={"name": name})
    assert (await ada.post(f"{url}/start")).status_code == 303
    return url


@pytest.mark.parametrize("lang", ["de", "en"])
@pytest.mark.parametrize("game", ["anno-domini", "hic-haec-hoc", "trailblaze"])
async def test_no_page_of_an_evening_speaks_to_its_reader_as_of_somebody_else(tmp_path, game, lang):
    dice = random.Random(1)
    async with (
        served(tmp_path) as site,
        site.browser(lang) as ada,
        site.browser(lang) as ben,
        site.browser(lang) as eve,
    ):
        url = (await ada.post("/tables", data={"game": game, "name": "Ada"})).headers["location"]
        await ben.post(f"{url}/sit", data={"name": "Ben"})
        await ada.post(f"{url}/chairs", data={"do": "bot"})

        async def look(*paths):
            for one in (ada, ben, eve):
                for path in paths:
                    answer = await one.get(path, follow_redirects=True)
                    assert answer.status_code == 200, path
                    text = read(answer.text)
                    assert not wrong(text, lang), path

        await look(url)
        await ada.post(f"{url}/start")
        table = await site.services.host.table(code(url))
        for n in range(40):
            seat = next((seat for seat in table.to_act if table.setup.chairs[seat].kind == "person"), None)
            if seat is None or table.result is not None:
                break
            await site.services.host.answer(table.id, seat, table.question(seat), dice.choice(table.legal(seat)))
            if n % 20 == 0:
                await look(url, f"{url}/screen")
        await finished(site, table, dice)
        await look(url, f"{url}/review", f"{url}/stories", f"{url}/replay")
        again = await ben.post(f"{url}/rematch")
        url = (await ben.get(again.headers["location"])).headers["location"]
        await look(url, f"{url}/screen")
        await ada.post(f"{url}/ready", data={"plays": "false"})
        await look(url)


@pytest.mark.parametrize("lang", ["de", "en"])
@pytest.mark.parametrize("first", [(0,), (1,), (0, 1), (1, 2), (0, 1, 2)])
@pytest.mark.parametrize("me", [None, 0, 1])
def test_who_won_is_said_to_anybody(lang, first, me):
    result = SimpleNamespace(ranking=(first,), scores=None, end="")
    tr = games.package("trailblaze").translator(lang, NAMES, me)
    table: Any = SimpleNamespace(result=result)
    said = outcome.headline(table, tr)
    assert not wrong(said, lang), said
    assert not EMPTY.search(said), said
    assert (me in first) == said.startswith(("You", "Du")), said
    if me in first and len(first) > 1:
        assert said.startswith(("You win", "Du gewinnst"))
    assert all(NAMES[seat] in said for seat in first if seat != me)
