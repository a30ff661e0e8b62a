"""The library as a reader of its page meets it: set up, play, look, write down, read again."""

import ast
import copy
import json
import pickle
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import spieltisch
from matrix import sampled
from spieltisch import record as records
from spieltisch.decks.base_kind import kind_of
from spieltisch.decks.check import open_deck
from spieltisch.decks.control import control
from spieltisch.decks.library import Library, shipped
from spieltisch.dice import alias_order, numbered
from spieltisch.game import Invalid, see

GAMES = ("adaman", "anno-domini", "hic-haec-hoc", "trailblaze")
FEW = {"anno-domini": {"max_rounds": 3}}  # options that make games short


def begun(game, seed=1, **more):
    options: dict[str, Any] = {**FEW.get(game, {}), **more}
    return spieltisch.new(game, seed=seed, **options)


def played(match, most=10_000, choose=None):
    while not match.over and most:
        match.play(match.bot() if choose is None else choose(match.legal))
        most -= 1
    return match


def state_of(match):
    """All that counts of a state, by the ids of the cards."""
    return match.package.record.write_state(match.deck, match.state)


def test_these_games_there_are():
    assert tuple(spieltisch.games()) == GAMES
    assert repr(spieltisch.games()["trailblaze"]) == "<trailblaze, 2 to 6 seats>"
    assert spieltisch.games.package("adaman").name == "adaman"  # the package is still one


def test_to_import_it_imports_nothing_else():
    code = "import sys, spieltisch; print([m for m in sys.modules if m.startswith('spieltisch.') or m == 'msgspec'])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_its_names_are_there():
    assert {*spieltisch.__all__} <= {*dir(spieltisch)}
    assert all(getattr(spieltisch, name) for name in spieltisch.__all__)
    with pytest.raises(AttributeError, match="no attribute 'old'"):
        spieltisch.old  # noqa: B018


@pytest.mark.parametrize("game", GAMES)
def test_bots_play_to_the_end(game):
    match = played(begun(game))
    assert match.over
    assert match.result == match.package.rules.result(match.state.public)
    assert match.result is not None
    assert match.to_act == ()
    assert match.legal == []
    with pytest.raises(spieltisch.Illegal, match="over"):
        match.bot()
    with pytest.raises(spieltisch.Illegal, match="over"):
        match.play(match.history[-1][1])


@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_gives_the_same_match(game):
    first, again, other = (played(begun(game, seed), 12) for seed in (5, 5, 6))
    assert first.history == again.history
    assert first.state == again.state
    assert first.history != other.history


def test_without_a_seed_each_match_is_another_and_tells_its_seed():
    one, other = spieltisch.new("trailblaze"), spieltisch.new("trailblaze")
    assert one.seed != other.seed
    assert spieltisch.new("trailblaze", seed=one.seed).history == one.history


@pytest.mark.parametrize("game", GAMES)
def test_cards_are_dealt_as_tables_deal_them(game):
    match, deck = begun(game, 3), begun(game, 3)._cards
    order = alias_order(numbered(game, 3), len(deck.cards))
    assert match.deck.cards == tuple(deck.cards[row] for row in order) != deck.cards
    assert records.verify(match.record())


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("actions", [0, 7, 10_000])
def test_a_record_replays_and_the_match_goes_on_as_it_would_have(game, actions, tmp_path):
    match = played(begun(game), actions)
    file = tmp_path / "game.json"
    file.write_text(records.text(match.record()), encoding="utf-8")
    replayed = records.outcome(records.replay(records.parse(file.read_bytes())))
    assert (replayed["over"], replayed["state"]) == (match.over, state_of(match))
    for loaded in (spieltisch.load(file), spieltisch.load(str(file)), spieltisch.load(match.record())):
        assert loaded.history == match.history
        assert loaded.state == match.state
    ahead = played(match.fork(), 9)
    played(loaded, 9)
    assert loaded.history == ahead.history
    assert loaded.record() == ahead.record()


