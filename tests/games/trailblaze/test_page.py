"""What the page says and draws: everything in both languages, and never a year before its reveal."""

import re
from types import SimpleNamespace
from typing import Any

import pytest

from games.trailblaze.test_rules import KEEP2, play, table, with_board
from spieltisch import assets, games, i18n
from spieltisch.decks.base_kind import kind_of
from spieltisch.decks.library import Library
from spieltisch.decks.vocabulary import FIELDS
from spieltisch.dice import FastDice, throw
from spieltisch.game import see
from spieltisch.games.trailblaze import rules
from spieltisch.games.trailblaze.board import Stone
from spieltisch.games.trailblaze.news import ending
from spieltisch.games.trailblaze.state import Bonus, Keep, LeaveBonus, Place, Swap

codec = games.package("trailblaze").record

ROOM = games.package("trailblaze")
PAGE = ROOM.page
NAMES = ("Ada", "Bo", "Cy", "Di", "Eve", "Fay")


def tr(me=None, lang="de"):
    words = i18n.package_catalog(ROOM.folder, lang)
    return i18n.Translator(words, lang, NAMES, me)


def test_all_news_are_told_and_all_pages_prepared():
    _, deck = codec.load(codec.default, 4)
    for seed in range(3):
        dice = FastDice(seed)
        state = rules.setup(2 + seed, rules.Options(patterns=(4, 12, 1)[seed]), deck)
        while True:
            for me in (None, 0, 1):
                for lang in ("de", "en"):
                    told = [PAGE.tell(news, state.public, tr(me, lang)) for news in state.public.news]
                    assert not any("{" in sentence for sentence in told)
                    view = see(state, me)
                    assert PAGE.prepare(view, rules.legal(view), tr(me, lang), None)["columns"]
            due, acting = rules.pending_chance(state), rules.to_act(state.public)
            if due is not None:
                state = rules.resolve_chance(state, throw(dice, due))
            elif acting:
                state = rules.apply(state, acting[0], dice.choice(rules.legal(see(state, acting[0]))))
            else:
                break


def prepared(state, me=0, lang="de"):
    view = see(state, me)
    return PAGE.prepare(view, rules.legal(view), tr(me, lang), None)


def test_you_and_the_others_are_told_in_their_own_words():
    state = play(table([0] * 9), Swap())
    (news,) = state.public.news
    assert PAGE.tell(news, None, tr(0)) == "Du tauschst mit der Mitte und bekommst den Bonusstein."
    assert PAGE.tell(news, None, tr(1)) == "Ada tauscht mit der Mitte und bekommt den Bonusstein."
    assert PAGE.tell(news, None, tr(None, "en")) == "Ada swaps with the middle and gets the bonus stone."


def test_the_verdict_says_how_far_off_one_was():
    state = play(table([3, 1, 2] + [0] * 9), *KEEP2, Place(1, 1, 2), Place(1, 1, 1))
    near = prepared(state, 0)["verdict"]
    assert (near["hit"], near["title"]) == (False, "Knapp daneben.")
    assert near["text"] == "1930 liegt eine Spalte weiter rechts. Dein Stein ist umgedreht. Bo beginnt Runde 2."
    right = prepared(state, 1)["verdict"]
    assert (right["hit"], right["title"]) == (True, "Richtig.")
    assert right["text"] == "1 Punkt für Reihe 1. Noch 1 Punkt für dein Muster. Du beginnst Runde 2."
    assert prepared(state, None)["verdict"] is None


def test_the_reveal_stands_until_one_has_answered():
    state = play(table([3, 1, 2] + [0] * 9), *KEEP2, Place(1, 1, 2), Place(1, 1, 1))
    assert prepared(state, 0)["reveal"]
    state = play(state, Keep())  # seat 1 begins round 2
    assert not prepared(state, 1)["reveal"]
    assert prepared(state, 0)["reveal"]
    assert prepared(state, None)["reveal"]
    state = play(state, Keep(), LeaveBonus())
    assert not prepared(state, None)["reveal"]


def test_no_year_is_drawn_before_its_reveal():
    state = play(table(range(7)), Swap())
    for me in (None, 0, 1):
        drawn = repr(prepared(state, me)["cards"]) + repr(prepared(state, me)["middle"])
        assert "c0-0" in drawn or "c2-2" in drawn  # fronts
        assert "Kommentar" not in repr(prepared(state, me))


