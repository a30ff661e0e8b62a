"""Records of all games: strict JSON, structure, replaying, writing, verifying. The toy game stands for any."""

import json
import subprocess
import sys

import pytest

from spieltisch import record
from spieltisch.dice import CommittedDice, FastDice, alias_order, seal
from spieltisch.game import aliased, see

LOG = [
    {"chance": "shuffle", "outcome": [7, 0, 6, 5, 4, 3, 2, 1]},
    {"seat": 0, "action": {"type": "Keep"}},
    {"seat": 1, "action": {"type": "Change"}},
]


def toy(**changes):
    raw = {"format": record.FORMAT, "game": "highest", "options": {}, "seats": ["Ada", "Bo"], "log": LOG}
    return {key: value for key, value in (raw | changes).items() if value is not ...}


def refusal(raw):
    with pytest.raises(record.InvalidRecord) as caught:
        record.replay(record.parse(json.dumps(raw).encode()))
    return str(caught.value)


def test_a_finished_game(toys):
    played = record.outcome(record.replay(toy()))
    assert played["over"]
    assert played["ranking"] == [[0], [1]]
    assert played["scores"] == {"0": 7, "1": 6}
    assert played["end"] == "shown"
    assert list(played) == ["game", "over", "ranking", "scores", "end", "state"]


def test_a_running_game_has_no_end(toys):
    played = record.outcome(record.replay(toy(log=LOG[:2])))
    assert (played["over"], played["ranking"], played["scores"], played["end"]) == (False, None, None, None)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"format": "spieltisch-record/2"}, "format is not spieltisch-record/1"),
        ({"format": ...}, "the key format is missing"),
        ({"game": "chess"}, "there is no game chess"),
        ({"game": 3}, "Expected `str`, got `int`"),
        ({"options": ...}, "the key options is missing"),
        ({"options": []}, "options: Expected"),
        ({"options": {"speed": 2}}, "there is no option speed"),
        ({"options": {"change": 1}}, "Expected `bool`, got `int`"),
        ({"seats": ["Ada"]}, "highest has 2 to 4 seats, not 1"),
        ({"seats": ["Ada", ""]}, "the name of seat 1 is empty"),
        ({"seats": ["Ada", None]}, "seats: Expected `str`"),
        ({"notes": "x"}, "unknown key notes"),
        ({"tags": {"date": 3}}, "tags: Expected `str`"),
        ({"log": {}}, "log: Expected `array`"),
        ({"log": [3]}, "entry 1: an entry is an object"),
        ({"log": LOG[1:]}, "entry 1: a chance outcome is due"),
        ({"log": [LOG[0], LOG[0]]}, "entry 2: no chance outcome is due here"),
        (
            {"log": [{"chance": "shuffle", "outcome": [0, 1]}]},
            "entry 1: the outcome is not a permutation of the 8",
        ),
        ({"log": [LOG[0], LOG[2]]}, "entry 2: it is the turn of seat 0, not of seat 1"),
        ({"log": [*LOG, LOG[1]]}, "entry 4: the game is over"),
        (
            {"log": [LOG[0], {"seat": 2, "action": {"type": "Keep"}}]},
            "entry 2: there is no seat 2, only 0 to 1",
        ),
        (
            {"log": [LOG[0], {"seat": True, "action": {"type": "Keep"}}]},
            "entry 2: seat: Expected `int`, got `bool`",
        ),
        ({"log": [LOG[0], {"seat": 0}]}, "entry 2: the key action is missing"),
        (
            {"log": [LOG[0], {"seat": 0, "action": {"type": "Keep"}, "at": 3}]},
            "entry 2: unknown key at",
        ),
        ({"log": [LOG[0], {"seat": 0, "action": {"type": "Cheat"}}]}, "entry 2: Invalid value 'Cheat'"),
        ({"rows": [0, 1]}, "the outcome is not a permutation of the 8"),
        ({"options": {"change": False}}, "entry 3: Cards are not changed in this game."),
    ],
)
def test_refusals_name_the_entry_and_the_reason(toys, changes, reason):
    assert refusal(toy(**changes)).startswith(reason)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\xef\xbb\xbf{}", "byte order mark"),
        (b'{"a": "\xff"}', "not UTF-8"),
        (b'{"a": 1, "a": 1}', "comes twice"),
        (b'{"a": {"b": 1, "b": 2}}', "the key 'b' comes twice"),
        (b'{"a": NaN}', "not a whole number"),
        (b'{"a": Infinity}', "not a whole number"),
        (b'{"a": 1.0}', "1.0 is not a whole number"),
        (b'{"a": 1e3}', "1e3 is not a whole number"),
        (b'{"a": -0}', "-0 is written 0"),
        (b'{"a": 12345678901234567890123}', "too large"),
        (b'{"a": "ho\xcc\x84c"}', "NFC"),
        (rb'{"a": "ho\u0304c"}', "NFC"),
        (b'{"ho\xcc\x84c": 1}', "NFC"),
        (rb'{"a": "\ud800"}', "surrogate"),
        (b'{"a": 1', "not JSON"),
        (b"", "not JSON"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a": 1} x', "not JSON"),
        (b"[]", "a record is an object"),
    ],
)
def test_json_is_read_strictly(content, reason):
    with pytest.raises(record.InvalidRecord, match=reason):
        record.replay(record.parse(content))


