"""A slip on the phones: about what was missed, answered once each, told after the answer, counted for the class."""

import random
from itertools import pairwise

import pytest

from spieltisch.classroom.classrooms import Classrooms
from spieltisch.classroom.counts import Tally
from spieltisch.classroom.slips import TASKS, Task, answered, guesses, slip
from spieltisch.decks.base_kind import kind_of
from spieltisch.decks.library import Library
from spieltisch.games.hichaechoc.forms import CELLS, named
from web.site import refused, served
from web.test_class_report import HISTORY, play, rows_of
from web.test_classes import browsers, lesson, prepared, room_of, seat_of

pytestmark = pytest.mark.anyio
LIBRARY = Library()


def test_tasks_have_one_right_answer_each():
    events = {card.id: card for card in LIBRARY.deck("events", kind_of("events")).cards}
    firsts = LIBRARY.deck("firsts", kind_of("firsts"))
    missed = [Tally("events", one, wrong=1) for one in list(events)[:200:9]]
    missed += [Tally("firsts", card.id, wrong=1) for card in firsts.cards[:20]]
    missed += [Tally("hic", form, wrong=1) for form in named("hic").forms()]
    missed += [Tally("gone", "x", wrong=1), Tally("events", "gone", wrong=1)]
    kinds = set()
    for seed, one in enumerate(missed):
        made = slip(LIBRARY, [one], "exit", random.Random(seed))
        if one.card in {"x", "gone"}:
            assert made is None
            continue
        (task,) = made.tasks
        kinds.add(task.kind)
        (right,) = task.right
        if task.kind == "chain":
            for at in range(task.choices):
                spans = [events[card].span for card in (*task.shown[:at], task.card, *task.shown[at:])]
                fits = all(a.end < b.start for a, b in pairwise(spans))
                assert fits == (at == right)
        elif task.kind == "period":
            card = next(card for card in firsts.cards if card.id == task.card)
            period = firsts.periods[right]
            assert (card.year is None) == (period.end is None) or period.start <= card.year <= period.end
        else:
            forms = {str(".".join(cell)): form for cell, form in zip(CELLS, named("hic").forms(), strict=True)}
            assert [forms[str(cell)] == task.card for cell in task.shown] == [at == right for at in range(task.choices)]
    assert kinds == {"chain", "period", "reading"}


def test_a_slip_is_about_what_was_missed_most_and_ends_after_its_tasks():
    missed = [Tally("hic", form, wrong=1) for form in dict.fromkeys(named("hic").forms())]
    for kind, most in TASKS.items():
        made = slip(LIBRARY, missed, kind, random.Random(1))
        assert [task.card for task in made.tasks] == [one.card for one in missed[:most]]
    tasks = made.tasks[:2]
    good, bad = tasks[0].right[0], (tasks[1].right[0] + 1) % tasks[1].choices
    counted = list(answered(tasks, [(good, bad), (good,), ()]))
    assert [(one.card, one.right, one.wrong) for one in counted] == [
        (tasks[0].card, 1, 0), (tasks[1].card, 0, 1), (tasks[0].card, 1, 0),
    ]  # fmt: skip


