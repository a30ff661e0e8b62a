"""Records by the folder, as frames; one that is broken is named, and the others are kept."""

import json

import pytest

import spieltisch
from spieltisch import study
from spieltisch.game import Invalid
from spieltisch.study.recorded import BrokenRecordWarning


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("records")
    study.simulate("trailblaze", "chronicler,novice,random", 6, 4, records=made / "trailblaze")
    study.simulate("hic-haec-hoc", "discipula,magister", 4, 4, records=made / "hic")
    return made


def test_games_and_decisions_tell_what_the_records_do(folder):
    found = study.records(folder, "trailblaze", on=2)
    done = study.simulate("trailblaze", "chronicler,novice,random", 6, 4)
    games, decisions = found.games(), found.decisions()
    assert games[["seat", "name", "win", "score", "actions", "end"]].values.tolist() == [
        [seat, name, win, score, actions, end] for _, seat, name, win, score, actions, end in done.rows.rows
    ]
    assert set(games[games.place == 1].win) == {1.0}
    assert decisions.groupby("file").step.max().tolist() == [one.actions - 1 for one in done.played]
    match = spieltisch.load(decisions.file[0])
    first = next(action for who, action in match.history if isinstance(who, int))
    start = spieltisch.new("trailblaze", 3)
    assert decisions.action[0] == match.package.record.notation(match.deck, start.view(0), first)
    assert decisions.options.min() >= 1
    assert found.broken == []


def test_a_broken_record_is_named_and_the_others_are_kept(folder, tmp_path):
    for number, file in enumerate(sorted((folder / "trailblaze").iterdir())):
        (tmp_path / f"{number}.json").write_bytes(file.read_bytes())
    raw = json.loads((tmp_path / "3.json").read_text())
    raw["log"].insert(9, {"seat": 0, "action": {"dance": True}})
    (tmp_path / "3.json").write_text(json.dumps(raw))
    (tmp_path / "4.json").write_text("{")
    found = study.records(tmp_path)
    with pytest.warns(BrokenRecordWarning) as told:
        games = found.games("polars")
    assert games["file"].n_unique() == 4
    assert [str(one.message).partition(":")[0] for one in told] == [str(tmp_path / "3.json"), str(tmp_path / "4.json")]
    assert "entry 10: " in found.broken[0].reason
    assert "is not JSON: line 1" in found.broken[1].reason


def test_beliefs_are_those_that_the_bots_had(folder, monkeypatch):
    from spieltisch.study import series

    had = []
    monkeypatch.setattr(series, "beliefs_of", lambda *given: had.append(beliefs_of(*given)) or had[-1])
    beliefs_of = study.recorded.beliefs_of
    study.simulate("trailblaze", "chronicler,novice,random", 6, 4)
    frame = study.records(folder, "trailblaze").beliefs()
    assert frame.believed.tolist() == [one.year for held in had for one in held if one.spread != 1.0]  # no jokers
    assert set(frame.level) == {"chronicler", "novice"}
    off = (frame.believed - frame.true).abs().groupby(frame.level).median()
    assert off["chronicler"] < off["novice"]


def test_beliefs_of_forms_are_mixed_up_where_the_level_does_so(folder):
    frame = study.records(folder, "hic-haec-hoc").beliefs()
    assert len(frame) == 4 * 2 * 30
    wrong = frame[frame.true != frame.believed].groupby("level").size()
    assert wrong["discipula"] > wrong.get("magister", 0)
    assert frame.card[0] == "nom.sg.m"


def test_beliefs_of_games_of_people_are_those_of_a_level(tmp_path):
    match = spieltisch.new("anno-domini", ["Ada", "Ben"], seed=3)
    (tmp_path / "game.json").write_text(json.dumps(match.record()))
    found = study.records(tmp_path / "game.json")
    frame = found.beliefs("novice")
    assert set(frame.level) == {"novice"}
    assert len(frame) == 2 * len(match.deck.cards)
    wide, close = (found.beliefs(level).spread.median() for level in ("novice", "chronicler"))
    assert wide > close
    with pytest.raises(Invalid, match="no bot best"):
        found.beliefs("best")
    assert found.games().end.tolist() == [None, None]


def test_where_there_is_nothing_it_is_said(tmp_path):
    for at in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(Invalid, match="has no records"):
            study.records(at)
    with pytest.raises(Invalid, match="games, decisions, beliefs"):
        study.Records([tmp_path], None, 1).rows("moves")
