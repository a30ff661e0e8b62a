"""Language models as players: real servers on this machine answer, and the report says what they were told to do."""

import json
import random
import socket
import sys
import threading
import time
from collections import Counter, defaultdict
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise

import pytest

from matrix import many
from spieltisch import games, new
from spieltisch.arena import Asking, Budget, arena, contest, endpoint, model
from spieltisch.arena.address import DownError, address
from spieltisch.arena.play import play
from spieltisch.cli import app as cli
from spieltisch.game import Invalid
from spieltisch.games.annodomini.cards import wrong_pairs

OPTIONS = {"cards_per_player": 3, "max_rounds": 4}
GOOD = "MOVE: place A at 1\nCHANCE: 50"
TOKENS = {"prompt_tokens": 11, "completion_tokens": 7}


def run(*words):
    return cli.app([*words], exit_on_error=False, result_action="return_value")


class Server:
    """Chat completions on this machine: `answer(body)` says what to send, as a text or (status, headers, text)."""

    def __init__(self, answer, usage):
        self.asked, self._answer = [], answer
        told = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                body["path"] = self.path
                told.asked.append(body)
                found = told._answer(body)
                status, headers, text = found if isinstance(found, tuple) else (200, {}, found)
                sent = json.dumps({"choices": [{"message": {"content": text}}], "usage": usage}).encode()
                self.send_response(status)
                for name, value in {**headers, "Content-Length": len(sent)}.items():
                    self.send_header(name, str(value))
                with suppress(BrokenPipeError):  # who waits no more
                    self.end_headers()
                    self.wfile.write(sent)

            def log_message(self, *_):  # ty: ignore[incompatible-method-override]
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.http.server_port

    def player(self, name):
        return f"{name}=model:http://127.0.0.1:{self.port}/v1#{name}"


