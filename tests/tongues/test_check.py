"""`spieltisch language new` and `check`, on folders as people write and send them."""

import re
import shutil

import pytest

from spieltisch import i18n, languages
from spieltisch.cli.app import app
from spieltisch.cli.language_folder import ROOM, findings, width
from spieltisch.languages import LANGUAGES, po


def typed(*words):
    return app(["language", *words], exit_on_error=False, print_error=False, result_action="return_value")


@pytest.fixture
def begun(tmp_path):
    assert typed("new", "pl", "--from", "de", "--to", str(tmp_path)) == 0
    return tmp_path / "pl"


def translate(folder, name, message, said):
    """Put a translation into a catalogue, as an editor would."""
    file = folder / "messages" / f"{name}.po"
    messages = po.read(file.read_text("utf-8"))
    one = next(one for one in messages if one.ids[0] == message)
    one.strings = (said,) if isinstance(said, str) else said
    file.write_text(po.written(messages), "utf-8")


def test_a_new_language_is_open_but_not_wrong(begun, capsys):
    assert languages.read(begun).falls_back == ("de",)
    messages = po.read((begun / "messages" / "hichaechoc.po").read_text("utf-8"))
    objection = next(one for one in messages if one.ids == ("Objection upheld.",))
    assert objection.comments == (i18n.package_catalog(_game("hichaechoc"), "de").gettext("Objection upheld."),)
    assert {len(one.strings) for one in messages[1:] if len(one.ids) > 1} == {3}
    assert typed("check", str(begun)) == 0
    assert "are not translated" in capsys.readouterr().out


def _game(folder):
    return LANGUAGES["de"].folder.parents[1] / "games" / folder


@pytest.mark.parametrize(
    ("message", "said", "found"),
    [
        ("Table {code}", "Stół {kod}", "Nothing fills {kod}"),
        ("Table {code}", "Stół", "{code} is lost"),
        ("{n} card", ("{n} karta", "{n} karty"), "needs 3 forms, not 2"),
        ("Table {code}", "<b>Stół</b> {code}", "The markup"),
        ("Join", "Konstantynopolitańczykowianeczkami", "too long for a button"),
    ],
)
def test_what_a_page_would_show_wrong_is_an_error(begun, capsys, message, said, found):
    translate(begun, "spieltisch", message, said)
    assert typed("check", str(begun)) == 1
    line = next(line for line in capsys.readouterr().err.splitlines() if found in line)
    file, number, _ = line.split(":", 2)
    assert message in "\n".join((begun / file).read_text("utf-8").splitlines()[int(number) - 1 : int(number) + 1])


def test_words_left_in_english_and_files_nobody_reads_are_told(begun, capsys):
    translate(begun, "spieltisch", "Delete the table", "Delete the table")
    (begun / "rules" / "adamann.md").write_text("?", "utf-8")
    assert typed("check", str(begun)) == 1
    told = capsys.readouterr()
    assert "“Delete the table” is still in English." in told.out
    assert "rules/adamann.md: Nothing reads this file." in told.err


def test_what_cannot_be_read_is_named_with_its_line(begun, capsys):
    file = begun / "messages" / "decks.po"
    file.write_text(file.read_text("utf-8") + '\nmsgid "x"\nmsgstr "y\n', "utf-8")
    assert typed("check", str(begun)) == 1
    assert re.search(r"decks.po: line \d+ of a catalogue cannot be read: msgstr \"y", capsys.readouterr().err)
    file.write_bytes("msgid 'x'\n# é".encode("cp1252"))
    (begun / "rules" / "adaman.md").write_bytes("# Règles\n".encode("cp1252"))
    assert typed("check", str(begun)) == 1
    told = capsys.readouterr().err
    assert "decks.po: line 2 is not in UTF-8." in told
    assert "rules/adaman.md: line 1 is not in UTF-8." in told
    (begun / "language.toml").write_text("name = 3", "utf-8")
    assert typed("check", str(begun)) == 1
    assert "language.toml cannot be read" in capsys.readouterr().err


def test_what_an_editor_puts_before_the_text_does_no_harm(begun):
    for file in begun.rglob("*.*"):
        file.write_text(file.read_text("utf-8"), "utf-8-sig", newline="\r\n")
    assert typed("check", str(begun)) == 0
    assert len(i18n.po.read(languages.utf8(begun / "messages" / "decks.po"))) > 1


@pytest.mark.parametrize("tag", ["Polish", "la", "../x", "p", "en"])
def test_no_language_begins_under_a_wrong_tag_or_over_another_one(tmp_path, tag):
    shutil.copytree(LANGUAGES["en"].folder, tmp_path / "en")
    assert typed("new", tag, "--to", str(tmp_path)) == 1
    assert {one.name for one in tmp_path.iterdir()} == {"en"}


@pytest.mark.parametrize("tag", [tag for tag in LANGUAGES if tag != languages.DEFAULT])
def test_our_languages_show_nothing_wrong(tag):
    assert [one for one in findings(LANGUAGES[tag].folder) if one.wrong] == []


def test_labels_are_measured_as_a_browser_draws_them():
    assert width("WWW") > 2 * width("iii")
    assert width("Ł") == pytest.approx(width("L"), rel=0.1)
    assert width("é") == width("e")
    assert width("{name}") > width("{n}")
    assert width("Save") < ROOM < width("Save" * 10)


def test_a_catalogue_survives_being_read_and_written():
    for file in sorted((LANGUAGES["de"].folder / "messages").glob("*.po")):
        messages = po.read(file.read_text("utf-8"))
        assert [one.key for one in po.read(po.written(messages))] == [one.key for one in messages]
        again = {one.key: one.strings for one in po.decompiled(po.compiled(messages))}
        assert again == {one.key: one.strings for one in messages}
