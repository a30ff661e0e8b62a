"""What the page reads, says and draws: nothing in a strict game depends on which cards would fit."""

from typing import NamedTuple

import pytest
from msgspec.structs import replace

from spieltisch import games, i18n
from spieltisch.dice import FastDice, throw
from spieltisch.game import Invalid, see
from spieltisch.games.hichaechoc import news, page, rules, wording
from spieltisch.games.hichaechoc.forms import named
from spieltisch.games.hichaechoc.options import Options
from spieltisch.games.hichaechoc.state import JOKER, Play, PlayJoker
from spieltisch.web.core import renderer
from spieltisch.web.core.http import actions

ROOM = games.package("hic-haec-hoc")
NAMES = ("Ada", "Bo", "Cy")


def tr(me=None, lang="de"):
    words = i18n.package_catalog(ROOM.folder, lang)
    return i18n.Translator(words, lang, NAMES, me)


def games_of(options, seed, steps=400):
    """The states of a game of random players."""
    dice = FastDice(seed)

    def chosen(legal):
        """Any kind of action is as likely as any other."""
        kind = dice.choice(sorted({type(one).__name__ for one in legal}))
        return dice.choice([one for one in legal if type(one).__name__ == kind])

    state = rules.setup(3, options, named("hic"))
    for _ in range(steps):
        if (due := rules.pending_chance(state)) is not None:
            state = rules.resolve_chance(state, throw(dice, due))
        elif acting := rules.to_act(state.public):
            seat = dice.choice(acting)
            state = rules.apply(state, seat, chosen(rules.legal(see(state, seat))))
        else:
            return
        yield state


ALL = [
    Options("strict"),
    Options("strict", joker=True, play_on=True, contest_price=1, cards_per_player=3),
    Options("assisted", joker=True, play_on=True, cards_per_player=3),
]


# -- what comes in -------------------------------------------------------------------------------------------


def read(**fields):
    return actions.action_of_form(ROOM, list(fields.items()))


def test_a_play_is_a_card_and_a_value_of_each_row():
    assert read(type="Play", form="4", case="acc", number="sg", gender="f") == Play(4, 19)
    assert read(type="Play", form="0", case="nom", number="sg", gender="m") == Play(0, 0)
    assert read(type="Play", form="20", case="abl", number="pl", gender="n") == Play(20, 29)


def test_the_joker_needs_no_reading():
    assert read(type="Play", form=str(JOKER), case="acc") == PlayJoker()


def test_other_actions_and_whole_ones_are_read_as_ever():
    assert read(type="Draw", form="4", case="acc") == rules.DRAW
    assert read(action='{"type":"Play","form":4,"reading":19}') == Play(4, 19)
    assert read(type="Play", form="4", reading="19") == Play(4, 19)


@pytest.mark.parametrize(
    "fields",
    [
        {}, {"form": "4"}, {"form": "4", "case": "acc", "number": "sg"}, {"case": "acc", "number": "sg", "gender": "f"},
        {"form": "x", "case": "acc", "number": "sg", "gender": "f"},
        {"form": "²", "case": "acc", "number": "sg", "gender": "f"},
        {"form": "4", "case": "voc", "number": "sg", "gender": "f"},
        {"form": "444", "case": "acc", "number": "sg", "gender": "f"},
    ],
)  # fmt: skip
def test_what_is_missing_is_said(fields):
    with pytest.raises(Invalid):
        read(type="Play", **fields)


# -- what is said --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", ALL)
def test_everything_is_told_in_both_languages(options):
    for seed in range(4):
        for state in games_of(options, seed):
            for me in (None, 0, 1, 2):
                private = () if me is None else state.own[me].news
                for one in (*state.public.news, *private):
                    german, english = tr(me), tr(me, "en")
                    told = ROOM.page.tell(one, state.public, german), ROOM.page.tell(one, state.public, english)
                    assert all(told)
                    assert told[0] != told[1]
                    assert not any("{" in sentence for sentence in told)


# -- what is drawn -------------------------------------------------------------------------------------------


def drawn(state, me, lang="de"):
    view = see(state, me)
    words = tr(me, lang)
    hand = []

    def piece(name, *given):  # what is drawn, not how
        if name == "held":
            hand.append(Held(*given))
        return name

    return ROOM.page.prepare(view, rules.legal(view), words, renderer.Pieces(piece)) | {"hand": hand}


class Held(NamedTuple):
    """What a card in the hand is drawn from."""

    place: int
    card: int
    form: str | None
    drawn: bool
    off: bool
    fits: str
    own: tuple[int, ...]
    mine: bool
    plays: bool
    assisted: bool


