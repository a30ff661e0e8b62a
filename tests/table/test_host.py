"""What a table does with answers: question numbers, double sends, undo, rebuilding."""

import asyncio
from types import SimpleNamespace

import msgspec
import pytest
from spieltisch.games.bids.rules import Accept, Doubt, Name  # ty: ignore[import-not-found] - tests/table/conftest.py
from spieltisch.games.climb.rules import Rest, Turn  # ty: ignore[import-not-found] - as above

from clock import Clock
from spieltisch import games, record
from spieltisch.dice import CommittedDice
from spieltisch.game import Faulty, Illegal, Invalid, Shuffle, Stale, State
from spieltisch.table import position as moment
from spieltisch.table.host import Host, Missing
from spieltisch.table.log import Chair
from spieltisch.table.position import Position
from spieltisch.table.session import TableSession
from spieltisch.table.store import Unknown
from spieltisch.table.wake import Hub

pytestmark = pytest.mark.anyio

PEOPLE = ["person"] * 4


async def turn(host, id_, seat, action):
    return await host.answer(id_, seat, (await host.table(id_)).question(seat), action)


async def play_out(host, id_):
    table = await host.table(id_)
    while table.to_act:
        seat = table.to_act[-1]
        await turn(host, id_, seat, table.legal(seat)[-1])
    return table


# Question numbers


async def test_a_question_is_numbered_by_the_entry_after_which_its_offer_began(host, sit):
    table = await host.table(id_ := await sit(host, "bids", PEOPLE))
    assert [table.question(seat) for seat in range(4)] == [1, 1, 1, 1]
    await turn(host, id_, 0, Name(3))
    assert [table.question(seat) for seat in range(4)] == [2, 2, 2, 2]  # all have another offer than before
    await turn(host, id_, 2, Accept())
    assert [table.question(seat) for seat in range(4)] == [2, 2, 3, 2]  # what others are asked is the same
    await turn(host, id_, 1, Accept())
    await turn(host, id_, 3, Accept())
    assert [table.question(seat) for seat in range(4)] == [2, 5, 3, 5]  # 1 has the turn; 2 was and is not asked


async def test_three_answers_at_the_same_moment_are_all_taken(host, sit):
    table = await host.table(id_ := await sit(host, "bids", PEOPLE))
    await turn(host, id_, 0, Name(3))
    answers = await asyncio.gather(*(host.answer(id_, seat, 2, Accept()) for seat in (1, 2, 3)))
    assert answers == ["taken"] * 3
    assert table.seq == 5


@pytest.mark.parametrize("first", [1, 2, 3])
async def test_answers_after_the_doubt_that_decided_are_moot(host, sit, first):
    table = await host.table(id_ := await sit(host, "bids", PEOPLE))
    await turn(host, id_, 0, Name(3))
    order = [first, *(seat for seat in (1, 2, 3) if seat != first)]
    actions = [Doubt(), Doubt(), Accept()]
    answers = await asyncio.gather(*(host.answer(id_, s, 2, a) for s, a in zip(order, actions, strict=True)))
    assert answers == ["taken", "moot", "moot"]
    assert table.seq == 3
    assert table.to_act == (1,)
    for seat in order[1:]:  # and once more, later
        assert await host.answer(id_, seat, 2, Accept()) == "moot"


async def test_the_same_answer_again_is_taken_and_not_doubled(host, sit):
    table = await host.table(id_ := await sit(host, "bids", PEOPLE))
    answers = await asyncio.gather(*(host.answer(id_, 0, 1, Name(3)) for _ in range(5)))
    assert answers == ["taken"] * 5
    assert table.seq == 2
    await turn(host, id_, 1, Accept())
    assert await host.answer(id_, 0, 1, Name(3)) == "taken"
    with pytest.raises(Stale, match="already been answered"):
        await host.answer(id_, 0, 1, Name(4))
    assert table.seq == 3