@pytest.mark.parametrize(
    ("game", "chosen"),
    [
        ("anno-domini", {"deck": "recent"}),
        ("anno-domini", {"deck": ["recent", "events"]}),
        ("anno-domini", {"series": ["schule"]}),
        ("hic-haec-hoc", {"deck": "ille"}),
    ],
)
def test_a_loaded_match_has_the_words_of_its_deck(game, chosen):
    match = played(begun(game, **chosen), 4)
    loaded = spieltisch.load(match.record())
    assert loaded.state == match.state
    assert loaded.record() == match.record()
    for again in (loaded, pickle.loads(pickle.dumps(loaded)), copy.copy(loaded), loaded.fork()):
        assert again.text(again.bot(), "de") == match.text(match.bot(), "de")


def test_a_record_of_other_dates_gets_no_shipped_words():
    record = played(begun("anno-domini"), 4).record()
    cards: Any = record["cards"]
    cards[0]["date"] = "1234"
    del record["tags"]
    assert not {card.front for card in spieltisch.load(record).deck.cards} & {card.front for card in EVENTS.cards}


def test_a_deck_of_ones_own_keeps_its_words_in_a_pickle_only(tmp_path):
    own = tmp_path / "own.csv"
    own.write_text(control(open_deck(shipped()["recent"]), "renamed", 1).text(), encoding="utf-8")
    match = begun("anno-domini", deck=own)
    assert "Event number" in match.text(match.bot())
    assert pickle.loads(pickle.dumps(match)).text(match.bot()) == match.text(match.bot())
    assert "Event number" not in spieltisch.load(match.record()).text(match.bot())


def test_the_command_replays_an_unfinished_record(tmp_path):
    file = tmp_path / "game.json"
    file.write_text(json.dumps(played(begun("hic-haec-hoc"), 5).record()), encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "-m", "spieltisch", "replay", "--json", file], capture_output=True, text=True, check=True
    )
    assert json.loads(run.stdout)["over"] is False


def test_a_record_that_was_changed_is_refused():
    record = played(begun("adaman"), 4).record()
    record["log"][0]["outcome"].reverse()
    with pytest.raises(spieltisch.InvalidRecord, match="entry 1: the sealed dice threw something else"):
        spieltisch.load(record)
    del record["tags"]
    with pytest.raises(spieltisch.InvalidRecord, match="entry") as refused:
        spieltisch.load(record)  # without its seed it could have been dealt so, but the moves no longer fit
    assert refused.value.entry is not None
    with pytest.raises(FileNotFoundError):
        spieltisch.load("nowhere.json")


def test_a_file_that_is_no_record_is_named(tmp_path):
    for content, reason in (("{}", "the key game is missing"), ("[", "is not JSON: line 1")):
        (tmp_path / "b.json").write_text(content, encoding="utf-8")
        with pytest.raises(spieltisch.InvalidRecord, match=f"b.json: {reason}") as refused:
            spieltisch.load(tmp_path / "b.json")
        assert refused.value.file == str(tmp_path / "b.json")


def test_a_record_without_a_seed_is_played_on_with_a_new_one():
    record = played(begun("hic-haec-hoc"), 6).record()
    del record["tags"]
    loaded = spieltisch.load(record)
    played(loaded)
    assert loaded.over
    again = loaded.record()
    assert "tags" not in again
    assert records.replay(again).state.public.end


EVENTS = Library().deck("events", kind_of("events"))
FIRSTS = Library().deck("firsts", kind_of("firsts"))

UNTYPED: Any = spieltisch  # for what type checkers refuse

