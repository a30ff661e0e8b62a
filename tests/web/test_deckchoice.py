"""Own decks at a table, series and filters: who is offered what, and the result."""

import asyncio
import json
import random
from collections import Counter

import pytest

from spieltisch import games, i18n, record
from spieltisch.decks.base_kind import kind_of
from spieltisch.decks.files import put
from spieltisch.decks.library import Library
from spieltisch.decks.things import in_play
from spieltisch.table.log import Chair, TableSetup
from spieltisch.web.core.http.actions import encode
from spieltisch.web.core.view.option_fields import choose
from spieltisch.web.core.view.option_fields import fields as option_fields
from web.site import served

pytestmark = pytest.mark.anyio
ROOM = games.package("anno-domini")
TOP = dict(ROOM.record.default)


def sheet(cards=30, more="", first=1700):
    """A deck of events of a year each."""
    head = f"#title,Rom,Rome\n{more}#series,alle,Rom,Rome\n"
    columns = "id,series,date,de,en,comment_de,comment_en,source,fact,field,region,level,review\n"
    rows = [f"c{n},alle,{first + n},Ereignis {w(n)},Event {w(n)},,,,,,,,\n" for n in range(cards)]
    return head + columns + "".join(rows)


def w(n):
    return "".join(chr(97 + int(digit)) for digit in f"{n:03}")


def drawn(library, top=TOP, held=(), package=ROOM):
    setup = TableSetup("ABC234", package.name, top, (Chair(name="Ada"), Chair(name="Bo")))
    tr = i18n.Translator(i18n.package_catalog(package.folder, "de"), "de", ["Ada", "Bo"])
    return {one.name: one for one in option_fields(package, setup, tr, library, held)}


def ticked(fields):
    """A form as the page sends it, nothing changed."""
    form = {}
    for one in fields.values():
        if one.kind == "checks":
            form[one.name] = list(one.value)
        elif one.kind != "note":
            form[one.name] = [str(one.value)]
    return form


def test_series_and_all_of_them():
    fields = drawn(Library())
    assert choose(ROOM, TOP, ticked(fields), Library()) == TOP
    top = choose(ROOM, TOP, ticked(fields) | {"series": ["welt"]}, Library())
    assert top["options"] == {"series": ["welt"]}
    assert {card.series for card in ROOM.record.load(top, 2)[1].cards} == {"welt"}
    assert drawn(Library(), top)["left"].value == len(in_play(ROOM.record.load(top, 2)[1]).cards)


def test_cards_of_some_fields():
    form = ticked(drawn(Library())) | {"filter-field": ["sport", "nonsense"], "filter-level": ["1"]}
    top = choose(ROOM, TOP, form, Library())
    assert top["filter"] == {"level": ["1"], "field": ["sport"]}
    cards = ROOM.record.load(top, 2)[1].cards
    assert all("sport" in card.fields and card.level == "1" for card in cards)
    fields = drawn(Library(), top)
    assert fields["left"].value == len(in_play(ROOM.record.load(top, 2)[1]).cards)
    assert fields["filter-field"].value == ["sport"]
    assert "Sport" in fields["filter-field"].shown
    assert choose(ROOM, top, ticked(fields), Library()) == top
    with pytest.raises(record.InvalidRecord, match="unknown key filter"):  # records have their cards inline
        record.top({"format": record.FORMAT, "game": ROOM.name, "seats": ["a", "b"], "log": []} | top)


def test_a_field_is_kept_to_its_share():
    fields = drawn(Library())
    assert "10 %" in dict(fields["share"].choices)["10"].replace("\u00a0", " ")
    top = choose(ROOM, TOP, ticked(fields) | {"share": ["10"]}, Library())
    assert top["filter"]["share"] == 10
    cards = ROOM.record.load(top, 2)[1].cards
    most = Counter(one for card in cards for one in card.fields).most_common(1)[0][1]
    assert most * 10 <= len(cards)
    assert len(cards) < len(ROOM.record.load(TOP, 2)[1].cards)
    fields = drawn(Library(), top)
    assert fields["left"].value == len(in_play(ROOM.record.load(top, 2)[1]).cards)
    assert choose(ROOM, top, ticked(fields), Library()) == top  # the same cards while nothing else is chosen
    assert "share" not in choose(ROOM, top, ticked(fields) | {"share": ["7"]}, Library()).get("filter", {})
    one = choose(ROOM, TOP, ticked(drawn(Library())) | {"filter-field": ["sport"], "share": ["0"]}, Library())
    assert one["filter"] == {"field": ["sport"]}