@contextmanager
def serving(answer, usage=TOKENS):
    server = Server(answer, usage)
    thread = threading.Thread(target=server.http.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield server
    finally:
        server.http.shutdown()
        server.http.server_close()
        thread.join()


# -- three stubs ---------------------------------------------------------------------------------------------------


class Stubs:
    """Three players behind one address, which know all dates: one honest, one that bluffs, one confused."""

    def __init__(self):
        record = games.package("anno-domini").record
        _, deck = record.load(record.top({}), 2)
        self.spans = {card.front["en"]: card.span for card in deck.cards}
        self.log = []  # (model, what it answered, whether it laid its last card, whether it was asked again)
        self.turns = 0

    def __call__(self, body):
        question = body["messages"][1]["content"]
        chain = _items(question, "The chain, earliest first:\n")
        hand = _items(question, "Your cards:\n")
        said = getattr(self, body["model"])(chain, hand, "(Seat" in question.split("\n\n")[0], body["messages"])
        self.log.append((body["model"], said, len(hand) == 1 or not chain, len(body["messages"]) > 2))
        return f"Let me think.\n\n**MOVE:** {said[0]}.\nCHANCE: {said[1]} %" if said else "I lay something nice."

    def honest(self, chain, hand, can_doubt, _messages):
        if can_doubt and not self._is_right(chain):
            return "doubt", 0
        if not chain:
            return self._opened(hand)
        for letter, card in hand.items():
            for at in range(len(chain) + 1):
                row = [*chain.values()]
                row.insert(at, card)
                if self._is_right(dict(enumerate(row))):
                    return f"place {letter} at {at + 1}", 100
        raise AssertionError(chain)

    def bluffing(self, chain, hand, _can_doubt, _messages):
        return ("place A at 1", 10) if chain else ("open " + " ".join(hand), 10)

    def confused(self, chain, hand, _can_doubt, messages):
        again = len(messages) > 2
        self.turns += not again
        if self.turns % 3 == 0 or (self.turns % 3 == 1 and again):
            return ("place A at 1", 50) if chain else ("open " + " ".join(hand), 50)
        return None if self.turns % 3 == 1 else ("place Q at 99", 50)

    def _opened(self, hand):
        left = sorted(hand, key=lambda letter: self.spans[hand[letter]])
        return "open " + " ".join(left), 100 * self._is_right({one: hand[one] for one in left})

    def _is_right(self, chain):
        return not wrong_pairs(tuple(self.spans[text] for text in chain.values()))


def _items(question, title):
    """The lines below a title, by their numbers or letters."""
    if title not in question:
        return {}
    lines = question.split(title)[1].split("\n\n")[0].splitlines()
    found = (line.partition(". ")[::2] for line in lines)
    return {name: text.rpartition(" (Seat")[0] or text for name, text in found}


def test_stubs_play_unattended_and_the_report_is_what_they_did(tmp_path, capsys):
    stubs = Stubs()
    files = {name: tmp_path / name for name in ("json", "keep", "transcript")}
    with serving(stubs) as server:
        words = [server.player(name) for name in ("honest", "bluffing", "confused")]
        given = [f"--{name}={file}" for name, file in files.items()]
        status = run(
            "arena", "anno-domini", *words, "--deals=4", "--seconds=100", "--options", json.dumps(OPTIONS), *given
        )
    assert status == 0
    told = capsys.readouterr().out
    assert "anno-domini: 24 games" in told
    found = json.loads(files["json"].read_text())
    assert found["complete"]
    assert found["forfeits"] == []
    of = {one["player"]: one for one in found["models"]}
    log = defaultdict(list)
    for name, said, *others in stubs.log:
        log[name].append((said, *others))
    for name, one in of.items():
        asked = log[name]
        assert one["moves"] == sum(not again for *_, again in asked)
        assert (one["asked"], one["said"]) == (11 * len(asked), 7 * len(asked))
        assert one["late"] == 0
    honest, bluffing, confused = of["honest"], of["bluffing"], of["confused"]
    assert honest["brier"]["mean"] == 0
    assert honest["bluffs"]["mean"] == 0
    assert honest["caught"]["mean"] == 1
    assert honest["caught"]["n"] == sum(said[0] == "doubt" for said, *_ in log["honest"]) > 5
    assert honest["gain"]["mean"] > 0
    assert (bluffing["bluffs"]["mean"], bluffing["doubts"]["mean"]) == (1, 0)
    assert [one["said"] for one in bluffing["classes"]] == [0.1]
    after = [
        later[1] is not None and later[1][0] == "doubt"
        for one, later in pairwise(stubs.log)
        if one[0] == "bluffing" and not one[2]
    ]
    assert bluffing["passed"]["n"] == len(after)
    assert bluffing["passed"]["mean"] == pytest.approx(1 - sum(after) / len(after), abs=1e-5)
    ghosts = sum(said is not None and "Q" in said[0] for said, *_ in log["confused"])
    assert confused["ghosts"] == ghosts > 5
    assert confused["unread"] == sum(said is None for said, *_ in log["confused"]) > 5
    assert confused["defaults"] == ghosts / 2
    assert confused["again"] == sum(again for *_, again in log["confused"])
    lines = [json.loads(line) for line in files["transcript"].read_text().splitlines()]
    assert Counter(line["player"] for line in lines if "player" in line) == {n: one["moves"] for n, one in of.items()}
    sizes = [sum(len(one["content"].encode()) for one in body["messages"][:2]) for body in server.asked]
    assert max(sizes) <= model.MOST_BYTES


# -- what goes wrong -----------------------------------------------------------------------------------------------


def test_a_model_that_is_down_stops_the_contest_and_it_goes_on_later(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(endpoint, "WAITS", (0.01, 0.01))
    stubs, keep, broken = Stubs(), tmp_path / "keep", threading.Event()
    broken.set()
    told = []

    def answer(body):
        told.append(body)
        return (503, {}, "") if broken.is_set() and len(told) > 10 else stubs(body)

    with serving(answer) as server:
        words = ("arena", "anno-domini", server.player("honest"), "novice", "--deals=3", "--seconds=100")
        words += ("--options", json.dumps(OPTIONS), "--keep", str(keep))
        assert run(*words) == 1
        said = capsys.readouterr().err
        assert "127.0.0.1 answers with status 503" in said
        assert f"results so far are in {keep}" in said
        kept = keep.read_bytes()
        assert kept.count(b"\n") > 1
        broken.clear()
        assert run(*words) == 0
    assert keep.read_bytes().startswith(kept)
    assert "anno-domini: 6 games" in capsys.readouterr().out


def test_an_answer_that_is_late_is_no_illegal_move():
    stubs, slow = Stubs(), []

    def answer(body):
        slow.append(body)
        if len(slow) == 1:
            time.sleep(1.5)
        return stubs(body)

    with serving(answer) as server:
        done = arena("anno-domini", [server.player("honest"), "novice"], 1, options=OPTIONS, seconds=1)
    (report,) = done.reports
    assert (report.late, report.defaults, report.ghosts, report.unread, report.again) == (1, 1, 0, 0, 0)
    assert not done.forfeits


def test_a_model_that_is_always_late_stops_the_contest():
    with serving(lambda _: time.sleep(0.5)) as server:
        found = contest("anno-domini", [server.player("honest"), "novice"], seconds=0.05)
        with pytest.raises(DownError, match="3 questions in a row"):
            list(play(found, found.placings(0)))


def test_no_redirect_is_followed():
    with serving(lambda _: GOOD) as other:
        location = f"http://127.0.0.1:{other.port}/v1/chat/completions"
        with serving(lambda _: (302, {"Location": location}, "")) as server:
            found = contest("anno-domini", [server.player("honest"), "novice"], seconds=100)
            with pytest.raises(DownError, match="status 302"):
                list(play(found, found.placings(0)))
    assert server.asked[0]["path"] == "/v1/chat/completions"
    assert not other.asked


class Raw:
    """An address that answers every request with these bytes, a piece a tenth of a second, and closes."""

    def __init__(self, *pieces):
        self._pieces, self._held = pieces, socket.create_server(("127.0.0.1", 0))
        self.player = f"raw=model:http://127.0.0.1:{self._held.getsockname()[1]}/v1#raw"
        self._thread = threading.Thread(target=self._serve)

    def _serve(self):
        with suppress(OSError):
            while True:
                line, _ = self._held.accept()
                with line, suppress(OSError):
                    line.recv(1 << 20)
                    for piece in self._pieces:
                        line.sendall(piece)
                        time.sleep(0.1)
                    line.shutdown(socket.SHUT_WR)
                    while line.recv(1 << 20):  # closing before all is read would reset the connection
                        pass

    def __enter__(self):
        self._thread.start()
        return self.player

    def __exit__(self, *_):
        self._held.shutdown(socket.SHUT_RDWR)
        self._held.close()
        self._thread.join()


def raw(body, status="200 OK"):
    return f"HTTP/1.0 {status}\r\nContent-Type: application/json\r\n\r\n".encode() + body.encode()


def test_an_answer_that_trickles_in_is_late_however_its_connection_ends():
    with Raw(raw(""), *[b" "] * 50) as player:
        found = contest("anno-domini", [player, "novice"], seconds=0.3)
        began = time.monotonic()
        with pytest.raises(DownError, match="3 questions in a row"):
            list(play(found, found.placings(0)))
    assert time.monotonic() - began < 4  # three times 0.3, where each takes 5


COMPLETION = '{"choices": [{"message": {"content": "MOVE: place A at 1\\nCHANCE: 50"}}], "usage": %s}'


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (raw('{"x":' + "[" * 100_000), "does not answer as chat completions do"),
        (raw("<html>Hello</html>"), "does not answer as chat completions do"),
        (raw('{"choices": []}'), "does not answer as chat completions do"),
        (raw('{"error": {"message": "no model\\nraw here"}}', "404 Not Found"), "status 404: no model raw here"),
        (raw("<h1>\x1bNo</h1>", "403 Forbidden"), "status 403: <h1> No</h1>"),
        (raw("", "401 Unauthorized"), "status 401: Unauthorized"),
    ],
)
def test_an_address_that_does_not_answer_as_asked_is_told_in_a_sentence(answer, said):
    with Raw(answer) as player:
        found = contest("anno-domini", [player, "novice"], seconds=100)
        with pytest.raises(DownError) as stopped:
            list(play(found, found.placings(0)))
    assert said in str(stopped.value)


