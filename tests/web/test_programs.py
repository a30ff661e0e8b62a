"""JSON for programs: the same tables, described, long-polled, refused as problem details."""

import asyncio
import importlib.util
import random
import re
import sqlite3
from pathlib import Path
from typing import NamedTuple

import anyio.to_thread
import pytest
from hypothesis import HealthCheck, given, settings

from matrix import many
from spieltisch import games
from spieltisch.table.store import Unsaved
from spieltisch.web.core.services import PATIENCE
from spieltisch.web.table import old_addresses
from web.site import served

pytestmark = pytest.mark.anyio
ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "bot.py"
GAMES = [name for name, package in sorted(games.packages().items()) if package.rules.seats[-1] > 1]


def example():
    spec = importlib.util.spec_from_file_location("example_bot", EXAMPLE)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Addresses(NamedTuple):
    """Where programs ask: below /api, and until the next minor version at the pages' own addresses."""

    root: str
    tables: str
    schema: str

    def table(self, opened):
        return f"{self.tables}/{opened['table']}"


NEW, OLD = Addresses("/api", "/api/tables", "/api/openapi.json"), Addresses("", "/t", "/schema/openapi.json")


@pytest.fixture(params=[NEW, OLD], ids=["new", "old"])
def at(request):
    return request.param


def news_since(seen):
    """The parameters of a long poll after this state."""
    return {"after": seen["seq"], "revision": seen["revision"]}


@pytest.mark.parametrize("game", GAMES)
async def test_the_example_plays_a_whole_game(game, at, tmp_path):
    async with served(tmp_path) as site, site.program() as program:
        opened = (await program.post(f"{at.root}/tables", json={"game": game, "name": "Owner"})).json()
        owner = {"authorization": f"Bearer {opened['token']}"}
        url = at.table(opened)
        playing = asyncio.create_task(anyio.to_thread.run_sync(example().play, site.origin + url))
        seen = (await program.get(url, headers=owner)).json()
        while "Random" not in seen["names"]:  # the answer comes as soon as somebody sits down
            seen = (await program.get(url, params=news_since(seen), headers=owner)).json()
        assert seen["stage"] == "waiting"
        assert (await program.post(f"{url}/start", headers=owner)).status_code == 200
        dice = random.Random(1)
        while not (seen := (await program.get(url, headers=owner)).json())["result"]:
            if seen["legal"]:
                answer = {"question": seen["question"], "action": dice.choice(seen["legal"])}
                assert (await program.post(f"{url}/move", json=answer, headers=owner)).status_code in {200, 409}
            else:
                await program.get(url, params=news_since(seen), headers=owner)
        assert (await playing)["end"] == seen["result"]["end"]
        assert len(EXAMPLE.read_text().splitlines()) <= 40


async def test_a_program_waits_for_news_and_is_let_go_when_the_server_stops(at, tmp_path):
    async with served(tmp_path) as site, site.program() as program:
        seen = {"legal": []}
        while not seen["legal"]:  # of thirty deals one is lost at once
            opened = (await program.post(f"{at.root}/play", json={"game": "adaman", "deal": "7"})).json()
            owner = {"authorization": f"Bearer {opened['token']}"}
            url = at.table(opened)
            seen = (await program.get(url, headers=owner)).json()
        assert (seen["seat"], seen["seq"], seen["question"]) == (0, 1, 1)
        waiting = asyncio.create_task(program.get(f"{url}?after=1"))
        await asyncio.sleep(0.05)
        assert not waiting.done()
        sent = {"question": 1, "action": seen["legal"][0]}
        assert (await program.post(f"{url}/move", json=sent, headers=owner)).json()["seq"] == 2
        heard = (await waiting).json()
        assert heard["seq"] == 2
        assert heard["seat"] is None
        assert heard["legal"] == []
        waiting = asyncio.create_task(program.get(f"{url}?after=2"))
        await asyncio.sleep(0.05)
        site.services.stopping.set()
        async with asyncio.timeout(PATIENCE - 5):
            assert (await waiting).json()["seq"] == 2


async def test_a_program_hears_that_the_store_has_lost_what_it_saw(at, tmp_path):
    async with served(tmp_path) as site, site.program() as program:
        opened = (await program.post(f"{at.root}/play", json={"game": "adaman"})).json()
        owner, url = {"authorization": f"Bearer {opened['token']}"}, at.table(opened)
        legal = (await program.get(url, headers=owner)).json()["legal"]
        sent = {"question": 1, "action": legal[0]}
        assert (await program.post(f"{url}/move", json=sent, headers=owner)).json()["seq"] == 2
        waiting = asyncio.create_task(program.get(f"{url}?after=2"))
        await asyncio.sleep(0.1)
        with sqlite3.connect(tmp_path / "tables.sqlite") as file:  # as a standby that takes over and lacks the move
            file.execute("delete from log where id = ? and seq > 1", (opened["table"],))
        site.services.host.memory.turn()
        async with asyncio.timeout(PATIENCE - 5):
            assert (await waiting).json()["seq"] == 1