def test_own_decks_are_offered_and_private_ones_to_their_makers(tmp_path):
    library = Library(tmp_path)
    put(tmp_path / "rom.csv", sheet())
    put(tmp_path / "mine.csv", sheet(more="#private\n"))
    put(tmp_path / "broken.csv", sheet().replace("1705", "sometime"))
    put(tmp_path / "notes.csv", "a,b\n1,2\n")
    assert [name for name, _ in drawn(library)["deck"].choices] == ["events", "recent", "rom"]
    assert [name for name, _ in drawn(library, held=["mine"])["deck"].choices] == ["events", "recent", "mine", "rom"]
    form = ticked(drawn(library)) | {"deck": ["mine"]}
    assert choose(ROOM, TOP, form, library)["deck"] == "events"
    assert choose(ROOM, TOP, form, library, ["mine"])["deck"] == "mine"
    form["deck"] = ["rom", "../rom", "broken"]
    top = choose(ROOM, TOP, form, library)
    assert top == {"options": {}, "deck": "rom"}
    assert drawn(library, top)["left"].value == 30
    assert "deck" not in drawn(library, package=games.package("trailblaze"), top={"options": {}, "deck": "firsts"})


def test_a_deck_that_was_taken_away_is_named(tmp_path):
    fields = drawn(Library(tmp_path), {"options": {}, "deck": "gone"})
    assert "left" not in fields
    with pytest.raises(Exception, match="there is no deck gone"):
        ROOM.record.load({"options": {}, "deck": "gone"}, 2, Library(tmp_path))


def test_a_deck_is_read_anew_when_its_file_has_changed(tmp_path):
    library = Library(tmp_path)
    put(tmp_path / "rom.csv", sheet(30))
    assert len(library.mixed(["rom"], kind_of("events")).cards) == 30
    put(tmp_path / "rom.csv", sheet(31))
    assert len(library.mixed(["rom"], kind_of("events")).cards) == 31


async def test_a_game_with_an_own_deck_keeps_its_cards_and_is_replayed_elsewhere(tmp_path):
    file = tmp_path / "decks" / "rom.csv"
    put(file, sheet(30))
    async with served(tmp_path) as site, site.browser() as ada:
        url = (await ada.post("/tables", data={"game": ROOM.name, "name": "Ada"})).headers["location"]
        page = await ada.get(url)
        assert "Rome (30)" in page.text
        refused = await ada.post(f"{url}/options", data={"deck": "rom", "cards_per_player": "15"})
        assert refused.status_code == 422
        assert "62 cards (15 each); this one has 30" in refused.text  # four seats, fifteen each
        form = {"deck": "rom", "cards_per_player": "2", "max_rounds": "2"}
        assert (await ada.post(f"{url}/options", data=form)).status_code == 303
        await ada.post(f"{url}/chairs", data={"do": "bot"})
        await ada.post(f"{url}/start")
        table = await site.services.host.table(url.rpartition("/")[2])
        begun = table.setup.header.deck
        put(file, sheet(25, first=900))  # what lies on the table is another deck by now
        dice = random.Random(1)
        while table.result is None:
            if 0 in table.to_act:
                fields = {"question": table.question(0), "action": encode(dice.choice(table.legal(0)))}
                assert (await ada.post(f"{url}/move", data=fields)).status_code in {200, 303}
            await asyncio.sleep(0.001)
        assert table.setup.header.deck == begun
        written = (await ada.get(f"{url}/record")).json()
    assert {card["id"]: card["date"] for card in written["cards"]} == {f"c{n}": str(1700 + n) for n in range(30)}
    assert "deck" not in written
    assert record.outcome(record.replay(record.parse(json.dumps(written).encode())))["over"]
    assert record.verify(written)
