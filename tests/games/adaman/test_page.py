"""What Adaman's page is given to draw, and what it says."""

import re

import pytest

from games.adaman.table import ALL, dealt
from spieltisch import games, i18n
from spieltisch.assets import drawings
from spieltisch.dice import FastDice
from spieltisch.game import see
from spieltisch.games.adaman import news, page, rules
from spieltisch.games.adaman.decktet import cards
from spieltisch.games.adaman.record import PRESETS, Record
from spieltisch.web.core.renderer import Renderer

RECORD = Record(rules)

ROOM = games.package("adaman")
PAGE = ROOM.page


def tr(lang):
    return i18n.Translator(i18n.package_catalog(ROOM.folder, lang), lang, ["Ada"], 0)


def prepared(table, lang="de", seat=0):
    view = see(table.state, seat)
    return PAGE.prepare(view, rules.legal(view), tr(lang), None)


def test_a_card_in_words():
    assert page.label(ALL["diplomat"], tr("de")) == "Diplomatin, 8, Mond und Sonne, Persönlichkeit"
    assert page.label(ALL["ace-waves"], tr("de")) == "Wellen-Ass, Wert 1"
    assert page.label(ALL["origin"], tr("en")) == "Origin, 2, Waves and Leaves, event and location"
    assert page.label(ALL["consul"], tr("en")) == "Consul, Court, counts 10, Moons, Waves and Knots, personality"
    assert page.label(ALL["excuse"], tr("de")) == "Ausflucht"


@pytest.mark.parametrize(
    ("target", "payment"),
    [
        ("author", "ace-moons ace-knots"),  # exactly 2
        ("soldier", "battle ace-knots"),  # exactly 5
        ("market", "castle"),  # 7 for 6 rather than 8
        ("huntress", "ace-moons"),  # nothing is enough: all that fits
    ],
)
def test_the_proposed_payment_is_the_cheapest(target, payment):
    table = dealt("soldier author market huntress end | battle castle ace-moons ace-knots ace-waves")
    names = [table.public.deck.cards[n].id for n in page.proposed(table.public, table.number(target))]
    assert " ".join(names) == payment


def test_targets_and_payments_are_offered_to_the_player_only():
    table = dealt("soldier author market huntress end | battle castle ace-moons ace-knots ace-waves", rest=True)
    mine, others = prepared(table), prepared(table, seat=None)
    assert all(card["target"] for card in mine["capital"])
    assert all(card["pays"] for card in mine["resources"])
    assert not any(
        card["target"] or card["pays"] or card["moves"] for row in ("capital", "resources") for card in others[row]
    )


def test_for_the_excuse_only_what_may_move_is_offered():
    table = dealt("sea end bard mill origin | desert battle excuse castle ace-moons", rest=True)
    shown = prepared(table)
    assert shown["excuse"] == "capital"
    assert not shown["controls"]
    assert [card["moves"] for card in shown["capital"]] == [True] * 5
    assert [card["moves"] for card in shown["resources"]] == [False] * 3
    table = dealt("soldier sea end mill origin | desert battle castle ace-moons ace-suns | excuse pact", rest=True)
    shown = prepared(table.control("soldier", "castle"))
    assert not any(card["moves"] for card in shown["capital"])
    assert all(card["moves"] for card in shown["resources"])


def test_what_is_still_to_come_tells_no_order():
    table = dealt("soldier sea end mill origin | desert battle castle ace-moons ace-suns", rest=True)
    world = rules.imagine(see(table.state, 0), FastDice(1))
    assert prepared(table)["still"] == PAGE.prepare(see(world, 0), rules.legal(see(world, 0)), tr("de"), None)["still"]
    assert len(prepared(table)["still"]) == 26


def test_the_end():
    won = dealt("author ace-suns ace-waves ace-leaves ace-wyrms | windfall mountain").control("author", "mountain")
    ended = prepared(won)["ended"]
    assert (ended["title"], ended["score"], ended["people"], ended["left"]) == ("Das Reich gehört dir.", 12, 2, 10)
    people = "author painter savage sailor soldier lunatic"
    ended = prepared(dealt(f"sea end origin castle cave | {people}", rest=True))["ended"]
    assert (ended["title"], ended["score"], ended["sixth"]) == ("Du hängst.", 0, "Mondsüchtige")
    ended = prepared(dealt("author ace-suns ace-leaves ace-wyrms ace-knots | ace-waves sea"), "en")["ended"]
    assert (ended["title"], ended["standing"], ended["left"]) == ("No moves left.", 1, None)


@pytest.mark.parametrize(
    ("one", "german", "english"),
    [
        (
            news.Controlled(ALL["diplomat"], (ALL["forest"], ALL["mountain"])),
            "Gewonnen: Diplomatin mit Wald 5 und Berg 4.",
            "Won: Diplomat with Forest 5 and Mountain 4.",
        ),
        (news.TurnedUp(ALL["pact"], "capital"), "Neu in der Hauptstadt: Pakt.", "New in the capital: Pact."),
        (news.TurnedUp(ALL["bard"], "palace"), "Neu im Palast: Bardin.", "New in the palace: Bard."),
        (news.TurnedUp(ALL["sea"], "resources"), "Neu bei den Mitteln: Meer.", "New among the resources: Sea."),
        (
            news.Moved(ALL["sea"], "capital"),
            "Für die Ausflucht in die Hauptstadt gelegt: Meer.",
            "Moved to the capital for the Excuse: Sea.",
        ),
        (
            news.Moved(ALL["bard"], "palace"),
            "Für die Ausflucht in den Palast gelegt: Bardin.",
            "Moved to the palace for the Excuse: Bard.",
        ),
        (
            news.Moved(ALL["sea"], "resources"),
            "Für die Ausflucht zu den Mitteln gelegt: Meer.",
            "Moved to the resources for the Excuse: Sea.",
        ),
        (
            news.PassedOver(ALL["excuse"]),
            "Die Ausflucht kommt und geht: Für sie lässt sich nichts umlegen.",
            "The Excuse comes and goes: no card can move for it.",
        ),
        (news.Ended("won", 73), "Das Reich gehört dir. 73 Punkte.", "The realm is yours. 73 points."),
        (news.Ended("lost", 1), "Nichts geht mehr. 1 Punkt.", "No moves left. 1 point."),
    ],
)  # fmt: skip
def test_what_is_told(one, german, english):
    assert PAGE.tell(one, None, tr("de")) == german
    assert PAGE.tell(one, None, tr("en")) == english


