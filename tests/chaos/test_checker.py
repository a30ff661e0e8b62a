"""The checker itself: a history in order has nothing to find, and each condition finds what breaks it, and it alone."""

import json
import sys

import msgspec
import pytest

from chaos import checker
from chaos.clients import Page
from chaos.history import Due, Event, History, Log, Placed, read
from chaos.servers import Server
from spieltisch.table.store import AWAY, Unknown, Unsaved

ADA, BEN, SPECTATOR = "ada", "ben", "spectator"
TABLE = "T"
SEED = "5" * 64


class Told:
    """Events by hand, with a clock that goes on by a second from one to the next."""

    def __init__(self):
        self.events, self.at = [], 0.0

    def note(self, kind, **values):
        self.at += values.pop("later", 1.0)
        self.events.append(Event(kind, self.at, table=TABLE, **values))
        return self

    def move(self, move, client, seat, question, outcome="ok", action="a", **values):
        self.note("invoke", move=move, client=client, seat=seat, question=question, action=action)
        return self.note(outcome, move=move, client=client, **values) if outcome else self

    def saw(self, client, seat, seq, **values):
        return self.note("picture", client=client, seat=seat, seq=seq, **{"hash": f"{seq} for {seat}", **values})

    def without(self, **values):
        self.events = [one for one in self.events if any(getattr(one, k) != v for k, v in values.items())]
        return self


def story():
    """Ada on seat 0 and Ben on seat 1 move in turn; one answer is lost, one refused; a clock answers; a fault heals."""
    told = Told()
    told.note("level", process="p", what="sockets", value=2)
    told.saw(ADA, 0, 1).saw(BEN, 1, 1)
    told.move("m1", ADA, 0, 1, seq=2).saw(ADA, 0, 2)
    told.move("m2", BEN, 1, 2, "unknown").saw(BEN, 1, 3, after=1, marks=("mark-b",))
    told.note("fault", what="stop", process="p", pid=7).note("closed", process="p", client=BEN, code=1012, pid=7)
    told.note("heal", what="stop", process="p", later=0.1)
    told.move("m3", ADA, 0, 1, "refused", "b", code=409)
    told.move("m4", ADA, 0, 3, seq=4).saw(SPECTATOR, None, 4)  # Ben is asked; the clock gives him three seconds
    told.saw(ADA, 0, 5, later=3.5)
    told.saw(ADA, 0, 5, final=True, later=0.1).saw(BEN, 1, 5, after=3, final=True, later=0.1)
    return told.note("level", process="p", what="sockets", value=2, final=True)


def log():
    entries = [Placed(1, None, "host", 0, ""), Placed(2, 0, "seat", 1, "a"), Placed(3, 1, "seat", 2, "a")]
    entries += [Placed(4, 0, "seat", 3, "a"), Placed(5, 1, "clock", 4, "pass")]
    seats = (0, 1, None)
    return Log(
        [1, 2, 3, 4, 5], entries, {(n, seat): f"{n} for {seat}" for n in range(1, 6) for seat in seats},
        {(n, seat): frozenset({"mark-b"} if seat == 1 else ()) for n in range(1, 6) for seat in seats},
        SEED, limits={"clock": (3.0, 3.0)},
    )  # fmt: skip


def found(told, final=None):
    return checker.check(told.events, {TABLE: final or log()})


def test_a_story_in_order_has_nothing_to_find():
    assert found(story()) == {}
    assert found(story(), Log([1, 2, 3, 4, 5], log().entries)) == {}  # also where the rules are not asked


def changed(event, **values):
    """The story with the first event of which this is a part changed."""
    told = story()
    n = next(n for n, one in enumerate(told.events) if all(getattr(one, k) == v for k, v in event.items()))
    told.events[n] = msgspec.structs.replace(told.events[n], **values)
    return told


def final(**values):
    return msgspec.structs.replace(log(), **values)


def replaced(n, **values):
    entries = log().entries
    entries[n - 1] = msgspec.structs.replace(entries[n - 1], **values)
    return final(entries=entries)


MOVED = {"kind": "ok", "move": "m4"}
AT_THE_END = {"kind": "picture", "final": True, "client": BEN}
STOP = {"kind": "level", "final": True}