async def test_an_answer_to_what_was_never_asked_is_stale(host, sit):
    id_ = await sit(host, "bids", PEOPLE)
    await turn(host, id_, 0, Name(3))
    for question in (0, 7, -1):
        with pytest.raises(Stale, match="moved on"):
            await host.answer(id_, 1, question, Accept())


async def test_what_is_not_legal_is_refused_with_the_reason_and_changes_nothing(host, sit):
    table = await host.table(id_ := await sit(host, "bids", PEOPLE))
    for seat, action in ((0, Name(99)), (0, Accept()), (1, Name(3))):
        with pytest.raises(Illegal, match="not your turn to do that"):
            await turn(host, id_, seat, action)
    assert table.seq == 1


# The waiting room


async def test_a_waiting_room_from_opening_to_the_deal(host, hub):
    setup = await host.open("bids", 3, owner_key="owner", lang="de")
    assert (len(setup.id), len(setup.chairs), setup.stage, setup.owner, setup.lang) == (8, 3, "waiting", "owner", "de")
    table = await host.table(setup.id)
    assert (table.seq, table.to_act, table.legal(0), table.question(0), table.result) == (0, (), (), 0, None)
    with pytest.raises(Stale, match="not begun"):
        table.view(0)
    with pytest.raises(Stale, match="not begun"):
        await host.answer(setup.id, 0, 0, Name(3))
    with pytest.raises(Illegal, match="seat is still free"):
        await host.start(setup.id)
    with hub.listen(setup.id) as news:
        await host.change(setup.id, lambda p: msgspec.structs.replace(p, chairs=(Chair("Livia", "person"),) * 2))
        await asyncio.wait_for(news.wait(), 30)
    await host.change(setup.id, lambda p: msgspec.structs.replace(p, top={"options": {"rounds": 1}}))
    assert table.names == ("Livia", "Livia")
    await host.start(setup.id)
    assert (table.seq, table.setup.stage, table.view(None).public.rounds) == (1, "playing", 1)
    with pytest.raises(Illegal, match="already begun"):
        await host.start(setup.id)
    for wrong in ({"top": {"options": {}}}, {"chairs": (Chair(),) * 3}, {"header": None}, {"stage": "waiting"}):
        with pytest.raises(Illegal):
            await host.change(setup.id, lambda p, wrong=wrong: msgspec.structs.replace(p, **wrong))


async def test_a_wrong_choice_is_refused_with_its_reason(host):
    with pytest.raises(Invalid, match="there is no game chess"):
        await host.open("chess", 2)
    with pytest.raises(Invalid, match="2 to 4 players, not 5"):
        await host.open("bids", 5)
    with pytest.raises(Invalid, match=">= 1"):
        await host.open("bids", 2, {"options": {"rounds": 0}})
    setup = await host.open("bids", 2)
    with pytest.raises(Invalid, match="no option colour"):
        await host.change(setup.id, lambda p: msgspec.structs.replace(p, top={"options": {"colour": 1}}))
    assert (await host.table(setup.id)).setup == setup


async def test_people_who_sit_down_at_the_same_moment_all_sit(host):
    setup = await host.open("bids", 4)
    await asyncio.gather(*(host.replace(setup.id, seat, Chair(str(seat), "person")) for seat in range(4)))
    assert (await host.table(setup.id)).names == ("0", "1", "2", "3")


async def test_a_table_that_is_not_there_is_missing(host, sit):
    for ask in (host.table("NOBODY"), host.answer("NOBODY", 0, 1, Name(1)), host.delete("NOBODY")):
        with pytest.raises(Missing, match="NOBODY"):
            await ask
    id_ = await sit(host, "bids", PEOPLE)
    await host.delete(id_)
    with pytest.raises(Missing):
        await host.table(id_)


async def test_a_closed_table_is_looked_at_not_played(host, sit):
    table = await host.table(id_ := await sit(host, "bids", PEOPLE))
    await host.close(id_)
    assert (table.setup.stage, table.to_act, table.legal(0)) == ("closed", (), ())
    with pytest.raises(Stale, match="closed"):
        await host.answer(id_, 0, 1, Name(3))
    assert table.view(0).own.card is not None


# Undo