def test_cards_for_one_row_share_a_sentence():
    deck = [ALL[id_] for id_ in ("diplomat", "sea", "bard", "castle", "mill")]
    rows = ["capital", "resources", "palace", "resources", "resources"]
    turned = [news.TurnedUp(card, row) for card, row in zip(deck, rows, strict=True)]
    told = PAGE.tell_step([*turned, news.Moved(ALL["sea"], "capital"), turned[0]], None, tr("en"))
    named = [[card.name["en"] for card in deck if card.name["en"] in sentence] for sentence in told]
    assert named == [["Diplomat"], ["Sea", "Castle", "Mill"], ["Bard"], ["Sea"], ["Diplomat"]]


def test_every_face_is_drawn():
    assert sorted(drawings("decktet")) == sorted(["clips", *(card.id for card in cards())])
    assert len({one.content for one in drawings("decktet").values()}) == len(cards()) + 1


@pytest.mark.parametrize("table", [
    dealt("soldier author market huntress end | battle castle ace-moons ace-knots ace-waves", rest=True),
    dealt("sea end bard mill origin | desert battle excuse castle ace-moons", rest=True),
    dealt("author ace-suns ace-leaves ace-wyrms ace-knots | ace-waves sea"),
], ids=["play", "excuse", "end"])  # fmt: skip
@pytest.mark.parametrize("lang", ["de", "en"])
def test_the_page_holds_no_style_no_script_and_only_the_cards_on_the_table(table, lang):
    view = see(table.state, 0)
    legal = rules.legal(view)
    context = PAGE.prepare(view, legal, tr(lang), None) | {
        "p": view.public, "view": view, "me": 0, "legal": legal, "names": ["Ada"], "box": {"glyph": "rank-crown"},
        "result": None, "hint": None, "to_act": [0], "my_turn": True, "story": [], "told": [], "url": "/t/X",
    }  # fmt: skip
    html = Renderer().render("adaman/table.html", tr(lang), **context)
    assert "style=" not in html
    assert "<script" not in html
    assert not re.search(r"\son[a-z]+=", html)
    shown = re.findall(r'data-card="([a-z-]+)"', html)
    rows = view.public.palace + view.public.capital + view.public.resources
    assert shown == [view.public.deck.cards[n].id for n in rows]


# -- options -------------------------------------------------------------------------------------------------


def test_options_show_the_preset_and_the_added_cards():
    preset, added = PAGE.options({"options": {"extra": ["excuse"]}}, 1, tr("de"))
    assert preset.value == "excuse"
    assert added.value == ["excuse"]
    assert ("light-keeper", "Leuchtwärterin") in added.choices
    preset, _ = PAGE.options({"options": {"extra": ["rite"]}}, 1, tr("de"))
    assert preset.value == "own"
    assert ("own", "Eigene Wahl") in preset.choices


def test_a_changed_preset_counts_else_the_ticked_cards():
    top = {"options": {}}
    hard = PAGE.choose(top, {"preset": ["hard"]})
    assert hard == {"options": PRESETS["hard"]}
    more = PAGE.choose(hard, {"preset": ["hard"], "extra": ["excuse", "watchman", "light-keeper", "consul", "nobody"]})
    assert more == {"options": {"extra": ["light-keeper", "watchman", "consul", "excuse"]}}
    assert PAGE.choose(more, {"preset": ["basic"], "extra": ["excuse"]}) == {"options": {}}
    assert PAGE.choose(hard, {"preset": ["hard"]}) == {"options": {}}
    with pytest.raises(LookupError):
        PAGE.choose(top, {"preset": ["nobody"]})


def test_a_hint_tells_more_from_step_to_step():
    table = dealt("soldier author market huntress end | battle castle ace-moons ace-knots ace-waves")
    view = see(table.state, 0)
    legal, soldier = rules.legal(view), table.number("soldier")
    action = next(one for one in legal if one.target == soldier and len(one.payment) == 2)
    told = [PAGE.hinted(view, legal, action, step, tr("en")) for step in range(1, PAGE.hint_steps + 1)]
    within = len({one.target for one in legal})
    assert told[0] == f"There is a move: {within} cards can be won."
    assert "Soldier" in told[1]
    assert "Battle" not in told[1]
    assert "Soldier" in told[2]
    assert told[2] == "I would win: Soldier with Battle 4 and Castle 7."
    table = dealt("sea end bard mill origin | desert battle excuse castle ace-moons", rest=True)
    view = see(table.state, 0)
    legal = rules.legal(view)
    assert PAGE.hinted(view, legal, legal[0], 1, tr("de")) == "5 Karten können für die Ausflucht weichen."
    assert PAGE.hinted(view, legal, legal[0], 2, tr("de")).endswith("versetzen: Meer.")