def test_strict_no_card_is_marked_and_no_table_lies_open():
    for state in games_of(Options("strict", contest_price=1), 3):
        for me in (0, 1, 2):
            shown = drawn(state, me)
            assert shown["forms"] is None
            assert shown["beneath"] == ""
            assert not any(card.fits or card.own for card in shown["hand"])
            off = [card for card in shown["hand"] if card.off]
            assert len(off) == (0 if state.own[me].drawn is None else len(state.own[me].hand) - 1)


MARKS = ("top", "right", "said")


def test_a_verdict_shows_the_tables_and_marks_what_was_asked():
    verdicts = 0
    for seed in range(6):
        for state in games_of(Options("strict"), seed):
            shown = drawn(state, 0)["verdict"]
            judged = next((one for one in state.public.news if isinstance(one, news.Judged)), None)
            assert (shown is None) == (judged is None)
            if judged is None:
                continue
            verdicts += 1
            cells = [cell for one in shown["forms"] for row in one["rows"] for cell in row["cells"]]
            assert sorted(cell["form"] for cell in cells) == sorted(named("hic").forms())
            told = {judged.reading, *judged.readings, *judged.beneath, *(() if judged.said is None else (judged.said,))}
            assert len([cell for cell in cells if any(cell.get(mark) for mark in MARKS)]) == len(told)
            assert sum(bool(cell.get("right")) for cell in cells) == len(judged.readings)
            assert sum(bool(cell.get("said")) for cell in cells) == 1
            assert any(cell.get("wrong") for cell in cells) == (judged.reading not in judged.readings)
    assert verdicts > 5


def test_the_forms_come_row_by_row_before_anything_is_marked():
    shown = next(one for state in games_of(Options("strict"), 0) if (one := drawn(state, 0)["verdict"]))
    assert len(shown["turns"]) == len(shown["forms"][0]["rows"])
    moments = [*shown["turns"], shown["marked"], shown["ends"]]
    assert moments == sorted({*moments})


def test_a_last_card_is_asked_about_in_the_same_words_whether_it_is_right_or_wrong():
    seen = set()
    for state in games_of(Options("strict"), 0):
        judged = next((one for one in state.public.news if isinstance(one, news.Judged)), None)
        if judged is None:
            continue
        seen.add(judged.right)
        hands = list(state.public.hands)
        for left, asks in ((0, "Stimmt die letzte Karte?"), (2, "Stimmt das?")):
            hands[judged.seat] = left + (not judged.right)  # what was wrong has gone back
            there = replace(state, public=replace(state.public, hands=tuple(hands)))
            assert drawn(there, None)["verdict"]["asks"] == asks
    assert seen == {True, False}


def test_assisted_only_what_fits_can_be_chosen():
    for state in games_of(Options("assisted"), 5):
        for me in state.public.acting:
            legal = rules.legal(see(state, me))
            fits = {one.form: set() for one in legal if isinstance(one, Play)}
            for one in legal:
                if isinstance(one, Play):
                    fits[one.form].add(one.reading)
            for card in drawn(state, me)["hand"]:
                assert {int(cell) for cell in card.fits.split()} <= fits.get(card.card, set())
                if state.own[me].drawn is None:
                    assert card.off == (card.card not in fits)


def test_the_rows_start_at_what_lies_on_top():
    for state in games_of(Options("assisted"), 5, 30):
        said = state.public.middle.said
        rows = page.declaration(tr(), said)["rows"]
        tops = [[one["value"] for one in row["values"] if one["top"]] for row in rows]
        assert tops == ([[], [], []] if said is None else [[part] for part in rules.CELLS[said]])


def test_those_who_watch_see_no_hand():
    for state in games_of(Options("strict"), 2, 20):
        assert drawn(state, None)["held"] == 0
        assert drawn(state, None)["hand"] == []


# -- why -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "de", "en"),
    [
        ("huius", "huius ist immer Genitiv Singular.", "huius is always genitive singular."),
        ("hunc", "hunc ist nur Akkusativ Singular maskulin.", "hunc is only accusative singular masculine."),
        ("hōc", "hōc ist nur Ablativ Singular maskulin/Neutrum.", "hōc is only ablative singular masculine/neuter."),
        ("hīs", "hīs ist Dativ/Ablativ Plural.", "hīs is dative/ablative plural."),
        (
            "haec",
            "haec ist Nominativ Singular feminin oder Nominativ/Akkusativ Plural Neutrum.",
            "haec is nominative singular feminine or nominative/accusative plural neuter.",
        ),
    ],
)
def test_what_a_form_is_stands_in_one_sentence(form, de, en):
    cells = [cell for cell, one in enumerate(named("hic").forms()) if one == form]
    for lang, said in (("de", de), ("en", en)):
        reader = tr(lang=lang)
        what = wording.is_what(cells, reader)
        assert reader._(wording.says_what(cells)).format(form=form, what=what) == said