@pytest.mark.parametrize(
    ("usage", "counted"),
    [
        ('{"prompt_tokens": 9.0, "completion_tokens": 3}', (9, 3)),
        ('{"prompt_tokens": "nine", "completion_tokens": -3}', (None, None)),
        (f'{{"prompt_tokens": {10**30}}}', (None, None)),
        ('"many"', (None, None)),
        ("null", (None, None)),
    ],
)
def test_tokens_counted_in_another_way_stop_nothing(usage, counted):
    with Raw(raw(COMPLETION % usage)) as player:
        where = address(player.partition("model:")[2])
        said = endpoint.Chat(where, (), 100, 1).complete([{"role": "user", "content": "?"}])
    assert (said.asked, said.said) == counted
    assert said.text.startswith("MOVE")


@pytest.mark.parametrize("key", ["schlüssel", "a\nb"])
def test_a_key_that_no_header_carries_is_refused_in_words(key, monkeypatch):
    monkeypatch.setenv(endpoint.KEY, key)
    with Raw(raw(COMPLETION % "null")) as player:
        found = contest("anno-domini", [player, "novice"], seconds=100)
        with pytest.raises(Invalid, match="no header can carry the key in SPIELTISCH_MODEL_KEY"):
            list(play(found, found.placings(0)))


