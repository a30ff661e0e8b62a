"""`spieltisch study adaman solve`, from files to lines that replay."""

import csv
import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from matrix import many
from spieltisch.cli.app import run
from spieltisch.dice import FastDice
from spieltisch.game import Invalid
from spieltisch.games.adaman.decktet import decktet
from spieltisch.games.adaman.record import PRESETS
from spieltisch.games.adaman.study import known, winnable
from spieltisch.games.adaman.study.known import Known
from spieltisch.intervals import wilson

pytestmark = pytest.mark.timeout(600)  # the first of them all compiles the kernels


@pytest.fixture
def spieltisch(tmp_path, monkeypatch, capsys):
    """The command as typed in `tmp_path`, without a process of its own: its exit status, and what it printed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LC_ALL", "C")

    def typed(*words):
        try:
            status = run(words)
        except SystemExit as left:
            status = left.code
        return SimpleNamespace(returncode=status, **capsys.readouterr()._asdict())

    return typed


def shuffled(preset, seed):
    options = PRESETS[preset]
    ids = [card.id for card in decktet(options.get("extra", ())).cards]
    return {
        "format": "spieltisch-record/1", "game": "adaman", "options": options, "seats": ["Mira"],
        "log": [{"chance": "shuffle", "outcome": list(FastDice(seed).shuffle(ids))}],
    }  # fmt: skip


def test_lines_replay_and_bad_files_are_refused(spieltisch, tmp_path):
    records = [shuffled(preset, seed) for preset, seed in [("basic", 1), ("extended", 2), ("hard", 3)]]
    for number, record in enumerate(records):
        (tmp_path / f"{number}.json").write_text(json.dumps(record), encoding="utf-8")
    empty, longer = {**records[0], "log": []}, {**records[0], "log": [*records[0]["log"], {"seat": 0, "action": {}}]}
    (tmp_path / "empty.json").write_text(json.dumps(empty), encoding="utf-8")
    (tmp_path / "longer.json").write_text(json.dumps(longer), encoding="utf-8")
    (tmp_path / "broken.json").write_text("{", encoding="utf-8")
    files = ["0.json", "empty.json", "1.json", "longer.json", "broken.json", "missing.json", "2.json"]
    done = spieltisch("study", "adaman", "solve", "--json", "--seconds", "1", *files)
    assert done.returncode == 1
    refusals = [line for line in done.err.splitlines() if not line.startswith("Compiling")]
    assert [line.split(":")[0] for line in refusals] == ["empty.json", "longer.json", "broken.json", "missing.json"]
    assert "entry 2" in refusals[1]
    answers = [json.loads(line) for line in done.out.splitlines()]
    assert len(answers) == 3
    for number, (record, answer) in enumerate(zip(records, answers, strict=True)):
        record["log"] += answer["line"]
        (tmp_path / f"{number}.json").write_text(json.dumps(record), encoding="utf-8")
    replayed = spieltisch("replay", "--json", "0.json", "1.json", "2.json")
    assert replayed.returncode == 0
    for answer, line in zip(answers, replayed.out.splitlines(), strict=True):
        outcome = json.loads(line)
        assert (outcome["end"] == "won") == (answer["winnable"] is True)
        assert answer["best"] in {None, outcome["scores"]["0"] if outcome["over"] else None}


def test_no_file_is_a_wrong_command(spieltisch):
    assert spieltisch("study", "adaman", "solve").returncode == 2


def test_winnable_is_the_same_for_any_number_of_jobs(spieltisch):
    words = ["study", "adaman", "winnable", "--deals", "30", "--seed", "5", "--seconds", "0.5", "--json=-"]
    one, two = (json.loads(spieltisch(*words, "--jobs", n).out) for n in "12")
    assert one["deals"] == two["deals"] == 30
    for figures in (one, two):
        assert figures["won"] + figures["lost"] + figures["undecided"] == 30
        assert figures["share"]["low"] < figures["won"] / 30 <= (30 - figures["lost"]) / 30 < figures["share"]["high"]
    slack = one["undecided"] + two["undecided"]  # what time suffices for is another matter
    assert abs(one["won"] - two["won"]) <= slack
    assert abs(one["lost"] - two["lost"]) <= slack


def test_what_was_found_out_is_kept_and_a_sample_of_the_undecided_solved_again(spieltisch, tmp_path):
    file = tmp_path / "kept"
    words = ["study", "adaman", "winnable", "--seed", "5", "--seconds", "1e-9", "--keep", "kept", "--json=-"]
    one = json.loads(spieltisch(*words, "--deals", "20").out)
    head, kept = file.read_text().splitlines()
    about = {"deck": "basic", "cards": 36, "seed": 5, "seconds": 1e-9, "rules": 1}
    assert json.loads(head) == about
    assert len(kept) == one["deals"] == 20
    assert kept.count("u") == one["undecided"] > 15  # a moment is enough only for deals that are over at once
    more = ["--deals", "22", "--sample", "4", "--longer", "20"]
    two = json.loads(spieltisch(*words, *more).out)
    same, more = file.read_text().splitlines()
    assert same == head
    assert (len(more), two["deals"]) == (22, 22)
    assert more.lower()[:20].translate(str.maketrans("wl", "uu")) == kept.translate(str.maketrans("wl", "uu"))
    assert sum(letter.isupper() for letter in more) == sum(two["again"]) == 4
    assert two["again"][0] == more.count("W") > 0
    assert two["share"]["low"] > one["share"]["low"]
    other = spieltisch(*words, "--deals", "22", "--deck", "easy")
    assert other.returncode == 1
    assert "kept holds results of something else" in other.err
    assert file.read_text().splitlines() == [head, more]


def test_decks_of_ones_own_are_counted_and_written_as_csv(spieltisch):
    words = ["study", "adaman", "winnable", "--deals", "2", "--seconds", "1e-9"]
    done = spieltisch(*words, "--deck", "island,rite", "--csv=-")
    head, line = csv.reader(done.out.splitlines())
    found = dict(zip(head, line, strict=True))
    assert (found["deck"], found["cards"], found["deals"]) == ("island,rite", "38", "2")
    assert sum(int(found[end]) for end in ("won", "lost", "undecided")) == 2
    for wrong in ("island,island", "island,moon", "best"):
        refused = spieltisch(*words, "--deck", wrong)
        assert refused.returncode == 1
        assert f"there is no deck '{wrong}': name one of basic, excuse," in refused.err


def test_the_page_about_the_decks_tells_what_was_counted():
    folder = Path(__file__).parents[2] / "docs" / "answers"
    page = (folder / "decks.md").read_text("utf-8")
    with (folder / "decks.csv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    for row in rows:
        counts = [int(row[name]) for name in ("deals", "won", "lost", "undecided")]
        assert counts[0] == sum(counts[1:])
        said = " | ".join(f"{count:,}" for count in counts)
        again = " / ".join(f"{int(row[f'again_{end}']):,}" for end in ("won", "lost", "undecided"))
        share, low, high = (100 * float(row[name]) for name in ("winnable", "low", "high"))
        assert f"| {row['cards']} | {said} | {again} | {share:.2f} % ({low:.2f}–{high:.2f}) |" in page
    for file in (folder / "decks").glob("*.txt"):
        about = json.loads(file.read_bytes().splitlines()[0])
        question = winnable.Question(about["deck"], about["seed"], about["seconds"])
        told = winnable.as_csv(winnable.figures(question, known.read(file, question.about)))
        assert next(csv.DictReader(told.splitlines())) in rows


def test_letters_are_kept_by_the_hundred_and_gone_on_with(tmp_path):
    file, about = tmp_path / "kept", {"deck": "basic", "seed": 1}
    letters = Known(about, file)
    for deal in range(250):
        letters.add(deal, (True, False, None)[deal % 3])
    letters.add(2, False)
    letters.add(248, None)
    letters.close()
    assert [len(line) for line in file.read_text().splitlines()[1:]] == [100, 100, 50]
    again = Known(about, file)
    assert again.letters == letters.letters == (b"wlL" + b"wlu" * 83)[:248] + b"Uw"
    again.add(250, True)
    again.close()
    assert known.read(file, {"seed": 1})[248:] == b"Uww"
    whole = file.read_bytes()
    for wrong, what in (
        ({"seed": 2}, "holds results of something else"),
        ({"deck": "easy", "seed": 1}, "holds results of something else"),
    ):
        with pytest.raises(Invalid, match=what):
            Known(wrong, file)
    assert file.read_bytes() == whole
    for broken in (whole.replace(b"wlL", b"wl?"), whole.replace(b"wlL", b"wl", 1)):
        file.write_bytes(broken)
        with pytest.raises(Invalid, match="not the letters of 100 deals"):
            known.read(file, about)
    for other in (b"something\n", b"", b"[" * 100_000 + b"\n"):
        file.write_bytes(other)
        with pytest.raises(Invalid, match="holds results of something else"):
            known.read(file, about)


def test_a_sample_stands_for_all_that_were_not_decided():
    letters = bytearray(b"wlu" * 200)
    order = winnable.sample(1, letters)
    assert winnable.sample(1, letters[:300]) == [deal for deal in order if deal < 300]
    for i, deal in enumerate(order[:100]):
        letters[deal] = b"WLLLU"[i % 5]
    for deal in order[150:]:  # what lies beyond a gap is no sample
        letters[deal] = b"W"[0]
    assert sorted(winnable.sample(1, letters)) == sorted(order)
    found = winnable.figures(winnable.Question("basic", 1, 1.0), letters)
    assert (found.won, found.lost, found.undecided, found.again) == (200, 200, 200, (20, 60, 20))
    assert found.share.mean == pytest.approx((200 + 200 * 0.3) / 600, abs=1e-6)
    low, high = (200 + 200 * 0.2) / 600, (200 + 200 * 0.4) / 600
    assert 0.03 < low - found.share.low < 0.06
    assert 0.03 < found.share.high - high < 0.06


@pytest.mark.parametrize(
    ("letters", "low", "high"),
    [
        (b"wwww", wilson(1, 4)[0], 1),
        (b"llll", 0, wilson(0, 4)[1]),
        (b"w" * 17 + b"lll", *wilson(0.85, 20)),
        (b"w" * 14 + b"uuulll", wilson(0.7, 20)[0], wilson(0.85, 20)[1]),  # the undecided both ways
        (b"w" * 14 + b"WWWlll", *wilson(0.85, 20)),  # all of them are decided in the end
        (b"uuuu", 0, 1),
    ],
)
def test_a_share_of_few_deals_has_wilsons_interval(letters, low, high):
    share = winnable.figures(winnable.Question("basic", 1, 1.0), letters).share
    assert (share.low, share.high) == (pytest.approx(low, abs=1e-6), pytest.approx(high, abs=1e-6))


def test_a_sample_of_the_undecided_narrows_their_interval():
    letters = bytearray(b"w" * 100 + b"u" * 100)
    widths = []
    for deal in winnable.sample(1, letters):
        letters[deal] = b"WL"[len(widths) % 2]
        share = winnable.figures(winnable.Question("basic", 1, 1.0), letters).share
        widths.append(share.high - share.low)
        assert share.low < share.mean <= share.high
    assert widths[0] > widths[9] > widths[39] > widths[99]


def test_figures_are_written_as_the_language_writes_them():
    question = winnable.Question("basic", 1, 0.25)
    said = winnable.as_text(winnable.figures(question, bytearray(b"wlw")), "de", [0.0042, 0.0042])
    assert "für jede höchstens 0,25 s" in said
    assert "Mittel 4,2 ms" in said
    assert "at most 0.25 s" in winnable.as_text(winnable.figures(question, bytearray(b"wlw")))


@pytest.mark.parametrize(
    "words", [("bound", "--tries", str(many(100, 300)), "--piles", str(many(10, 20))), ("coach", "--games", "20")]
)
def test_deals_with_the_pile_hidden_are_kept_and_gone_on_with(spieltisch, tmp_path, words):
    words = ["study", "adaman", *words, "--keep", "kept"]
    assert spieltisch(*words, "--deals", "2").returncode == 0
    head, first, second = (tmp_path / "kept").read_text().splitlines()
    (tmp_path / "kept").write_text("\n".join((head, first, '{"number": ')))  # the disk was full
    done = spieltisch(*words, "--deals", "3", "--on", "processes:2")
    assert (done.returncode, ": 3 deals, seed 1" in done.out) == (0, True)
    lines = (tmp_path / "kept").read_text().splitlines()
    assert lines[:2] == [head, first]
    anew, before = (json.loads(line) for line in (lines[2], second))
    assert anew | {"spent": 0} == before | {"spent": 0}
    assert len(lines) == 4
    spieltisch(*words, "--deals", "1", "--first", "2")
    assert (tmp_path / "kept").read_text().splitlines() == lines
    other = spieltisch(*words, "--deals", "2", "--seed", "2")
    assert (other.returncode, "kept holds results of something else" in other.err) == (1, True)


@pytest.mark.parametrize("words", [("bound", "--csv"), ("winnable", "--csv"), ("winnable", "--json")])
def test_a_file_that_cannot_be_written_is_said_before_anything_is_reckoned(spieltisch, tmp_path, words):
    command, option = words
    for file, why in (("no/file", "No such file or directory"), (".", "Is a directory")):
        done = spieltisch("study", "adaman", command, "--deals", "10000000", f"{option}={file}")
        assert (done.returncode, done.err) == (1, f"{file}: cannot be written: {why}\n")
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("command", ["learn", "teach"])
def test_a_net_that_could_not_be_written_is_not_learnt_first(spieltisch, command):
    done = spieltisch("study", "adaman", command, "nowhere/net.npz")
    assert (done.returncode, done.err) == (1, "nowhere/net.npz: cannot be written: No such file or directory\n")


def test_who_stops_before_the_first_part_keeps_no_empty_net(spieltisch, tmp_path, monkeypatch):
    def stopped(*_):
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr("spieltisch.games.adaman.study.learn.learn", stopped)
    assert spieltisch("study", "adaman", "learn", "net.npz").returncode == 130
    assert not list(tmp_path.iterdir())
    (tmp_path / "net.npz").write_bytes(b"a net of before")
    spieltisch("study", "adaman", "learn", "net.npz")
    assert (tmp_path / "net.npz").read_bytes() == b"a net of before"


def test_the_command_tells_the_bound_and_refuses_other_deals(spieltisch, tmp_path):
    spieltisch("study", "adaman", "winnable", "--deals", "40", "--seed", "4", "--keep", "known.txt")
    typed = ("study", "adaman", "bound", "--deals", "2", "--piles", "20", "--tries", "100", "--known", "known.txt")
    done = spieltisch(*typed, "--seed", "4")
    first, cost, wins, spent = done.out.splitlines()
    assert first == "Adaman, basic, upper bound with the pile hidden: 2 deals, seed 4, 20 piles a position"
    assert cost.startswith("  not to know the pile costs at least ")
    assert wins.startswith("  so nobody wins more than ")
    assert "followed to their end" in spent
    assert spieltisch(*typed, "--seed", "4", "--first", "7", "--csv", "ways.csv").returncode == 0
    lines = (tmp_path / "ways.csv").read_text().splitlines()
    assert lines[0] == "deal,cost,whole,seconds"
    assert [line.split(",")[0] for line in lines[1:]] == ["7", "8"]
    other = spieltisch(*typed, "--seed", "5")
    assert (other.returncode, other.err[:40]) == (1, "spieltisch study adaman bound: known.txt")