async def test_an_exit_slip_from_the_report_to_the_counts(tmp_path):  # noqa: PLR0915
    async with served(tmp_path, pause=lambda: 3600.0) as site, site.browser() as teacher, browsers(site, 6) as pupils:
        url = await lesson(site, teacher, pupils, **HISTORY)
        room = await room_of(site, url)
        await play(site, room, moves=9)
        answer = await teacher.post(f"{url}/slip", data={"kind": "exit"})
        assert "every table has finished" in refused(answer.text)
        await teacher.post(f"{url}/stop")
        assert (await pupils[0].post(f"{url}/slip", data={"kind": "exit"})).status_code == 403
        seat = await seat_of(pupils[0], url)
        async with site.line(seat, pupils[0]) as line:  # the page at the table leads to the slip
            await line.until(lambda m: "html" in m)
            assert (await teacher.post(f"{url}/slip", data={"kind": "exit"})).status_code == 303
            assert (await line.until(lambda m: "goto" in m))["goto"] == f"{url}/seat"
        assert (await pupils[0].get(seat)).headers["location"] == f"{url}/seat"
        assert (await pupils[0].get(f"{url}/seat")).headers["location"] == url
        room = await room_of(site, url)
        tasks = room.slip.tasks
        assert len(tasks) == 3
        library = site.services.host.library
        dates = {card.id: card.date["en"] for card in library.deck("events", kind_of("events")).cards}
        own = pupils[0]
        for n, task in enumerate(tasks):
            page = (await own.get(url)).text
            asked = page[page.index("<form", page.index("stack task")) :]
            assert not any(f">{dates[card]}<" in asked for card in (task.card, *task.shown))
            choice = task.right[0] if n != 1 else (task.right[0] + 1) % task.choices
            assert (await own.post(f"{url}/answer", data={"task": n, "choice": choice})).status_code == 303
            page = (await own.get(url)).text
            assert ("Right!" if n != 1 else "Not quite.") in page
            assert dates[task.card] in page
            again = await own.post(f"{url}/answer", data={"task": n, "choice": task.right[0]})
            assert refused(again.text) == "This has already been answered."
        assert "2 of 3 right" in page
        await pupils[1].post(f"{url}/answer", data={"task": "0", "choice": str(tasks[0].right[0])})
        for bad in ("4", "-1", "x", ""):
            answer = await pupils[1].post(f"{url}/answer", data={"task": "1", "choice": bad})
            assert refused(answer.text) == "This is not one of the choices."
        async with site.browser() as stranger:
            assert (await stranger.post(f"{url}/answer", data={"task": "0", "choice": "0"})).status_code == 403
        assert "1 of 6 pupils have finished" in (await teacher.get(url)).text
        assert "already open" in refused((await teacher.post(f"{url}/slip", data={"kind": "warm-up"})).text)
        # ended: counted once, nobody's answers are kept, all are back at their tables
        before = (await room_of(site, url)).slipped
        for _ in range(2):
            await teacher.post(f"{url}/slip-end")
        room = await room_of(site, url)
        assert before == ()
        assert sorted((one.card, one.right, one.wrong) for one in room.slipped) == sorted(
            [(tasks[0].card, 2, 0), (tasks[1].card, 0, 1), (tasks[2].card, 1, 0)]
        )
        assert not any(one.answers for one in room.pupils)
        assert await seat_of(pupils[0], url) == seat
        assert (await pupils[0].get(seat)).status_code == 200
        assert "The slip has ended." in (await own.post(f"{url}/answer", data={"task": "3", "choice": "0"})).text
        # it is one more round of the lesson, and the next one begins with what was missed in all
        await teacher.post(f"{url}/next")
        room = await room_of(site, url)
        assert (room.slipped, room.slip) == ((), None)
        assert {one.card for one in room.counts} >= {task.card for task in tasks}
        for one in pupils[:2]:
            await one.post(f"{url}/join")
        async with site.line(url, pupils[0], screen="pupil") as line:
            await line.until(lambda m: "html" in m)
            assert (await teacher.post(f"{url}/slip", data={"kind": "warm-up"})).status_code == 303
            await line.until(lambda m: "Warm-up" in m.get("html", ""))
        room = await room_of(site, url)
        missed = {one.card for one in room.counts if one.missed}
        assert {task.card for task in room.slip.tasks} <= missed
        await pupils[0].post(f"{url}/answer", data={"task": "0", "choice": "0"})
        await teacher.post(f"{url}/next")  # an open slip is counted with its lesson
        after = await room_of(site, url)
        assert sum(one.claims for one in after.counts) == 1 + sum(one.claims for one in room.counts)


async def test_when_a_slip_ends_pupils_find_their_tables_open(tmp_path, monkeypatch):
    async with served(tmp_path, pause=lambda: 3600.0) as site, site.browser() as teacher, browsers(site, 6) as pupils:
        url = await lesson(site, teacher, pupils, **HISTORY)
        await play(site, await room_of(site, url), moves=9)
        await teacher.post(f"{url}/stop")
        await teacher.post(f"{url}/slip", data={"kind": "exit"})
        change, found = Classrooms.change, []

        async def changed(classes, *given):
            room = await change(classes, *given)
            found.append(await pupils[0].get(f"{url}/seat"))  # as a phone does once it hears of the change
            return room

        monkeypatch.setattr(Classrooms, "change", changed)
        await teacher.post(f"{url}/slip-end")
        assert [one.status_code for one in found] == [303]
        assert "/t/" in found[0].headers["location"]