REFUSED = [
    (lambda: spieltisch.new("chess"), "there is no game chess, only adaman, anno-domini, hic-haec-hoc, trailblaze"),
    (lambda: begun("adaman", seats=2), "adaman has 1 seat, not 2"),
    (lambda: begun("hic-haec-hoc", seats=6), "hic-haec-hoc has 2 to 5 seats, not 6"),
    (lambda: begun("hic-haec-hoc", seats="two"), "hic-haec-hoc has 2 to 5 seats, not 'two'"),
    (lambda: begun("hic-haec-hoc", seats=True), "hic-haec-hoc has 2 to 5 seats, not True"),
    (lambda: begun("hic-haec-hoc", seats=2.0), "hic-haec-hoc has 2 to 5 seats, not 2.0"),
    (lambda: begun("hic-haec-hoc", seats=np.int64(9)), "hic-haec-hoc has 2 to 5 seats, not 9"),
    (lambda: begun("hic-haec-hoc", seats=(1, 2)), "each seat has a text for a name, not (1, 2)"),
    (lambda: begun("adaman", "abc"), "a seed is a whole number or 16 bytes, not 'abc'"),
    (lambda: begun("adaman", 1.5), "a seed is a whole number or 16 bytes, not 1.5"),
    (lambda: begun("adaman", b"abc"), "a seed has 16 bytes, not 3"),
    (lambda: begun("adaman").fork(seed="abc"), "a seed is a whole number or 16 bytes, not 'abc'"),
    (lambda: begun("anno-domini", cards_per_player=9.0), "the option cards_per_player can be 1 to 15"),
    (lambda: begun("anno-domini", cards_per_player=object()), "an option is a number, a text, or a list or dict"),
    (lambda: begun("trailblaze").view(1.0), "there is no seat 1.0, only 0 to 1"),
    (lambda: begun("trailblaze", colour=1), "there is no option colour, only middle_card, patterns"),
    (lambda: begun("hic-haec-hoc", mod="strict"), "cards_per_player, paradigm"),
    (lambda: begun("anno-domini", cards_per_player=99), "the option cards_per_player can be 1 to 15"),
    (lambda: begun("anno-domini", cards_per_player="9"), "the option cards_per_player can be 1 to 15"),
    (lambda: begun("hic-haec-hoc", mode="lax"), "the option mode can be assisted or strict"),
    (lambda: begun("hic-haec-hoc", joker=1), "the option joker can be True or False"),
    (lambda: begun("hic-haec-hoc", paradigm="puella"), "there is no paradigm puella, only aliqui, hic"),
    (lambda: begun("hic-haec-hoc", paradigm=7), "there is no paradigm 7, only aliqui, hic"),
    (lambda: begun("trailblaze", patterns=5), "the option patterns can be 1 or 2 or 3 or 4 or 6 or 12"),
    (lambda: begun("anno-domini", fewer_cards={9: 1}), "there is no seat 9, only 0 to 1"),
    (lambda: begun("anno-domini", seats=10, deck={"cards": []}), "need a deck of at least 92 cards"),
    (lambda: begun("adaman", extra=["joker"]), "joker is not one of the cards that can be added: borderland"),
    (lambda: begun("adaman", deck="tarot"), "the option extra adds cards"),
    (lambda: begun("trailblaze", deck="events"), "there is no deck events, only firsts"),
    (lambda: begun("anno-domini", deck=["events", "mine"]), "there is no deck mine, only events"),
    (lambda: begun("anno-domini", deck=FIRSTS), "anno-domini is played with Events, not with Firsts"),
    (lambda: begun("trailblaze", deck=str(shipped()["events"])), "is a deck for Anno Domini, not for Trailblaze"),
    (lambda: begun("adaman").bot("expert"), "adaman has no bot expert, only thumb, hint, coach, random"),
    (lambda: begun("trailblaze").bot("expert"), "trailblaze has no bot expert, only novice"),
    (lambda: begun("trailblaze").view(2), "there is no seat 2, only 0 to 1"),
    (lambda: begun("trailblaze").view(-1), "there is no seat -1, only 0 to 1"),
    (lambda: begun("trailblaze").legal(seat=7), "there is no seat 7, only 0 to 1"),
    (lambda: begun("trailblaze").show(7), "there is no seat 7, only 0 to 1"),
    (lambda: begun("trailblaze").text(begun("trailblaze").bot(), lang="la"), "there is no language la, only de, en"),
    (lambda: spieltisch.new(["chess"]), "there is no game ['chess'], only adaman"),
    (lambda: UNTYPED.load([]), "a record is a path or an object, not []"),
    (lambda: UNTYPED.load(None), "a record is a path or an object, not None"),
    (lambda: begun("trailblaze").parse(None), "an action is written as a text, not as None"),
    (lambda: begun("trailblaze").parse([0] * 99), "an action is written as a text, not as " + repr([0] * 99)[:100]),
    (lambda: begun("trailblaze").parse("take"), "“take” is not possible here, only: keep, swap"),
]  # fmt: skip


