"""Options from the command line, the environment and a file: each place, their order, and wrong values."""

import inspect
import re
import tomllib
from pathlib import Path

import pytest
from rich.console import Console

from spieltisch.cli import app as commands
from spieltisch.cli import settings
from spieltisch.cli.app import run
from spieltisch.web.server import serve as web

OPTIONS = {name.replace("_", "-") for name in inspect.signature(commands.serve).parameters} - {"config"}


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """A machine with nothing set; a server that would start says how."""
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    # Not by COLUMNS: the command line keeps the console of its first error, with the width of then.
    monkeypatch.setattr(commands.app, "error_console", Console(stderr=True, width=400))
    monkeypatch.setenv("container", "1")
    monkeypatch.setattr(settings, "files", lambda: [tmp_path / "user" / settings.FILE, tmp_path / settings.FILE])
    return tmp_path


@pytest.fixture
def started(monkeypatch):
    """What the server would be started with."""
    given = {}
    monkeypatch.setattr(web, "serve", lambda **asked: given.update(asked) or 0)
    return given


@pytest.fixture
def write(tmp_path):
    def writing(text, name=settings.FILE):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
        return str(tmp_path / name)

    return writing


def said(capsys):
    """The sentence of a refusal."""
    return " ".join(capsys.readouterr().err.replace("│", " ").split())


VALUES = {  # of each option: as it is typed, in the environment, in a file; and what the server gets
    "as-root": ([""], "true", "true", True),
    "browser": (["--no-browser"], "false", "false", False),
    "class-hours": (["5"], "5", "5", 5),
    "data": (["/d"], "/d", '"/d"', None),
    "database": (["postgresql:///d"], "postgresql:///d", '"postgresql:///d"', "postgresql:///d"),
    "expect-tables": ([""], "yes", "true", True),
    "host": (["::1"], "::1", '"::1"', "::1"),
    "keep-days": (["7"], "7", "7", 7),
    "log-format": (["json"], "json", '"json"', "json"),
    "log-level": (["error"], "error", '"error"', "error"),
    "operator": (["A B, C"], "A B, C", '"A B, C"', "A B, C"),
    "mail": (["smtp://m"], "smtp://m", '"smtp://m"', "smtp://m"),
    "mail-from": (["a@b.example"], "a@b.example", '"a@b.example"', "a@b.example"),
    "origin": (["https://x.example"], "https://x.example", '"https://x.example"', "https://x.example"),
    "port": (["9000"], "9000", "9000", 9000),
    "root-path": (["/x"], "/x", '"/x"', "/x"),
    "trusted-proxy": (["::1", "--trusted-proxy", "::2"], "::1 ::2", '["::1", "::2"]', ("::1", "::2")),
    "uds": (["/s"], "/s", '"/s"', None),
    "webhook-host": (["a.example", "--webhook-host", "b.lan=10.0.0.5"], "a.example b.lan=10.0.0.5",
                     '["a.example", "b.lan=10.0.0.5"]', ("a.example", "b.lan=10.0.0.5")),
    "wake": (["redis://w"], "redis://w", '"redis://w"', "redis://w"),
}  # fmt: skip
PARAMETERS = {
    "host": "address",
    "browser": "open_browser",
    "trusted-proxy": "trusted_proxies",
    "webhook-host": "webhook_hosts",
}


def test_every_option_is_tried_here():
    assert {*VALUES} == OPTIONS


@pytest.mark.parametrize("way", ["typed", "environment", "file", "file with underscores"])
@pytest.mark.parametrize("option", VALUES)
def test_an_option_can_be_set_in_each_place(option, way, monkeypatch, write, started):
    typed, variable, toml, wanted = VALUES[option]
    words = []
    if way == "typed":
        words = [word for word in ([] if typed[0].startswith("--") else [f"--{option}"]) + typed if word]
    elif way == "environment":
        monkeypatch.setenv(settings.variable(option), variable)
    else:
        write(f"{option.replace('-', '_') if 'underscores' in way else option} = {toml}\n")
    assert run(["serve", *words]) == 0
    got = started[PARAMETERS.get(option, option.replace("-", "_"))]
    assert (str(got) == typed[0]) if wanted is None else (got == wanted)


def test_the_nearer_place_counts(monkeypatch, write, started):
    write("port = 1\nhost = 'file'\norigin = 'http://file'\nkeep-days = 9\ntrusted-proxy = '::1'\n")
    monkeypatch.setenv("SPIELTISCH_PORT", "2")
    monkeypatch.setenv("SPIELTISCH_HOST", "environment")
    monkeypatch.setenv("SPIELTISCH_ORIGIN", "")  # as compose files pass what is not set
    assert run(["serve", "--port", "3"]) == 0
    assert (started["port"], started["address"], started["origin"]) == (3, "environment", "http://file")
    assert (started["keep_days"], started["class_hours"], started["trusted_proxies"]) == (9, 24, ("::1",))