async def test_moves_are_taken_back_to_the_deal_and_not_beyond(host, sit):
    table = await host.table(id_ := await sit(host, "climb", ["person"]))
    dealt = table.view(0)
    assert not table.can_undo
    with pytest.raises(Illegal, match="nothing to take back"):
        await host.undo(id_, 0, 1)
    await turn(host, id_, 0, Rest())
    after = table.view(0)
    await turn(host, id_, 0, Rest())
    assert await host.undo(id_, 0, 3) == "taken"
    assert (table.view(0), table.seq, table.question(0), table.undone, table.helped) == (after, 4, 4, 1, True)
    assert await host.undo(id_, 0, 4) == "taken"
    assert table.view(0) == dealt
    assert not table.can_undo
    assert await host.undo(id_, 0, 4) == "taken"  # the same undo again
    assert (table.seq, table.undone) == (5, 2)
    with pytest.raises(Stale):
        await host.answer(id_, 0, 4, Rest())


async def test_to_take_back_marks_the_game_and_changes_no_card(host, sit):
    table = await host.table(id_ := await sit(host, "climb", ["person"]))
    for _ in range(5):  # over a reshuffle
        await turn(host, id_, 0, Turn())
    seen = table.view(0)
    for _ in range(5):
        await host.undo(id_, 0, table.question(0))
    assert table.helped
    for _ in range(5):
        await turn(host, id_, 0, Turn())
    assert table.view(0) == seen
    assert table.helped


async def test_the_last_move_of_a_finished_game_is_taken_back(host, sit):
    table = await host.table(id_ := await sit(host, "climb", ["person"], times=1))
    for _ in range(4):
        await turn(host, id_, 0, Turn())
    assert (table.setup.stage, table.result.scores) == ("over", (10,))
    await host.undo(id_, 0, table.question(0))
    assert (table.setup.stage, table.result, table.helped) == ("playing", None, True)


async def test_at_a_table_of_several_a_move_stands(host, sit):
    table = await host.table(id_ := await sit(host, "bids", PEOPLE))
    await turn(host, id_, 0, Name(3))
    assert not table.can_undo
    with pytest.raises(Illegal, match="only when you play alone"):
        await host.undo(id_, 0, table.question(0))


# Rebuilding


def all_of(table):
    seats = [None, *range(len(table.setup.chairs))]
    setup = msgspec.structs.replace(table.setup, touched=0.0)
    return (
        [table.view(seat) for seat in seats],
        [(table.question(seat), table.legal(seat)) for seat in seats[1:]],
        (table.seq, setup, table.news, table.to_act, table.result, table.deck, table.seal),
        (table.can_undo, table.undone, table.helped),
    )


@pytest.mark.parametrize("moves", [0, 1, 5, 12, 100])
@pytest.mark.parametrize(("game", "kinds"), [("bids", PEOPLE), ("climb", ["person"])])
async def test_a_table_rebuilt_from_its_log_is_the_same(host, sit, again, game, kinds, moves):
    table = await host.table(id_ := await sit(host, game, kinds))
    for move in range(moves):
        if table.can_undo and move % 3 == 2:
            await host.undo(id_, 0, table.question(0))
        elif table.to_act:
            seat = table.to_act[move % len(table.to_act)]
            await turn(host, id_, seat, table.legal(seat)[move % len(table.legal(seat))])
    other = Host(again(), Hub())
    assert all_of(await other.table(id_)) == all_of(table)
    await other.store.close()


async def test_a_retry_after_a_restart_is_taken_once(host, sit, again):
    id_ = await sit(host, "bids", PEOPLE)
    await turn(host, id_, 0, Name(3))
    await turn(host, id_, 1, Doubt())
    other = Host(again(), Hub())
    assert await other.answer(id_, 0, 1, Name(3)) == "taken"
    assert await other.answer(id_, 2, 2, Accept()) == "moot"
    assert (await other.table(id_)).seq == 3
    await other.store.close()