@pytest.mark.parametrize(("what", "says"), REFUSED, ids=[says for _, says in REFUSED])
def test_what_cannot_be_is_refused_with_what_could(what, says):
    with pytest.raises(spieltisch.Invalid) as refused:
        what()
    assert says in str(refused.value)


def test_numbers_may_be_those_of_numpy():
    match = begun("hic-haec-hoc", np.int64(5), seats=np.int32(3), cards_per_player=np.int64(4), joker=np.bool_(True))
    same = begun("hic-haec-hoc", 5, seats=3, cards_per_player=4, joker=True)
    assert (match.history, match.options, repr(match)) == (same.history, same.options, repr(same))
    assert match.view(np.int64(1)) == same.view(1)
    assert match.bot(seat=np.int64(0)) == same.bot(seat=0)
    assert match.fork(seed=np.uint8(7)).seed == 7


def test_a_text_is_no_action_and_it_is_said_what_makes_one():
    match = begun("hic-haec-hoc")
    for ask in (match.play, match.text):
        with pytest.raises(spieltisch.Illegal, match="'draw' is a text, and `parse` makes an action of it"):
            ask("draw")
    with pytest.raises(spieltisch.Illegal, match="None is not an action of hic-haec-hoc"):
        match.text(None)


@pytest.mark.parametrize("game", GAMES)
def test_what_is_illegal_changes_nothing(game):
    match = begun(game)
    state, history = match.state, match.history
    foreign = [action for other in GAMES if other != game for action in begun(other).legal[:3]]
    for action in (None, 3, *foreign):
        with pytest.raises(spieltisch.Illegal, match=f"is not an action of {game}"):
            match.play(action)
    out_of_turn = next((seat for seat in range(match.seats) if seat not in match.to_act), None)
    if out_of_turn is not None:
        assert not match.legal(out_of_turn)
        for what in (
            match.bot,
            lambda **seat: match.play(match.legal[0], **seat),
            lambda **seat: match.parse("x", **seat),
        ):
            with pytest.raises(
                spieltisch.Illegal, match=f"it is the turn of seat {match.to_act[0]}, not of seat {out_of_turn}"
            ):
                what(seat=out_of_turn)
    assert (match.state, match.history) == (state, history)


def test_where_several_may_act_each_is_asked_by_its_seat():
    match = begun("hic-haec-hoc", seats=["Ada", "Ben", "Cleo"])
    match.play(next(action for action in match.legal if str(action).startswith("play")))
    assert match.to_act == (1, 2)
    for seat in match.to_act:
        assert list(match.legal(seat=seat)) == match.legal
        assert match.bot(seat=seat) in match.legal
        assert match.parse("accept", seat=seat) == match.parse("accept")
    match.play(match.parse("accept", seat=2), seat=2)
    assert match.to_act == (1,)
    match.play(match.parse("accept"))
    assert [who for who, _ in match.history if isinstance(who, int)] == [0, 2, 1]
    assert match.record()["seats"] == ["Ada", "Ben", "Cleo"]


@pytest.mark.parametrize("game", GAMES)
def test_a_fork_goes_its_own_way(game):
    match = played(begun(game), 3)
    state, history = match.state, match.history
    fork = played(match.fork(), 5)
    assert fork.history[: len(history)] == history != fork.history
    assert (match.state, match.history) == (state, history)
    assert played(match.fork(), 5).history == fork.history
    assert records.verify(fork.record())


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda match: pickle.loads(pickle.dumps(match))])
def test_a_copy_is_a_fork(game, copied):
    for match in (played(begun(game), 3), played(begun(game), 3).fork(seed=9)):
        state, history = match.state, match.history
        other = copied(match)
        assert (other.state, other.history, other.record()) == (state, history, match.record())
        assert (other.seed, other.names, other.deck) == (match.seed, match.names, match.deck)
        last = lambda legal: legal[-1]  # noqa: E731
        assert played(other, 6, last).history == played(match.fork(), 6, last).history != history
        assert (match.state, match.history) == (state, history)