def test_one_file_is_read_the_named_one_or_the_first(monkeypatch, write, started):
    write("port = 1\nkeep-days = 2\n")
    assert run(["serve"]) == 0
    assert (started["port"], started["keep_days"]) == (1, 2)
    write("port = 3\n", f"user/{settings.FILE}")
    assert run(["serve"]) == 0
    assert (started["port"], started["keep_days"]) == (3, 30)
    monkeypatch.setenv("SPIELTISCH_CONFIG", write("port = 4\n", "named.toml"))
    assert run(["serve"]) == 0
    assert started["port"] == 4
    assert run(["serve", "--config", write("port = 5\n", "typed.toml")]) == 0
    assert started["port"] == 5


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("prot = 1", "The file {file} sets an unknown option: prot."),
        ("[serve]\nport = 1", "The file {file} sets an unknown option: serve."),
        ("port = 'x'", "{file}"),
        ("port = [1, 2]", "{file}"),
        ("log-level = 'loud'", "{file}"),
        ("port 1", "The file {file} cannot be read: "),
        ("port = 1\nport = 2", "The file {file} cannot be read: "),
    ],
)
def test_what_is_wrong_in_a_file_is_told_with_the_file(text, wanted, write, started, capsys):
    file = write(text)
    assert run(["serve"]) == 2
    assert wanted.format(file=file) in said(capsys)
    assert not started


def test_a_named_file_that_is_missing_is_told(home, monkeypatch, started, capsys):
    monkeypatch.setenv("SPIELTISCH_CONFIG", str(home / "none.toml"))
    assert run(["serve"]) == 2
    assert f"The file {home / 'none.toml'} cannot be read: No such file" in said(capsys)


@pytest.mark.parametrize("value", ["0.5", "1.5", "-0.1", "inf"])
@pytest.mark.parametrize("place", ["command line", "environment", "file"])
def test_a_fraction_is_refused_where_a_whole_number_is_needed(value, place, monkeypatch, write, started, capsys):
    words, where = ["serve"], ""
    if place == "command line":
        words.append(f"--keep-days={value}")
    elif place == "environment":
        monkeypatch.setenv("SPIELTISCH_KEEP_DAYS", value)
        where = " --keep-days is set in SPIELTISCH_KEEP_DAYS."
    else:
        where = f" --keep-days is set in {write(f'keep-days = {value}')}."
    assert run(words) == 2
    assert f"--keep-days must be a whole number, not {value}.{where}" in said(capsys)
    assert not started


def test_a_whole_number_may_have_a_point(started):
    assert run(["serve", "--keep-days", "7.0"]) == 0
    assert started["keep_days"] == 7


@pytest.mark.parametrize(
    ("name", "value"), [("PORT", "tcp://10.0.0.1:80"), ("EXPECT_TABLES", "maybe"), ("LOG_LEVEL", "loud")]
)
def test_what_is_wrong_in_the_environment_is_told_with_the_variable(name, value, monkeypatch, started, capsys):
    monkeypatch.setenv(f"SPIELTISCH_{name}", value)
    assert run(["serve"]) == 2
    assert f"is set in SPIELTISCH_{name}." in said(capsys)
    assert not started


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("KEEP_DAYS", "-3"),
        ("ORIGIN", "x"),
        ("TRUSTED_PROXY", "nginx"),
        ("ROOT_PATH", "//x"),
        ("WEBHOOK_HOST", "http://x"),
    ],
)
@pytest.mark.parametrize("way", ["environment", "file", "typed"])
def test_what_cannot_be_meant_names_its_place(name, value, way, monkeypatch, write, capsys):
    option = f"--{name.lower().replace('_', '-')}"
    words, place = [], f"SPIELTISCH_{name}"
    if way == "environment":
        monkeypatch.setenv(place, value)
    elif way == "file":
        place = write(f"{option[2:]} = {value if value[0] == '-' else repr(value)}")
    else:
        words = [option, value]
    assert run(["serve", *words]) == 2
    sentence = capsys.readouterr().err
    assert option in sentence
    assert (f"{option} is set in {place}." in sentence) == (way != "typed")


def test_commands_beside_the_server_look_in_the_same_places(home, monkeypatch, write, capsys):
    write(f"data = '{home}/data'\nport = 9\n")  # they have no port, and do not mind it
    assert run(["link"]) == 0
    assert (home / "data" / "secret").exists()
    monkeypatch.setenv("SPIELTISCH_DATA", str(home / "other"))
    monkeypatch.setenv("SPIELTISCH_TO", "http://elsewhere")  # no option of the server
    assert run(["link"]) == 0
    assert (home / "other" / "secret").exists()
    assert capsys.readouterr().out.count("http://localhost:8000/host#") == 2


def test_commands_that_serve_nothing_do_not_look(monkeypatch, capsys):
    monkeypatch.setenv("SPIELTISCH_GAMES", "/nowhere")  # a folder of games, not the number that simulate asks for
    monkeypatch.setenv("SPIELTISCH_SEED", "7")
    assert run(["simulate", "trailblaze", "--bots", "random,random", "--games", "1"]) == 0
    assert "seed 1" in capsys.readouterr().out


