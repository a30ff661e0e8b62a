"""Ways to play: a game's options at one tap, and in one sentence."""

import pytest

from spieltisch import games
from spieltisch.decks.library import Library
from spieltisch.table.log import Chair, TableSetup
from spieltisch.web.core.view import ways
from web.site import code, form, refused, served

ALL = [(package, name) for package in games.packages().values() for name in package.page.ways]


def chosen(package, setup):
    shown = ways.shown(package, setup, package.translator("en"), Library())
    return [way["value"] for way in shown if way["chosen"]]


@pytest.mark.parametrize(("package", "name"), ALL, ids=lambda one: getattr(one, "name", one))
def test_the_rules_allow_each_way_with_every_number_of_seats(package, name):
    usual = TableSetup("ABC234", package.name, dict(package.record.default), ())
    setup = ways.with_way(package, usual, name, Library())
    assert chosen(package, setup) == [name]
    for seats in package.rules.seats:
        options, deck = package.record.load(setup.top, seats, Library())
        package.rules.setup(seats, options, deck)
        if package.page.ways[name].easy:
            assert {card.level for card in deck.cards} == {"1"}


def test_what_a_way_does_not_cover_stays_as_it_was_chosen():
    package = games.package("anno-domini")
    top: dict[str, object] = {
        "deck": "events",
        "options": {"max_rounds": 3},
        "filter": {"level": ["3"], "field": ["sport"]},
    }
    setup = ways.with_way(package, TableSetup("ABC234", package.name, top, ()), "classic", Library())
    assert setup.top == {"deck": "events", "options": {}, "filter": {"field": ["sport"]}}
    package = games.package("hic-haec-hoc")
    top = {"options": {"paradigm": "ille", "joker": True}}
    setup = ways.with_way(package, TableSetup("ABC234", package.name, top, ()), "quick", Library())
    assert setup.top == {"options": {"paradigm": "ille", "cards_per_player": 3}}


def test_every_game_says_how_it_is_played_where_nothing_was_chosen():
    for package in games.packages().values():
        setup = TableSetup("ABC234", package.name, dict(package.record.default), (Chair(),) * package.rules.seats[0])
        assert chosen(package, setup) == ["classic"]


@pytest.mark.anyio
async def test_the_host_chooses_a_way_and_guests_read_one_sentence(tmp_path):
    async with served(tmp_path) as site, site.browser("de") as ada, site.browser("de") as ben:
        url = (await ada.post("/tables", data={"game": "anno-domini", "name": "Ada"})).headers["location"]
        offered = form((await ada.get(url)).text, "/options")
        assert [c["value"] for c in offered["controls"] if c.get("name") == "way"] == ["quick", "classic", "children"]
        await ben.post(f"{url}/sit", data={"name": "Ben"})
        deck = "das Deck „Quer durch die Zeit“."
        classic = f"Wir spielen klassisch: 9 Karten pro Person, etwa 30 min, keine Uhr, {deck}"
        assert classic in (await ben.get(url)).text
        assert (await ada.post(f"{url}/options", data={"way": "children"})).status_code == 303
        top = (await site.services.host.table(code(url))).setup.top
        assert top["filter"] == {"level": ["1"]}
        assert top["options"] == {"cards_per_player": 5, "doubter_penalty": 0, "last_player_penalty": 1}
        easy = f"Wir spielen mit Kindern: 5 Karten pro Person, kaum Strafen, nur leichte Karten, keine Uhr, {deck}"
        assert easy in (await ben.get(url)).text
        # another option is a mix of one's own, also for the host
        await ada.post(f"{url}/options", data={"way": "classic"})
        await ada.post(f"{url}/options", data={"cards_per_player": "7", "turn_seconds": "60"})
        mix = f"Wir spielen eine eigene Mischung: Karten pro Person: 7, Zeit pro Zug: 60 s, {deck}"
        for person in (ada, ben):
            assert mix in (await person.get(url)).text
        assert (await ben.post(f"{url}/options", data={"way": "quick"})).status_code == 403
        assert refused((await ada.post(f"{url}/options", data={"way": "best"})).text)
        # a deck that is too small for it: the rules say so
        few = {"cards_per_player": "5", "filter-field": "sport"}
        assert (await ada.post(f"{url}/options", data=few)).status_code == 303
        answer = await ada.post(f"{url}/options", data={"way": "classic"})
        assert "mindestens 38 Karten" in refused(answer.text)