def test_a_pickled_match_keeps_the_texts_of_its_deck(tmp_path):
    (tmp_path / "own.csv").write_text(
        "date;event\n" + "".join(f"{1900 + n};Something happens in street {n}.\n" for n in range(40))
    )
    match = played(spieltisch.new("anno-domini", deck=tmp_path / "own.csv", seats=("Ada", ""), seed=bytes(16)), 3)
    other = pickle.loads(pickle.dumps(match))
    assert [other.text(action) for action in other.legal] == [match.text(action) for action in match.legal]
    assert other.names == ("Ada", "")


def test_a_fork_with_a_seed_meets_other_chance():
    match = begun("hic-haec-hoc")
    for word in ("play", "accept") * 6:  # nobody contests, so cards pile up in the middle
        match.play(next(action for action in match.legal if str(action).startswith(word)))
    shuffles = set()
    for seed in range(6):
        fork = match.fork(seed=seed)
        while isinstance(fork.history[-1][0], int):  # until the pile is used up
            fork.play(next(action for action in fork.legal if str(action) in {"draw", "pass"}))
        shuffles.add(fork.history[-1][1])
        assert "tags" not in fork.record()
        records.replay(fork.record())
    assert len(shuffles) > 1


@pytest.mark.parametrize("game", GAMES)
def test_views_are_those_of_the_contract(game):
    match = played(begun(game), 4)
    for seat in (None, *range(match.seats)):
        assert match.view(seat) == see(match.state, seat)
    assert match.view().own is None


@pytest.mark.parametrize("game", GAMES)
def test_bots_choose_by_the_view_alone_and_the_same_again(game):
    match = played(begun(game, 2), 2)
    for level in ("", "random", *match.package.bot.levels):
        if level not in match.package.bot.slow_levels:  # compiled, and tested with the bots
            assert match.bot(level) == match.bot(level) == match.fork().bot(level)
            assert match.bot(level) in match.legal


# -- decks -----------------------------------------------------------------------------------------------------


def test_a_deck_by_name_path_content_or_value(tmp_path):
    forms = Library().path("ille") if "ille" in shipped() else shipped()["ille"]
    by_name = begun("hic-haec-hoc", deck="ille")
    for deck in (str(forms), forms, {"forms": list(by_name._cards.forms())}, by_name._cards):
        assert begun("hic-haec-hoc", deck=deck)._cards.forms() == by_name._cards.forms()
    assert begun("hic-haec-hoc", paradigm="ille").history == by_name.history
    mine = tmp_path / "mine.csv"
    mine.write_bytes(shipped()["firsts"].read_bytes())
    assert begun("trailblaze", deck=mine)._cards.cards == begun("trailblaze")._cards.cards
    assert begun("anno-domini", deck=["events"]).history == begun("anno-domini").history
    few = {"cards": [{"id": f"c{n}", "date": str(1000 + n)} for n in range(12)]}
    assert len(begun("anno-domini", deck=few, cards_per_player=2).deck.cards) == 12


def test_series_are_chosen_from_a_deck_in_a_file(tmp_path):
    file = tmp_path / "mine.csv"
    rows = "".join(f"{'ab'[n % 2]},{1000 + n},Ereignis {n},Event {n}\n" for n in range(80))
    file.write_text(f"#series,a,Alte,Old\n#series,b,Neue,New\nseries,date,de,en\n{rows}")
    assert len(begun("anno-domini", deck=file).deck.cards) == 80
    assert {card.span.start % 2 for card in begun("anno-domini", deck=file, series=["a"]).deck.cards} == {0}
    with pytest.raises(Invalid, match="there is no series c in mine"):
        begun("anno-domini", deck=file, series=["c"])


# -- words -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", sampled(range(6), range(2)))
def test_every_legal_action_has_a_line_that_is_read_again_and_a_sentence(game, seed):
    dice = random.Random(seed)
    match = begun(game, seed, **({"mode": "assisted", "joker": True} if game == "hic-haec-hoc" and seed % 2 else {}))
    for _ in range(40):
        if match.over:
            break
        view, lines = match.view(match.to_act[0]), set()
        for action in dice.sample(match.legal, min(12, len(match.legal))):
            line = match.package.record.notation(match.deck, view, action)
            lines.add(line)
            assert match.parse(line) == match.parse(f"  {line.upper()} ".replace(" ", "  ")) == action
            assert match.parse(str(action)) == action
            assert len(str(action)) < 60
            texts = [match.text(action), match.text(action, lang="de")]
            assert all(one and "{" not in one and "#" not in one for one in texts)
            assert texts[0] != texts[1]
        assert len(lines) == min(12, len(match.legal))
        match.play(dice.choice(match.legal))