async def test_bots_of_a_lesson_that_somebody_tries_answer_a_slip_and_nothing_of_it_is_kept(tmp_path):
    async with served(tmp_path, pause=lambda: 3600.0) as site, site.browser() as teacher:
        url = await prepared(teacher, **HISTORY)
        await teacher.post(f"{url}/demo")
        await teacher.post(f"{url}/deal", data={"way": "number", "dealt": ""})
        await teacher.post(f"{url}/resume")
        await play(site, await room_of(site, url), moves=9)
        await teacher.post(f"{url}/stop")
        async with site.line(url, teacher, screen="wall") as wall:
            await teacher.post(f"{url}/slip", data={"kind": "exit"})
            told = (await wall.until(lambda m: "Exit slip" in m.get("html", "")))["html"]
        assert "12 of 12 pupils have finished" in told
        assert "12 of 12 pupils have finished" in (await teacher.get(url)).text
        tasks = (await room_of(site, url)).slip.tasks
        counted = len(rows_of(await teacher.get(f"{url}/report/csv")))
        await teacher.post(f"{url}/slip-end")
        assert "Exit slip" not in (await teacher.get(f"{url}/wall")).text
        slipped = (await room_of(site, url)).slipped
        assert sum(one.claims for one in slipped) == 12 * len(tasks)
        assert 0 < sum(one.right for one in slipped) < 12 * len(tasks)
        await teacher.post(f"{url}/next")
        assert sum(one.claims + one.passed for one in (await room_of(site, url)).counts) == counted


@pytest.mark.parametrize("sureness", [0.0, 0.5, 1.0])
def test_a_bot_answers_a_slip_as_surely_as_it_is(sureness):
    task = Task("reading", "hic", "huic", ("dat.sg.m", "dat.sg.f", "abl.sg.m", "acc.sg.m"), 4, (0, 1))
    found = guesses([task] * 1000, sureness, random.Random(1))
    assert set(found) == {0.0: {2, 3}, 0.5: {0, 1, 2, 3}, 1.0: {0, 1}}[sureness]
    assert abs(sum(one in task.right for one in found) - 1000 * sureness) < 60


@pytest.mark.parametrize("game", ["anno-domini", "hic-haec-hoc", "trailblaze"])
async def test_a_quick_round_needs_no_tables(tmp_path, game):
    async with served(tmp_path) as site, site.browser() as teacher, browsers(site, 3) as pupils:
        url = await prepared(teacher, game=game, **{f"{game}:level": ""})
        assert 'id="quick"' not in (await teacher.get(url)).text
        for one in pupils[:2]:
            await one.post(f"{url}/join")
        assert 'id="quick"' in (await teacher.get(url)).text
        assert (await teacher.post(f"{url}/slip", data={"kind": "quick"})).status_code == 303
        assert "Quick round" in (await teacher.get(f"{url}/wall")).text
        await pupils[2].post(f"{url}/join")  # who comes late answers, too
        tasks = (await room_of(site, url)).slip.tasks
        assert len({one.card for one in tasks}) == len(tasks) == 8
        for one in pupils:
            assert "Quick round" in (await one.get(url)).text
            for n, task in enumerate(tasks):
                choice = next(n for n in range(task.choices) if n not in task.right)
                answer = await one.post(f"{url}/answer", data={"task": str(n), "choice": str(choice)})
                assert answer.status_code == 303
        assert "3 of 3 pupils have finished" in (await teacher.get(url)).text
        await teacher.post(f"{url}/slip-end")
        assert sum(one.wrong for one in (await room_of(site, url)).slipped) == 24
        # what was missed is looked at together
        assert 'id="debrief"' in (await teacher.get(url)).text
        assert (await teacher.get(f"{url}/debrief")).text.count("3 of 3 wrong") == 5
        assert (await teacher.post(f"{url}/look", data={"look": "3"})).status_code == 303
        assert "3 of 3 wrong" in (await teacher.get(f"{url}/wall")).text
