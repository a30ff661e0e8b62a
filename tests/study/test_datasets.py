"""Data sets to publish: what the metadata say is what the tables hold, and anybody makes the same again."""

import csv
import hashlib
import json
from pathlib import Path

import pytest

from spieltisch import games, record
from spieltisch.cli import app as cli
from spieltisch.games.adaman.study import data as of_adaman
from spieltisch.games.adaman.study.winnable import Question
from spieltisch.study import datasets
from spieltisch.study.datasets import Column, Dataset, Wanted
from spieltisch.study.series import series

KNOWN = Path(__file__).parents[2] / "docs" / "answers" / "decks" / "basic.txt"
FEW = Wanted(games=2, deals=3, seed=2026, known=KNOWN)
CELLS = {"sc:Text": str, "sc:Integer": int, "sc:Float": float, "sc:Boolean": {"true": True, "false": False}.__getitem__}


def run(*words):
    return cli.app([*words], exit_on_error=False, result_action="return_value")


def played(_seed):
    """Games of bots that need nothing compiled."""
    yield series("trailblaze", ("chronicler", "novice"), 2026)


@pytest.fixture
def written(tmp_path, monkeypatch):
    """The folder of each data set."""
    monkeypatch.setattr(datasets, "_series", played)
    return {one.name: datasets.write(one, tmp_path) for one in datasets.datasets(FEW)}


def table(folder):
    with (folder / f"{folder.name}.csv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def test_all_that_is_promised_is_there(written):
    assert {*written} == {"events", "firsts", "paradigms", "bot-games", "adaman-deals"}
    assert [len(table(written[name])) for name in ("paradigms", "bot-games", "adaman-deals")] == [9 * 30, 2, 3]


def test_the_metadata_describe_the_table(written):
    for name, folder in written.items():
        told = json.loads((folder / "metadata.json").read_text("utf-8"))
        assert (told["name"], told["conformsTo"]) == (name, "http://mlcommons.org/croissant/1.0")
        assert {"description", "license", "version", "creator", "citeAs"} <= told.keys()
        assert not {"url", "datePublished"} & told.keys()  # nobody knows yet where and when
        (file,) = told["distribution"]
        content = (folder / file["contentUrl"]).read_bytes()
        assert (file["sha256"], file["contentSize"]) == (hashlib.sha256(content).hexdigest(), f"{len(content)} B")
        (rows,) = told["recordSet"]
        assert [field["source"]["extract"]["column"] for field in rows["field"]] == [*table(folder)[0]]
        assert {field["source"]["fileObject"]["@id"] for field in rows["field"]} == {file["@id"]}
        ids = [rows["@id"], file["@id"], *(field["@id"] for field in rows["field"])]
        assert len({*ids}) == len(ids)
        for row in table(folder):
            for field in rows["field"]:
                if row[field["name"]]:
                    CELLS[field["dataType"]](row[field["name"]])


def test_years_are_counted_as_astronomers_do(written):
    events = {row["id"]: row for row in table(written["events"])}
    caesar = [row for row in events.values() if row["date"] in {"44 v.u.Z.", "44 BC"}]
    assert {(row["start"], row["end"]) for row in caesar} == {("-43", "-43")}
    assert all(int(row["start"]) <= int(row["end"]) for row in events.values())
    still_to_come = [row for row in table(written["firsts"]) if row["year"] == "joker"]
    assert {(row["start"], row["end"]) for row in still_to_come} == {("", "")}


def test_a_recorded_game_is_replayed_as_its_row_says(written):
    for row in table(written["bot-games"]):
        replay = record.replay(json.loads(row["record"]))
        found = games.package(row["game"]).rules.result(replay.state.public)
        assert [*map(int, row["scores"].split())] == [*found.scores]
        assert row["bots"].split() == json.loads(row["record"])["seats"]
        assert sum(map(float, row["wins"].split())) == 1


def test_what_is_known_of_a_deal_is_not_solved_again(monkeypatch):
    def solved(question, numbers, on):
        assert (question, [*numbers]) == (Question("basic", 2026, 0.1), [])
        return []

    letters = KNOWN.read_bytes().splitlines()[1][:3].decode()
    monkeypatch.setattr(of_adaman, "run", solved)
    (found,) = of_adaman.datasets(FEW)
    rows = [*found.rows]
    assert [(number, winnable) for number, winnable, *_ in rows] == [
        (number, {"w": True, "l": False}.get(letter.lower())) for number, letter in enumerate(letters)
    ]
    assert all(len({*cards.split()}) == 36 for *_, cards in rows)


def test_publication_is_told_where_it_is_known():
    one = Dataset("few", "Few", "A few.", datasets.CARDS, "1.2.3", (Column("n", "A number.", "Integer"),), [(1,)])
    told = datasets.croissant(one, b"n\n1\n", "https://example.org/data/", "2026-12-24")
    assert told["datePublished"] == "2026-12-24"
    assert told["url"] == "https://example.org/data/few"
    assert told["distribution"][0]["contentUrl"] == "https://example.org/data/few/few.csv"
    assert "url = {https://example.org/data/few}" in told["citeAs"]


def test_the_same_is_written_again(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(datasets, "_series", played)
    for place in ("one", "two"):
        assert run("study", "data", f"--to={tmp_path}/{place}", "--games=1", "--deals=1", f"--known={KNOWN}") == 0
    assert capsys.readouterr().out.count("adaman-deals") == 2
    one, two = ({file.relative_to(at): file.read_bytes() for file in at.rglob("*.*")} for at in
                (tmp_path / "one", tmp_path / "two"))  # fmt: skip
    assert one == two
    assert len(one) == 5 * 3


def test_what_is_known_of_other_deals_is_refused(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(datasets, "_series", played)
    given = f"--to={tmp_path}/data", "--games=1", "--deals=1", "--seed=7", f"--known={KNOWN}"
    assert run("study", "data", *given) == 1
    assert "holds results of something else" in capsys.readouterr().err