def test_fields_are_offered_where_a_stone_may_go():
    state = play(table([0] * 9), Swap(), Keep(), Place(1, 1, 2))
    rows = prepared(state)["rows"]
    picks = {(r["row"], c["column"]) for r in rows for c in r["cells"] if c["pick"]}
    assert picks == {(1, column) for column in range(7) if column != 2}
    assert rows[0]["cells"][3]["bonus"] == Bonus(1, 3)
    state = with_board(play(table([0] * 9), *KEEP2), Stone(1, 3, 1, 1))
    drawn = prepared(state)
    assert drawn["beyond"]
    assert drawn["rows"][1]["cells"][3]["beyond"]


def test_the_score_can_be_read_aloud():
    rows = ((1, 3, 2), (2, 1, 1), (3, 4, 1), (4, 2, 1), (5, 5, 4), (6, 0, 2), (6, 3, 3))
    over = with_board(table([0] * 4), *(Stone(r, c, 0, k) for r, c, k in rows), phase="over", turn=None)
    score = prepared(over)["score"]
    assert [term["n"] for term in score["terms"]] == [27, 9, 5]
    assert score["terms"][1]["words"] == "Streifen noch einmal: 4 + 3 + 2"
    assert score["aloud"] == "27 + 9 + 5 gleich 41 Punkte"


def test_what_each_seat_s_points_are_made_of_is_told_while_the_game_runs():
    now = with_board(play(table([0] * 9), *KEEP2), Stone(1, 3, 0, 1), Stone(2, 1, 0, 1), Stone(1, 2, 1, 2))
    found = prepared(now, 1)["sums"]
    assert [(one["seat"], one["total"]) for one in found] == [
        (seat, prepared(now, 1)["points"][seat]) for seat in (1, 0)
    ]
    assert found[1]["terms"][0] == {"n": 3, "words": "2 richtige Steine", "step": 0}
    assert sum(term["n"] for term in found[1]["terms"]) == found[1]["total"]


def test_every_field_has_a_motif_of_its_own():
    drawn = {field: assets.glyph(f"field-{field}", "black") for field in (*FIELDS, "none of them")}
    assert len({*drawn.values()}) == len(drawn) >= 24
    assert {card.field for card in Library().deck("firsts", kind_of("firsts")).cards} <= FIELDS.keys()
    assert not any(re.search("<text|href|<image", svg) for svg in drawn.values())


def test_the_screen_tells_the_whole_gain_of_a_reveal():
    """Rows, patterns and what all rows or columns bring: the sum beside a name grows by what stands there."""
    _, deck = codec.load(codec.default, 3)
    gained = set()
    for seed in range(3):
        dice, before = FastDice(seed), (0, 0, 0)
        state = rules.setup(3, rules.Options(), deck)
        revealed = ()
        while rules.result(state.public) is None:
            due = rules.pending_chance(state)
            if due is not None:
                state = rules.resolve_chance(state, throw(dice, due))
            else:
                seat = next(seat for seat in range(3) if rules.legal(see(state, seat)))
                state = rules.apply(state, seat, dice.choice(rules.legal(see(state, seat))))
            now = tuple(parts.total for parts in rules.scores(state.public))
            if state.public.revealed and state.public.revealed != revealed:
                gains = PAGE.screen(see(state, None), {}, tr())["gains"]
                assert [a - b for a, b in zip(now, before, strict=True)] == gains
                gained |= {*gains}
            revealed, before = state.public.revealed, now
    assert len(gained) > 3


@pytest.mark.parametrize(
    ("me", "done", "who"),
    [
        (None, (1,), "Bo has"), (None, (0, 1), "Ada and Bo have"), (None, (0, 1, 2), "Ada, Bo and Cy have"),
        (1, (1,), "You have"), (1, (0, 1), "You and Ada have"), (1, (0, 1, 2), "You, Ada and Cy have"),
        (1, (0, 1, 2, 3), "You, Ada, Cy and Di have"), (1, (0, 2), "Ada and Cy have"),
    ],
)  # fmt: skip
def test_the_end_names_everybody_who_caused_it(me, done, who):
    public: Any = SimpleNamespace(cards=range(4), stones=[(0,) if seat in done else (1,) for seat in range(4)])
    assert ending("no-stones", public, tr(me, "en")) == f"{who} no stones left: the game is over."