def test_a_name_is_tried_at_each_of_its_addresses(monkeypatch):
    with Raw(raw(COMPLETION % "null")) as player:
        where = address(player.partition("model:")[2].replace("127.0.0.1", "localhost"))
        monkeypatch.setattr(endpoint, "reach", lambda *_: ["127.0.0.9", "127.0.0.1"])  # nobody listens at the first
        assert endpoint.Chat(where, (), 100, 1).complete([]).text.startswith("MOVE")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("model:http://192.0.43.8/v1#big", "is not on your own network"),
        ("model:http://[2001:4860:4860::8888]/v1#big", "is not on your own network"),
        ("model:http://127.0.0.1:8080/v1", "add the model’s name"),
        ("model:http://me:secret@127.0.0.1/v1#big", "is not the address of a model"),
        ("model:no-such-program", "there is no program no-such-program"),
    ],
)
def test_a_model_elsewhere_is_refused_before_anything_is_played(text, said):
    with pytest.raises(Invalid, match=said):
        contest("anno-domini", [text, "novice"])


def test_a_host_that_is_named_may_be_asked():
    found = contest("anno-domini", ["model:http://192.0.43.8/v1#big", "novice"], asking=Asking(hosts=("192.0.43.8",)))
    assert found.players[0].name == "big"
    assert address("https://lan.example/v1/#a").path == "/v1/chat/completions"


def test_a_budget_begins_no_new_game_and_a_larger_one_goes_on(tmp_path, capsys):
    with serving(Stubs()) as server:
        words = ("arena", "anno-domini", server.player("honest"), "novice", "--deals=3", "--seconds=100")
        words += ("--options", json.dumps(OPTIONS), "--keep", str(tmp_path / "keep"))
        assert run(*words, "--max-questions=1") == 130
        assert "stopped after 1 of 6 games; the budget is spent" in capsys.readouterr().err
        assert run(*words, "--max-tokens=1000000") == 0


def test_several_processes_finish_only_the_games_under_way_over_a_budget():
    with serving(Stubs()) as server:
        players = [server.player("honest"), "novice"]
        done = arena("anno-domini", players, 10, options=OPTIONS, seconds=100, on=3, budget=Budget(questions=1))
    assert 1 <= len(done.played) <= 3


def test_a_budget_of_tokens_stops_at_a_model_that_counts_none(tmp_path, capsys):
    with serving(Stubs(), usage=None) as server:
        words = ("arena", "anno-domini", server.player("honest"), "novice", "--deals=3", "--seconds=100")
        words += ("--options", json.dumps(OPTIONS), "--keep", str(tmp_path / "keep"))
        assert run(*words, "--max-tokens=1000000") == 1
        said = capsys.readouterr().err
        assert "honest counts no tokens" in said
        assert f"results so far are in {tmp_path / 'keep'}" in said
        assert (tmp_path / "keep").read_bytes().count(b"\n") == 2
        assert run(*words, "--max-questions=1000000") == 0