async def test_a_move_whose_outcome_cannot_be_read_may_count(at, tmp_path, monkeypatch):
    async with served(tmp_path) as site, site.program() as program:
        opened = (await program.post(f"{at.root}/play", json={"game": "adaman"})).json()
        owner, url = {"authorization": f"Bearer {opened['token']}"}, at.table(opened)
        sent = {"question": 1, "action": (await program.get(url, headers=owner)).json()["legal"][0]}
        host = site.services.host
        table, answer = host.table, host.answer

        async def away(*_):
            raise Unsaved

        async def last_answer(*given):
            monkeypatch.setattr(host, "table", away)
            return await answer(*given)

        monkeypatch.setattr(host, "answer", last_answer)
        said = await program.post(f"{url}/move", json=sent, headers=owner)
        assert (said.status_code, "it counts only once" in said.json()["detail"]) == (503, True)
        monkeypatch.setattr(host, "table", table)
        monkeypatch.setattr(host, "answer", answer)
        assert (await program.post(f"{url}/move", json=sent, headers=owner)).json()["seq"] == 2


async def test_a_seat_taken_between_the_look_and_the_poll_is_news(at, tmp_path):
    async with served(tmp_path) as site, site.program() as program:
        opened = (await program.post(f"{at.root}/tables", json={"game": "hic-haec-hoc", "name": "Ada"})).json()
        url = at.table(opened)
        seen = (await program.get(url)).json()
        assert (await program.post(f"{url}/sit", json={"name": "Ben"})).status_code == 200
        async with asyncio.timeout(PATIENCE - 5):
            heard = (await program.get(url, params=news_since(seen))).json()
        assert "Ben" in heard["names"]
        assert heard["revision"] > seen["revision"]
        for name, params in (
            ("Eve", news_since(heard)),
            ("Fay", {"after": 0}),
        ):
            waiting = asyncio.create_task(program.get(url, params=params))
            await asyncio.sleep(0.05)
            assert not waiting.done()
            await program.post(f"{url}/sit", json={"name": name})
            async with asyncio.timeout(PATIENCE - 5):
                assert name in (await waiting).json()["names"]
        for name in ("after", "revision"):
            answer = await program.get(url, params={name: "x"})
            assert (answer.status_code, answer.json()["detail"]) == (422, f"{name} must be a number.")


async def test_refusals_are_problem_details(at, tmp_path):
    async with served(tmp_path) as site, site.program() as program:
        opened = (await program.post(f"{at.root}/play", json={"game": "adaman", "deal": "7"})).json()
        owner = {"authorization": f"Bearer {opened['token']}"}
        url = at.table(opened)
        for status, answer in (
            (404, await program.get(f"{at.tables}/ZZZZZZ")),
            (403, await program.post(f"{url}/move", json={"question": 1, "action": {"type": "Control"}})),
            (422, await program.post(f"{url}/move", json={"question": 1, "action": {"type": "No"}}, headers=owner)),
            (422, await program.post(f"{url}/move", content="{", headers=owner | {"content-type": "application/json"})),
            (409, await program.post(f"{url}/undo", json={"question": 99}, headers=owner)),
            (422, await program.post(f"{at.root}/play", json={"game": "chess"})),
            (404, await program.get(f"{at.root}/nowhere")),
            (405, await program.delete(url)),
        ):
            assert answer.status_code == status, answer.text
            assert answer.headers["content-type"].startswith("application/problem+json")
            assert answer.json()["status"] == status
            assert answer.json()["detail"]


async def test_old_addresses_answer_and_name_the_new_ones(at, tmp_path):
    async with served(tmp_path, root_path="/games") as site, site.program() as program:
        first = await program.post(f"{at.root}/play", json={"game": "adaman", "deal": "7"})
        url, owner = at.table(first.json()), {"authorization": f"Bearer {first.json()['token']}"}
        asked = {"question": (await program.get(url, headers=owner)).json()["question"]}
        for answer in (
            first,
            await program.post(f"{at.root}/tables", json={"game": "chess"}),
            await program.get(at.schema),
            await program.get(f"{url}?after=0"),
            await program.get(f"{at.tables}/ZZ%0d%0aX-Y: 1"),
            await program.post(f"{url}/hint", json=asked, headers=owner),
            await program.post(f"{url}/pause", headers=owner),
        ):
            path = answer.request.url.raw_path.partition(b"?")[0].decode().removeprefix("/games")
            assert "x-y" not in answer.headers
            if at is NEW:
                assert not {"deprecation", "sunset", "link"} & set(answer.headers)
            else:
                new = path.replace("/t/", "/tables/").replace("/schema", "")
                assert answer.headers["link"].startswith(f"</games/api{new.partition('%0d')[0]}")
                assert answer.headers["link"].endswith('>; rel="successor-version"')
                assert answer.headers["deprecation"] == "@1795392000"
                assert answer.headers["sunset"] == "Mon, 01 Mar 2027 00:00:00 GMT"
        assert (await program.get(NEW.schema)).json() == (await program.get(OLD.schema)).json()
        paths = (await program.get(at.schema)).json()["paths"]
        assert len(paths) == 19
        assert all(path.startswith("/api/") for path in paths)