async def test_two_hosts_on_one_file_are_one_table(host, sit, again):
    other = Host(again(), Hub())
    here, there = await host.table(id_ := await sit(host, "bids", PEOPLE)), await other.table(id_)
    await host.answer(id_, 0, 1, Name(3))
    assert await other.answer(id_, 0, 1, Name(3)) == "taken"  # it reads on: that was written already
    assert await other.answer(id_, 1, 2, Doubt()) == "taken"
    assert await host.answer(id_, 2, 2, Accept()) == "moot"
    await other.replace(id_, 3, Chair("Nova", "bot"))
    await host.replace(id_, 2, Chair("Bot", "bot"))
    await other.refresh([id_])
    assert here.names == there.names == ("person 0", "person 1", "Bot", "Nova")
    assert here.view(1) == there.view(1)
    await other.store.close()


async def test_a_table_whose_past_is_not_what_was_read_is_read_anew(host, again, caplog):
    id_ = (await host.open("bids", 4)).id
    for seat in range(4):
        await host.replace(id_, seat, Chair(f"person {seat}", "person"))
    other = Host(again(), Hub())
    await other.table(id_)
    session = other.memory.session(id_)
    assert session is not None
    session.setup = msgspec.structs.replace(session.setup, rev=99)  # from a database whose standby has taken over
    await host.start(id_)
    await other.refresh([id_])
    assert (await other.table(id_)).view(1) == (await host.table(id_)).view(1)
    assert not caplog.records
    await other.store.close()


async def test_a_caller_who_leaves_in_the_middle_leaves_a_whole_table(host, hub, sit):
    table = await host.table(id_ := await sit(host, "bids", PEOPLE))
    with hub.listen(id_) as news:
        sent = asyncio.create_task(host.answer(id_, 0, 1, Name(3)))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        sent.cancel()
        await asyncio.wait((sent,))
        while table.seq < 2:
            await asyncio.wait_for(news.wait(), 30)
    assert sent.cancelled()
    await host.rest()
    assert table.to_act == (1, 2, 3)


async def test_other_rules_show_the_table_but_do_not_go_on(host, sit, again, monkeypatch):
    id_ = await sit(host, "bids", PEOPLE)
    await turn(host, id_, 0, Name(3))
    seen = (await host.table(id_)).view(1)
    monkeypatch.setattr("spieltisch.games.bids.rules.version", 2)
    other = Host(again(), Hub())
    table = await other.table(id_)
    assert not table.fresh
    assert (table.view(1), table.to_act) == (seen, ())
    with pytest.raises(Stale, match="different rules"):
        await other.answer(id_, 1, 2, Accept())
    await other.store.close()


async def test_what_nobody_looks_at_leaves_the_memory(store, hub, sit):
    clock = Clock(100.0)
    host = Host(store, hub, clock=clock)
    id_ = await sit(host, "bids", PEOPLE)
    table = await host.table(id_)
    clock.time += 599
    host.sweep()
    assert await host.table(id_) is table
    clock.time += 601
    with hub.listen(id_):
        host.sweep()
    host.sweep()
    again = await host.table(id_)
    assert again is not table
    assert all_of(again) == all_of(table)


# Records and secrets


@pytest.mark.parametrize(("game", "kinds"), [("bids", PEOPLE), ("climb", ["person"])])
async def test_a_finished_game_is_a_record_that_can_be_verified(host, sit, game, kinds):
    table = await host.table(id_ := await sit(host, game, kinds))
    with pytest.raises(Illegal, match="once the game is over"):
        await host.record(id_)
    if game == "climb":
        await turn(host, id_, 0, Turn())
        await host.undo(id_, 0, table.question(0))
    await play_out(host, id_) if game == "bids" else None
    while table.to_act:
        await turn(host, id_, 0, Turn())
    written = await host.record(id_)
    assert written["tags"]["undo"] == str(table.undone)
    assert written["tags"]["table"] == id_
    raw = msgspec.json.decode(msgspec.json.encode(written))
    assert record.verify(raw) == table.seal
    assert record.outcome(record.replay(raw))["end"] == table.result.end