def test_config_prints_what_is_in_force_and_from_where(home, monkeypatch, write, capsys):
    file = write("keep-days = 7\nwake = 'redis://me:geheim@w/0'\ndatabase = 'postgresql:///x?password=geheim'\n"
                 "mail = 'smtps://me%40x.example:geheim@m.example'\nmail-from = 'me@x.example'\n"
                 "origin = 'https://t.example'\n")  # fmt: skip
    monkeypatch.setenv("SPIELTISCH_TRUSTED_PROXY", "::1 127.0.0.1")
    monkeypatch.setenv("SPIELTISCH_PROT", "9")
    assert run(["config", "--port", "9000"]) == 0
    out = capsys.readouterr().out
    options = tomllib.loads(out)  # what it prints could stand in a file
    assert {*options} == OPTIONS
    assert options["port"] == 9000
    assert options["trusted-proxy"] == ["::1", "127.0.0.1"]
    assert options["wake"] == "redis://me:•••@w/0"
    assert options["mail"] == "smtps://me%40x.example:•••@m.example"
    assert "geheim" not in out
    places = {line.split(" ", 1)[0]: line.rpartition("# ")[2] for line in out.splitlines() if line[0] != "#"}
    assert places == dict.fromkeys(OPTIONS, "default") | {
        "port": "command line", "trusted-proxy": "SPIELTISCH_TRUSTED_PROXY",
        "keep-days": file, "wake": file, "database": file, "mail": file, "mail-from": file, "origin": file,
    }  # fmt: skip
    assert f"# File: {file}" in out
    assert "# SPIELTISCH_PROT does not set any option." in out


def test_the_file_of_the_page_is_taken(home, monkeypatch, write, capsys):
    page = (Path(__file__).parents[1] / "docs/hosting.md").read_text("utf-8")
    (toml,) = re.findall(r"<!-- file: spieltisch.toml -->\n```toml\n(.*?)```", page, re.DOTALL)
    file = write(toml, f"user/{settings.FILE}")
    (command,) = re.findall(r"<!-- typed by tests/test_settings.py -->\n```sh\n(.*?)\n```", page, re.DOTALL)
    assert run(command.partition("/bin/spieltisch ")[2].split()) == 0
    out = capsys.readouterr().out
    assert out.count(f"# {file}") == len(tomllib.loads(toml)) == 6


def test_config_refuses_what_the_server_would_refuse(monkeypatch, capsys):
    monkeypatch.setenv("SPIELTISCH_KEEP_DAYS", "-3")
    assert run(["config"]) == 2
    out, err = capsys.readouterr()
    assert "keep-days = -3" in out
    assert "--keep-days is set in SPIELTISCH_KEEP_DAYS." in err


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        (
            {"mail": "mail.example", "mail-from": "a@b.example", "origin": "https://x.example"},
            "--mail needs an address such",
        ),
        ({"mail": "smtps://me:geheim@mail.example", "origin": "https://x.example"}, "--mail needs --mail-from"),
        ({"mail": "smtps://me:geheim@mail.example", "mail-from": "a@b.example"}, "--mail needs --origin"),
        ({"mail": "smtps://me:ge/heim@mail.example", "mail-from": "a@b.example"}, "--mail needs an address such"),
        ({"mail-from": "a@b.example", "origin": "https://x.example"}, "--mail needs an address such"),
        ({"webhook-host": "hooks.example"}, "--webhook-host needs --origin"),
    ],
)
def test_what_is_missing_for_messages_is_told_without_the_password(options, wanted, write, capsys):
    write("".join(f"{name} = '{value}'\n" for name, value in options.items()))
    assert run(["config"]) == 2
    out, err = capsys.readouterr()
    assert wanted in err
    assert "heim" not in out + err


def test_config_names_the_files_that_are_looked_for(home, monkeypatch, capsys):
    assert run(["config"]) == 0
    assert str(home / "user" / settings.FILE) in capsys.readouterr().out.splitlines()[0]
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    assert run(["config"]) == 0
    assert re.search("Vorgabe$", capsys.readouterr().out, re.MULTILINE)


@pytest.mark.parametrize(
    ("words", "warned"),
    [
        (["--database", "postgresql:///x", "--wake", "redis://:geheim@w"], ["--wake"]),
        (["--database", "postgresql://a:geheim@h/x"], ["--database"]),
        (["--database", "postgresql://a@h/x", "--wake", "redis://w:6379"], []),
        (["--mail", "smtps://a%40b.example:geheim@m.example"], ["--mail"]),
    ],
)
def test_a_typed_password_is_warned_of(words, warned, monkeypatch, started, capsys):
    assert run(["serve", *words]) == 0
    err = capsys.readouterr().err
    assert [line.split()[0] for line in err.splitlines()] == warned
    assert "geheim" not in err
    monkeypatch.setenv("SPIELTISCH_WAKE", "redis://:geheim@w")
    assert run(["serve", "--database", "postgresql:///x"]) == 0
    assert capsys.readouterr().err == ""
