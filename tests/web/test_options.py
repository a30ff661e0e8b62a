"""The waiting room's choices become the record's top keys; anything else is ignored."""

import pytest

from spieltisch import games, i18n
from spieltisch.decks.library import Library
from spieltisch.table.log import Chair, TableSetup
from spieltisch.web.core.view import option_fields

ROOM = games.package("hic-haec-hoc")
LABELLED = [one for one in games.packages().values() if one.page.labels]  # the others draw their fields themselves


def drawn(top, lang="de"):
    setup = TableSetup("ABC234", ROOM.name, top, (Chair(), Chair()))
    tr = i18n.Translator(i18n.package_catalog(ROOM.folder, lang), lang, ["Ada", "Bo"])
    return {one.name: one for one in option_fields.fields(ROOM, setup, tr, Library())}


def test_a_pronoun_can_be_chosen():
    offered = drawn({"options": {}})["paradigm"]
    assert offered.label == "Pronomen"
    assert offered.value == offered.choices[0][0] == "hic"
    assert ("ille", "ille – illa – illud") in offered.choices
    top = option_fields.choose(
        ROOM, {"options": {}}, {"paradigm": ["ille"], "mode": ["strict"], "cards_per_player": ["4"]}, Library()
    )
    assert top == {"options": {"cards_per_player": 4, "paradigm": "ille"}}
    assert drawn(top)["paradigm"].shown == "ille – illa – illud"
    assert ROOM.record.load(top, 2)[1].id == "ille"


@pytest.mark.parametrize("lang", ["de", "en"])
@pytest.mark.parametrize("package", LABELLED, ids=lambda package: package.name)
def test_each_option_has_a_label_that_the_rules_for_people_name(package, lang):
    labels, tr = package.page.labels, package.translator(lang)
    options = [*package.rules.Options.__struct_fields__, *package.page.content]
    assert not set(options) - set(labels)
    told, _ = package.rule_book(lang)
    assert [name for name in options if f"**{tr._(labels[name])}**" not in told] == []


@pytest.mark.parametrize("said", [["hic"], ["../../etc"], [""], []])
def test_what_is_no_choice_leaves_the_default(said):
    assert option_fields.choose(ROOM, {"options": {}}, {"paradigm": said} if said else {}, Library()) == {"options": {}}