async def test_no_state_and_no_seed_leaves_through_a_table(host, sit):
    table = await host.table(id_ := await sit(host, "bids", PEOPLE))
    await turn(host, id_, 0, Name(3))
    seed = await host.store.seed(id_)
    shown = [getattr(table, name) for name in dir(table) if not name.startswith("_")]
    shown += [table.view(seat) for seat in (None, 0, 1)] + [table.legal(1), table.question(1)]
    assert not [x for x in shown if isinstance(x, State | Position | TableSession)]
    for x in shown:
        if not callable(x) and not hasattr(x, "rules"):  # a room is code
            assert seed not in msgspec.msgpack.encode(x)
            assert seed.hex().encode() not in msgspec.msgpack.encode(x)
    assert seed not in msgspec.msgpack.encode(table.setup)


async def test_a_table_that_a_promotion_takes_from_memory_at_once_is_read_again(host, sit, monkeypatch):
    """A standby takes over between the moment it is read and the moment that whoever asked goes on."""
    id_ = await sit(host, "bids", PEOPLE)
    host.memory.turn()
    add, turned = host.memory.add, []

    def added(session):
        add(session)
        if not turned:
            turned.append(session)
            asyncio.get_running_loop().call_soon(host.memory.turn)

    monkeypatch.setattr(host.memory, "add", added)
    assert (await host.table(id_)).seq == 1
    assert turned


async def test_what_a_promoted_standby_may_lack_is_not_acknowledged(host, sit, monkeypatch):
    """The database has written it, and a standby takes over before anybody is told."""
    id_ = await sit(host, "bids", PEOPLE)
    for name in ("append", "save"):
        right = getattr(host.store, name)

        async def write(*given, right=right, **more):
            written = await right(*given, **more)
            host.memory.turn()
            return written

        monkeypatch.setattr(host.store, name, write)
    with pytest.raises(Unknown):
        await turn(host, id_, 0, Name(3))
    with pytest.raises(Unknown):
        await host.replace(id_, 1, Chair("free"))
    assert (await host.table(id_)).seq == 2  # the same again counts once
    assert await host.answer(id_, 0, 1, Name(3)) == "taken"


WRONG = {
    "apply": ("apply", lambda state, seat, action: None, "return NoneType instead of a State"),
    "to_act": ("to_act", lambda public: 1, "`to_act` returns int"),
    "seat": ("to_act", lambda public: (7,), "`to_act` returns tuple"),
    "legal": ("legal", lambda view: None, "`legal` returns NoneType"),
    "result": ("result", lambda public: "won", "`result` returns str"),
}


@pytest.mark.parametrize(("function", "instead", "told"), WRONG.values(), ids=WRONG)
async def test_a_fault_in_the_rules_is_told_with_the_game_and_the_file(caplog, function, instead, told):
    def throw(due, number):
        return CommittedDice(bytes(16), "deal").throw(due, number)

    rules = games.package("bids").rules
    position = moment.dealt(rules, 3, rules.Options(), rules.DECK, throw)[0]
    position = moment.moved(position, 0, Name(3), throw)[0]  # two may answer now
    broken = SimpleNamespace(**vars(rules) | {function: instead})
    with pytest.raises(Faulty, match=f"The rules of bids have a fault: .*{told}"):
        moment.moved(msgspec.structs.replace(position, rules=broken), 2, Accept(), throw)
    assert f"{told}. ({rules.__file__})" in caplog.text


async def test_chance_without_an_end_leaves_the_table_as_it_was(host, sit, monkeypatch):
    id_ = await sit(host, "bids", ["person"] * 2)
    table = await host.table(id_)
    with monkeypatch.context() as broken:
        broken.setattr(table.package.rules, "pending_chance", lambda state: Shuffle((0, 1)))
        broken.setattr(table.package.rules, "resolve_chance", lambda state, outcome: state)
        with pytest.raises(Faulty, match="again and again"):
            await host.answer(id_, 0, table.question(0), Name(3))
    assert await host.answer(id_, 0, table.question(0), Name(3)) == "taken"