LINES = {
    "adaman": "control ",
    "anno-domini": "place e",
    "trailblaze": "keep",
    "hic-haec-hoc": "play h",
}


@pytest.mark.parametrize("game", GAMES)
def test_a_line_that_means_nothing_is_refused_with_what_could_stand_there(game):
    match = begun(game)
    line = match.package.record.notation(match.deck, match.view(match.to_act[0]), match.legal[0])
    assert line.startswith(LINES[game])
    first = line.split()[0]
    with pytest.raises(spieltisch.Invalid, match=f"“dance” is not possible here, only: .*{first}"):
        match.parse("dance")
    with pytest.raises(spieltisch.Invalid, match=f"nothing comes after “{line}”|after “{line}” comes nothing"):
        match.parse(f"{line} now")
    for junk in ("", " ", "#", "#99999999999", "# 1", f"{first} #99999", "\n", "ä" * 5000):
        with pytest.raises(spieltisch.Invalid, match="is not possible here"):
            match.parse(junk)


def test_a_payment_may_be_named_in_any_order():
    matches = (begun("adaman", seed) for seed in range(50))
    match = next(one for one in matches if any(len(action.payment) > 2 for action in one.legal))
    action = max(match.legal, key=lambda one: len(one.payment))
    names = [match.deck.cards[card].id for card in action.payment]
    target = match.deck.cards[action.target].id
    assert match.parse(f"control {target} with {' '.join(reversed(names))}") == action


def test_sentences_as_people_say_them():
    match = begun("anno-domini", 1)
    (first,) = [action for action in match.legal if str(action).endswith("at 0")][:1]
    front = next(card for card in match.state.hidden.cards[first.card :]).front
    assert match.text(first, lang="de").startswith(f"Ich lege „{front['de'].removesuffix('.')}“ vor „")
    assert match.text(first).startswith(f"I place “{front['en'].removesuffix('.')}” before “")
    match = begun("hic-haec-hoc", 1)
    action = match.parse("play huius as gen.sg.m")
    assert match.parse("PLAY HUIUS AS GEN.SG.M") == action
    assert match.text(action, lang="de") == "Ich lege huius: Genitiv Singular maskulin."
    assert match.text(action) == "I play huius: genitive singular masculine."


def test_a_match_and_an_action_are_short():
    match = begun("hic-haec-hoc", 1, seats=3)
    assert repr(match) == "<Match hic-haec-hoc, 3 seats, seed 1: 0 actions, seat 0 to act>"
    match.play(match.parse(next(str(one) for one in match.legal if str(one).startswith("play"))))
    assert repr(match) == "<Match hic-haec-hoc, 3 seats, seed 1: 1 action, seat 1 or 2 to act>"
    assert repr(played(match)).startswith("<Match hic-haec-hoc, 3 seats, seed 1: ")
    assert ", over (out-of-cards), first: seat " in repr(match)
    assert "over (" in repr(played(begun("adaman")))
    assert str(begun("trailblaze").legal[1]) == "swap"


def test_the_loop_over_chance_exists_once():
    """Elsewhere outcomes are told, one at a time: by records, lessons, and the laws, which look at every state."""
    loops = []
    for file in sorted(Path(spieltisch.__file__).parent.rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        if "pending_chance" not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.While) or (isinstance(node, ast.For) and "LONGEST" in ast.unparse(node.iter)):
                called = {one.attr for one in ast.walk(node) if isinstance(one, ast.Attribute)}
                if {"pending_chance", "resolve_chance"} <= called:
                    loops.append(file.name)
    assert loops == ["dice.py", "testing.py"]  # in testing two worlds go on side by side and are compared at each step


# -- the laws ----------------------------------------------------------------------------------------------------


def test_a_game_is_checked_by_its_module_alone():
    spieltisch.check_game(spieltisch.games()["adaman"].rules, examples=2)