@pytest.mark.parametrize("fault", ['{"at": 1.0}', '{"at": -0}', '{"a": 1, "a": 1}', '{"a": "ho\u0304c"}', '{"a": NaN}'])
def test_what_is_wrong_in_the_log_names_its_entry(fault):
    with pytest.raises(record.InvalidRecord, match=r"^entry 2: "):
        record.parse(f'{{"log": [{{}}, {fault}]}}'.encode())
    with pytest.raises(record.InvalidRecord, match=r"^(?!entry)"):
        record.parse(f'{{"tags": {fault}, "log": []}}'.encode())


def test_the_command_line(toys, tmp_path):
    good, bad, worse = tmp_path / "good.json", tmp_path / "bad.json", tmp_path / "gone.json"
    good.write_text(json.dumps(toy()))
    bad.write_text(json.dumps(toy(log=LOG[1:])))
    run = subprocess.run(
        [sys.executable, "-m", "spieltisch", "replay", "--json", bad, good, worse, good],
        env={"SPIELTISCH_GAMES": toys["highest"].folder.parent, "PATH": ""},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 1
    lines = run.stdout.splitlines()
    assert [json.loads(line)["end"] for line in lines] == ["shown", "shown"]
    assert run.stderr.splitlines() == [
        f"{bad}: entry 1: a chance outcome is due before anybody acts",
        f"{worse}: cannot be read: No such file or directory",
    ]


@pytest.mark.parametrize("words", [["replay"], ["replay", "--yaml", "x"], ["play-it"], ["verify"]])
def test_a_wrong_command_line_ends_with_2(words):
    run = subprocess.run([sys.executable, "-m", "spieltisch", *words], capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert run.stderr
    assert "Traceback" not in run.stderr


def sealed_game(toys, seed=bytes(range(16))):
    package = toys["highest"]
    rules, order, dice = package.rules, alias_order(seed, 8), CommittedDice(seed, "deal")
    state = rules.setup(3, rules.Options(), aliased(rules.DECK, order))
    steps, throws, choice = [], 0, FastDice(5)
    while rules.result(state.public) is None:
        if due := rules.pending_chance(state):
            step = (due, dice.throw(due, throws))
            state, throws = rules.resolve_chance(state, step[1]), throws + 1
        else:
            seat = rules.to_act(state.public)[0]
            step = (seat, choice.choice(rules.legal(see(state, seat))))
            state = rules.apply(state, *step)
        steps.append(step)
    tags = {"seal": seal(seed), "seed": seed.hex(), "dice": record.DICE}
    return record.write(package, rules.Options(), rules.DECK, order, ["Ada", "Bo", "Cleo"], steps, tags)


def test_what_a_table_writes_is_replayed_and_verified(toys):
    written = sealed_game(toys)
    again = record.parse(record.text(written).encode())
    assert again == written
    assert record.outcome(record.replay(again))["over"]
    assert record.verify(again) == seal(bytes(range(16)))


def test_a_shuffle_that_was_tampered_with_is_found(toys):
    written = sealed_game(toys)
    outcome = written["log"][0]["outcome"]
    outcome[0], outcome[1] = outcome[1], outcome[0]
    with pytest.raises(record.InvalidRecord, match="entry 1: the sealed dice threw something else"):
        record.verify(written)


@pytest.mark.parametrize(
    ("tags", "reason"),
    [
        ({"seed": "00" * 16}, "does not match the seal"),
        ({"seed": "no hex"}, "16 bytes in hex"),
        ({"seed": "00"}, "16 bytes in hex"),
        ({"dice": "loaded"}, "unknown dice"),
    ],
)
def test_a_seed_that_does_not_fit_is_found(toys, tags, reason):
    written = sealed_game(toys)
    written["tags"] |= tags
    with pytest.raises(record.InvalidRecord, match=reason):
        record.verify(written)


def test_records_without_dice_cannot_be_verified(toys):
    with pytest.raises(record.InvalidRecord, match="has no tag seal, seed, dice"):
        record.verify(toy())