def locked(told):
    """The database takes nothing, and has not for long."""
    told.note("fault", what="table locked", process="database").note("heal", what="table locked", process="database")
    told.events[-1] = Event("heal", told.at + 100, what="table locked", process="database")
    told.at += 20
    return told


def damaged(told, by=("doctor", "p"), seq=3, **values):
    """Entry 4 and all after it cannot be read."""
    told.note("lost", seq=3, what="damaged")
    for process in by:
        told.note("named", process=process, seq=seq, **{"value": 1.0, **values})
    return told


def kept():
    """The final log without what is damaged."""
    return final(numbers=[1, 2, 3], entries=log().entries[:3])


BROKEN = {
    "an acknowledged move is not in the log": ("acknowledged", story().move("lost", ADA, 0, 5), None),
    "an acknowledged move comes after what it was told with": ("acknowledged", changed(MOVED, seq=3), None),
    "another action than the acknowledged one": ("acknowledged", story(), replaced(4, action="z", by="bot")),
    "a refused move is in the log": ("refused", changed(MOVED, kind="refused"), None),
    "a moot move is in the log": ("refused", changed(MOVED, kind="moot"), None),
    "a move that nobody sent": ("at_most_once", story().without(move="m2"), None),
    "damage that the server does not name": ("named", damaged(story(), by=["doctor"]), kept()),
    "damage that doctor does not name": ("named", damaged(story(), by=["p"]), kept()),
    "damage that is told as something else": ("named", damaged(story(), value=0.0), kept()),
    "a table that does not stand before its damage": ("named", damaged(story(), seq=4), kept()),
    "damage that is named and is not there": ("named", story().note("named", process="doctor", seq=3), None),
    "a move is lost that was told before the damage": (
        "acknowledged", damaged(story()), final(numbers=[1, 2, 3], entries=[log().entries[0], log().entries[2]])
    ),
    "a page that is not served": ("served", story().note("served", process="p", what="/ answers 500"), None),
    "a number is left out": ("numbered", story(), final(numbers=[1, 2, 3, 5, 6])),
    "a number is there twice": ("numbered", story(), final(numbers=[1, 2, 3, 4, 4])),
    "a picture of something else": ("prefix", changed({"kind": "picture", "seq": 4}, hash="2 for None"), None),
    "a picture of another seat": ("prefix", changed({"kind": "picture", "seq": 4}, hash="4 for 1"), None),
    "a picture goes back": ("prefix", story().saw(SPECTATOR, None, 3), None),
    "a picture of what was never written": ("prefix", story().saw(SPECTATOR, None, 6), None),
    "somebody waits in vain": ("answered", story().note("waited", process="p", client=ADA, value=8.0), None),
    "ready without a database": ("ready", locked(story()).note("ready", process="p", value=1), None),
    "a clock that is early": ("turns", story(), final(limits={"clock": (5.7, 6.0)})),
    "a clock that is late": ("turns", story(), final(limits={"clock": (0.1, 0.4)})),
    "a turn that is never taken": ("turns", story().note("end", later=9.0), final(outstanding=[Due(5, "clock")])),
    "a log that does not replay": ("replayed", story(), final(trouble="entry 3 is not followed by these rules")),
    "a mark of another seat": ("secrets", story().saw(ADA, 0, 5, marks=("mark-b",)), None),
    "a mark for nobody": ("secrets", story().saw(SPECTATOR, None, 5, marks=("mark-b",)), None),
    "a seed that looks like a mark, before the end": (
        "secrets", story().saw(ADA, 0, 5, marks=(SEED[:32],)), msgspec.structs.replace(log(), seed=SEED[:32])
    ),
    "the seed before the end": ("secrets", story().saw(ADA, 0, 5, marks=(SEED,)), None),
    "somebody who never hears of the last entry": ("converged", changed(AT_THE_END, seq=4, hash="4 for 1"), None),
    "somebody who hears of it late": ("converged", story().saw(BEN, 1, 5, final=True, later=9.0), None),
    "a socket that is never let go of": ("levels", changed(STOP, value=3), None),
    "a socket that is cut by a planned stop": ("parted", changed({"kind": "closed"}, code=1006), None),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_each_condition_finds_what_breaks_it_and_nothing_else(name):
    condition, told, broken = BROKEN[name]
    assert list(found(told, broken)) == [condition]


@pytest.mark.parametrize(("pid", "code", "broken"), [(6, 1006, []), (7, 1006, ["parted"]), (7, 1011, [])])
def test_a_page_may_hear_late_of_an_end_and_it_is_known_whose(pid, code, broken):
    told = story().note("closed", process="p", client=ADA, code=code, pid=pid)  # 6 was killed before 7 was stopped
    assert list(found(told)) == broken


def test_errors_that_no_fault_explains_are_read_in_a_servers_log(tmp_path):
    server = Server("p", tmp_path, None, data=tmp_path)
    lines = ({"message": "away"}, {"error": "Unsaved"}, {"error": "KeyError", "where": ["socket.py:1 look"]})
    server.said.write_text("\n".join(["Stop with Ctrl-C.", *map(json.dumps, lines)]), encoding="utf-8")
    assert server.errors() == [f"p says {json.dumps(lines[2])}"]


def test_a_move_after_damage_is_counted_as_lost():
    told = damaged(story())
    assert found(told, kept()) == {}
    assert [op.invoke.move for op in checker.Case(told.events, {TABLE: kept()}).lost] == ["m4"]


def test_two_moves_in_the_wrong_order():
    entries = [Placed(1, None, "host", 0, ""), Placed(2, 1, "seat", 1, "b"), Placed(3, 0, "seat", 1, "a")]
    told = Told().move("first", ADA, 0, 1, seq=3, action="a").move("second", BEN, 1, 1, seq=3, action="b")
    assert list(found(told, Log([1, 2, 3], entries))) == ["ordered"]
    at_once = Told().move("first", ADA, 0, 1, None).move("second", BEN, 1, 1, seq=3, action="b")
    assert found(at_once.note("ok", move="first", client=ADA, seq=3), Log([1, 2, 3], entries)) == {}


def test_a_picture_older_than_ones_own_move():
    told = Told().saw(ADA, 0, 1).move("m", ADA, 0, 1, seq=2).saw(ADA, 0, 1)
    assert list(found(told, Log([1, 2], log().entries[:2]))) == ["own_writes"]


def test_a_move_that_stands_there_twice_is_found_whatever_was_answered():
    twice = [*log().entries, Placed(6, 1, "seat", 2, "a")]
    assert list(found(story(), final(entries=twice))) == ["at_most_once", "turns"]


@pytest.mark.parametrize(("later", "broken"), [(0.1, ["turns"]), (3.0, [])])
def test_a_clock_that_answers_twice_in_a_row_is_early_the_second_time(later, broken):
    twice = final(numbers=[*range(1, 7)], entries=[*log().entries, Placed(6, 0, "clock", 5, "pass")])
    told = story().without(final=True)
    told.at = told.events[-1].at
    told.saw(ADA, 0, 6, later=later).saw(ADA, 0, 6, final=True).saw(BEN, 1, 6, after=3, final=True)
    assert list(found(told, twice)) == broken


def test_the_same_move_by_two_tabs_may_be_refused_to_one():
    told = story().move("again", ADA, 0, 3, "refused")
    assert found(told) == {}


@pytest.mark.parametrize(("action", "seen_first", "broken"), [("a", False, []), ("a", True, ["refused"]),
                                                              ("b", False, ["refused"])])  # fmt: skip
def test_a_refused_move_may_be_in_the_log_if_the_same_was_sent_again(action, seen_first, broken):
    told = Told().saw(ADA, 0, 1).move("m1", ADA, 0, 1, "refused")
    told = told.saw(BEN, 1, 2) if seen_first else told
    told.move("m2", ADA, 0, 1, "unknown", action).saw(BEN, 1, 2)
    assert list(found(told, Log([1, 2], log().entries[:2]))) == broken


@pytest.mark.parametrize(("said", "kind"), [(Unsaved.SAID, "refused"), (Unknown.SAID, "unknown"), (AWAY, "unknown")])
def test_a_page_takes_a_refusal_for_what_it_says(said, kind):
    history = History()
    page = Page(history, [], TABLE, 0, "token", name=ADA)
    page._open = 1, [["question", "1"]], page.invoke(1, "a"), False
    page._answered(None, {"ok": False, "error": str(said)})
    assert history.events[-1].kind == kind


def test_nothing_is_late_while_something_fails():
    told = story()
    told.events.insert(-6, Event("fault", told.events[-7].at, what="kill", process="q"))
    told.note("heal", what="kill", process="q").saw(ADA, 0, 5, final=True)
    assert found(told, final(limits={"clock": (0.1, 0.4)})) == {}


@pytest.mark.parametrize("lost", [False, True])
def test_nobody_knows_how_late_a_turn_is_after_a_loss(lost):
    told = Told().move("m1", ADA, 0, 1, seq=2).move("m2", BEN, 1, 2, seq=3).move("m4", ADA, 0, 3, seq=4)
    if lost:
        told.note("lost", seq=4, what="promoted").saw(ADA, 0, 5, later=1.0)
    told.saw(ADA, 0, 5, later=9.0)
    found_late = "turns" in found(told, msgspec.structs.replace(log(), limits={"clock": (0.0, 1.0)}))
    assert found_late is not lost


def test_every_condition_has_a_history_that_breaks_it():
    shown = {condition for condition, *_ in BROKEN.values()} | {"ordered", "own_writes"}
    assert shown == {condition.__name__ for condition in checker.CONDITIONS}


def test_a_history_is_read_as_it_was_written(tmp_path):
    history = History(tmp_path / "history.jsonl")
    history.note("invoke", client=ADA, table=TABLE, seat=0, move="m", question=1, action="a")
    history.note("picture", client=ADA, table=TABLE, seat=None, seq=3, marks=("mark-b",))
    history.close()
    assert read(tmp_path / "history.jsonl") == history.events


def test_a_long_history_takes_linear_time():
    def calls(n):
        told, counted = Told(), 0
        for k in range(n):
            told.move(f"m{k}", ADA, 0, k + 1, seq=k + 2).saw(ADA, 0, k + 2)
        entries = [Placed(1, None, "host", 0, ""), *(Placed(k + 2, 0, "seat", k + 1, "a") for k in range(n))]
        log = Log(list(range(1, n + 2)), entries)

        def line(frame, event, _):
            nonlocal counted
            counted += event == "line"
            return line

        sys.settrace(line)
        try:
            assert found(told, log) == {}
        finally:
            sys.settrace(None)
        return counted

    assert calls(2_000) < 3 * calls(1_000)  # twice as many lines run, and not four times


def test_when_a_game_is_over_its_seed_is_no_secret():
    final = msgspec.structs.replace(log(), seed=SEED[:32], over=True)
    assert found(story().saw(ADA, 0, 5, marks=(SEED[:32],)), final) == {}


@pytest.mark.parametrize(("fails", "later", "late"), [(False, 6.0, True), (True, 2.5, False), (True, 6.0, True)])
def test_a_turn_that_was_claimed_by_who_is_gone_is_taken_soon_by_others(fails, later, late):
    told = Told().move("m1", ADA, 0, 1, seq=2).move("m2", BEN, 1, 2, seq=3).move("m4", ADA, 0, 3, seq=4)
    if fails:
        told.note("fault", what="kill", process="p").note("heal", what="kill", process="p")
    told.saw(ADA, 0, 5, later=later)
    assert list(found(told, msgspec.structs.replace(log(), limits={"clock": (0.0, 1.0)}))) == ["turns"] * late


@pytest.mark.parametrize("away", [False, True])
def test_nobody_knows_how_late_a_turn_is_that_was_made_while_all_were_away(away):
    told = Told().move("m1", ADA, 0, 1, seq=2).move("m2", BEN, 1, 2, seq=3).move("m4", ADA, 0, 3, seq=4)
    if away:
        told.note("closed", client=ADA, process="p").note("closed", client=BEN, process="p")
    told.saw(ADA, 0, 5, later=9.0)
    found_late = "turns" in found(told, msgspec.structs.replace(log(), limits={"clock": (0.0, 1.0)}))
    assert found_late is not away


@pytest.mark.parametrize("lost", [False, True])
def test_a_table_that_has_lost_its_start_waits_again(lost):
    told = Told().saw(ADA, 0, 1)
    if lost:
        told.note("lost", seq=0, what="promoted")
    told.saw(BEN, 1, 0)
    assert ("prefix" in checker.check(told.events, {})) is not lost