def test_old_addresses_are_gone_when_it_is_said():
    """Fails in the release that was to be without them; until then docs and changelog name it."""
    version = re.findall('(?m)^NEXT = "(.+)"$', (ROOT / "tools/version.py").read_text("utf-8"))[0]
    assert [int(part) for part in version.split(".")] < [int(part) for part in old_addresses.GOES.split(".")]
    day = f"{old_addresses.GOES}, not before 1 March 2027"
    for page in ("CHANGELOG.md", "docs/study.md"):
        assert day in " ".join((ROOT / page).read_text("utf-8").split()), page


async def test_what_is_not_read_is_refused_in_ones_language(tmp_path):
    async with served(tmp_path) as site, site.program() as program:
        opened = (await program.post("/api/play", json={"game": "adaman", "deal": "7"})).json()
        url = f"/api/tables/{opened['table']}"
        sent = {"authorization": f"Bearer {opened['token']}", "content-type": "application/json", "accept": "*/*"}
        for content, says in (
            ("{", "Das ist kein JSON."),
            ("[" * 30_000, "Das ist kein JSON."),
            ("\xff", "Das ist kein JSON."),
            ("[]", "Diese Anfrage hat die falsche Form: "),
            ("{}", "Diese Anfrage hat die falsche Form: "),
            ("", "Diese Anfrage hat die falsche Form: "),
            ('{"question": "x", "action": {}}', "Diese Anfrage hat die falsche Form: question: "),
            ('{"question": 1, "action": {"type": "No"}}', "Das ist keine Handlung dieses Spiels: "),
            (
                '{"question": 1, "action": {"type": "Control", "target": 0, "payment": []}}',
                ("Gewinnen kannst du nur", "Zum Zahlen brauchst du"),
            ),
            ('{"question": -1, "action": {}}', "Dieser Zug war nicht lesbar."),
        ):
            answer = await program.post(f"{url}/move", content=content, headers=sent | {"accept-language": "de"})
            assert answer.status_code == 422, content
            assert answer.headers["content-type"].startswith("application/problem+json")
            assert answer.json()["detail"].startswith(says), answer.text
        there = await program.get(f"{url}?after=x", headers={"accept-language": "de", "accept": "*/*"})
        assert there.json()["detail"] == "after muss eine Zahl sein."
        assert (await program.post(f"{url}/move", content=" " * 70_000, headers=sent)).status_code == 413


async def test_the_description_tells_the_truth(tmp_path):
    """Schemathesis calls what the OpenAPI document describes: no 5xx, and what comes is what it says."""
    import schemathesis.openapi  # half a second in each process that collects tests

    async with served(tmp_path) as site, site.program() as program:
        opened = (await program.post("/api/play", json={"game": "adaman", "deal": "7"})).json()
        raw = (await program.get(NEW.schema)).json()
        schema = schemathesis.openapi.from_dict(raw)
        schema.config.base_url = site.origin
        named = ["response_schema_conformance", "status_code_conformance", "content_type_conformance"]
        known = schemathesis.checks.CHECKS.get_by_names(named)
        checks = [schemathesis.checks.not_a_server_error, *known]
        few = settings(
            max_examples=many(3, 6),
            deadline=None,
            suppress_health_check=list(HealthCheck),
            database=None,
            derandomize=True,
        )

        def call_one(operation):
            def call(case):
                if "code" in case.path_parameters:
                    case.path_parameters["code"] = opened["table"]
                if case.query and "after" in case.query:
                    case.query["after"] = 0
                headers = {"authorization": f"Bearer {opened['token']}", "accept": "application/json"}
                if operation.path.endswith("/delete"):
                    headers.pop("authorization")
                case.call_and_validate(headers=headers, checks=checks)

            few(given(case=operation.as_strategy())(call))()

        def call_all():
            for one in schema.get_all_operations():
                call_one(one.ok())

        await anyio.to_thread.run_sync(call_all)