def test_a_score_that_cannot_be_negative_is_not_told_so():
    with serving(lambda _: GOOD) as server:
        done = arena("anno-domini", [server.player("one"), "novice"], 1, options=OPTIONS, budget=Budget(questions=1))
    (report,) = done.reports
    assert len(done.played) == 1
    assert (report.brier.low, report.brier.high) == (0, 1)


def test_a_command_answers_in_lines(tmp_path):
    file = tmp_path / "model.py"
    file.write_text(
        "import json, sys\nfor line in sys.stdin:\n    told = json.loads(line)['messages']\n"
        f"    print(json.dumps({{'content': {GOOD!r} if 'Your cards' in told[1]['content'] else ''}}), flush=True)\n"
    )
    player = f"mine=model:{sys.executable} -S {file}"
    done = arena("anno-domini", [player, "novice"], 1, options=OPTIONS, seconds=100)
    (report,) = done.reports
    assert report.moves > 2
    assert report.asked is None
    assert not done.forfeits
    file.write_text("import sys\nsys.exit('no weights')")
    found = contest("anno-domini", [player, "novice"], seconds=100)
    with pytest.raises(DownError, match="no weights"):
        list(play(found, found.placings(0)))


# -- how answers are read ------------------------------------------------------------------------------------------


class Saying:
    """A model that says these texts, one after the other."""

    def __init__(self, *texts):
        self.texts = [*texts]

    def complete(self, _messages):
        return endpoint.Said(self.texts.pop(0))

    def close(self):
        pass


@pytest.mark.parametrize(
    ("text", "ghosts", "unread"),
    [
        (GOOD, 0, 0),
        ("<think>\nMOVE: doubt\n</think>\n`Move: PLACE  a at 1`\n- **Chance:** 50%", 0, 0),
        (f"{GOOD}\n{GOOD}", 0, 0),
        ("MOVE: place A at 1", 0, 1),
        ("CHANCE: 50", 0, 1),
        ("MOVE: place A at 1\nMOVE: place B at 1\nCHANCE: 50", 0, 1),
        ("MOVE: place A at 1\nCHANCE: 101", 0, 1),
        ("MOVE: place A at 1\nCHANCE: 0.5", 0, 1),
        ("My MOVE: place A at 1\nCHANCE: 50", 0, 1),
        ("MOVE: place A at 0\nCHANCE: 50", 1, 0),
        ("MOVE: place A\nCHANCE: 50", 1, 0),
        ("MOVE: doubt\nCHANCE: 50", 1, 0),  # nobody has laid a card
    ],
)
def test_an_answer_is_read_strictly(text, ghosts, unread):
    match = new("anno-domini", 2, seed=3)
    talker = model.Talker(match, 0, Saying(text, GOOD), Asking(), 1)
    chosen = talker.choose(match.view(0), match.legal)
    assert match.package.prompt.write(match.view(0), chosen, model.translator(match, 0, "en")) == "place A at 1"
    (exchange,) = talker.exchanges
    assert (exchange.ghosts, exchange.unread, exchange.default) == (ghosts, unread, False)


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("game", [*games.packages()])
def test_every_action_is_read_as_it_is_written_and_no_question_is_long(game, lang):
    package, dice = games.package(game), random.Random(game)
    for seats in {package.rules.seats[0], min(6, package.rules.seats[-1])}:
        match = new(game, seats, seed=5)
        longest = model.MOST_BYTES - len(model.rules(match, Asking(lang)).encode())
        for _ in range(60):
            if match.over:
                break
            seat = match.to_act[0]
            tr, view, legal = model.translator(match, seat, lang), match.view(seat), match.legal_for(seat)
            for action in dice.sample(legal, min(len(legal), many(8, len(legal)))):
                assert package.prompt.read(view, legal, package.prompt.write(view, action, tr), tr) == action
            talker = model.Talker(match, seat, Saying("", ""), Asking(lang), 1)
            match.play(talker.choose(view, legal), seat)
            if not package.prompt.listed:
                assert len(talker.exchanges[0].question.encode()) <= longest
