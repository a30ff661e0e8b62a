"""Set phrases: heard by everybody, each in their own language, not too many, and with no trace in the game."""

import pytest

from spieltisch import games, i18n
from spieltisch.package import Page
from web.site import forms, playing, served

pytestmark = pytest.mark.anyio
SEVERAL = [package for package in games.packages().values() if package.rules.seats[-1] > 1]


@pytest.mark.parametrize("package", SEVERAL, ids=lambda package: package.name)
def test_every_game_for_several_has_twelve_of_its_own_in_both_languages(package):
    said = package.page.phrases
    assert said is not Page.phrases
    for lang in i18n.LANGUAGES:
        words = i18n.Translator(i18n.package_catalog(package.folder, lang), lang)
        assert len({words._(one) for one in said}) == 12


async def test_everybody_hears_it_in_their_own_language_and_the_game_knows_nothing_of_it(tmp_path):
    async with (
        served(tmp_path, pause=lambda: 60.0) as site,
        site.browser() as ada,
        site.browser("de") as ben,
        site.browser("de") as eve,
    ):
        url, table = await playing(site, ada, ben)
        seq, rev = table.seq, table.setup.rev
        async with site.line(url, ada) as own, site.line(url, ben) as other, site.line(url, eve, screen=True) as screen:
            for line in (own, other, screen):
                await line.until(lambda m: "html" in m)
            assert (await own.do("say", [["phrase", "2"]]))["ok"]
            for line, words in ((other, "Bist du sicher?"), (screen, "Bist du sicher?")):
                heard = await line.until(lambda m: "voice" in m)
                assert heard == {"voice": {"seat": 0, "name": "Ada", "words": words}}
            heard = [m["voice"] for m in own.heard if "voice" in m] or [(await own.receive())["voice"]]
            assert heard == [{"seat": 0, "name": "Ada", "words": "Are you sure?"}]
            # who only looks on says nothing, and there is nothing else to say
            assert (await screen.do("say", [["phrase", "2"]]))["error"] == "Du hast keinen Platz an diesem Tisch."
            for phrase in ("12", "-1", "²", "", "hello"):
                assert (await own.do("say", [["phrase", phrase]]))["error"] == "Choose one of the phrases."
            assert (await own.do("say", [["phrase", "0"]]))["ok"]
            assert (await own.do("say", [["phrase", "0"]]))["ok"]
            assert (await own.do("say", [["phrase", "0"]]))["error"].startswith("One message at a time")
            assert (await other.do("say", [["phrase", "0"]]))["ok"]  # each has a measure of their own
        assert (table.seq, table.setup.rev) == (seq, rev)


async def test_all_seats_can_say_the_same_whatever_they_hold(tmp_path):
    async with served(tmp_path, pause=lambda: 60.0) as site, site.browser() as ada, site.browser() as ben:
        url, _ = await playing(site, ada, ben)
        offered = [
            [
                c.get("value")
                for one in forms((await who.get(url)).text)
                for c in one["controls"]
                if c.get("name") == "phrase"
            ]
            for who in (ada, ben)
        ]
        assert offered == [[str(n) for n in range(12)]] * 2
