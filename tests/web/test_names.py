"""Names: what is shown of them, two who are called the same, and imitations."""

import pytest

from spieltisch.decks.exporting.spreadsheets import as_csv
from spieltisch.game import Illegal
from spieltisch.table import chairs, names
from spieltisch.table.log import Chair, TableSetup


def at_a_table(*taken):
    return TableSetup("T", "hic-haec-hoc", {}, tuple(Chair(name=name, kind="person") for name in (*taken, "")))


@pytest.mark.parametrize(
    "name",
    [
        "Mia",
        "mia",
        "MIA",
        "Mia\ufe0f",
        "Mia\u034f",
        "Mia\u3164",
        "M\u2800ia",
        "M\u200bia",
        "M\U000e0041ia",
        "Mia\ue000",
    ],
)
def test_a_second_person_of_a_name_is_numbered(name):
    told = names.tidy(name)
    assert chairs.free_name(told, at_a_table("Mia"), 1) == f"{told} 2"
    assert told.isalpha()


@pytest.mark.parametrize("name", ["Mia.", "M ia", "M-ia", "Mi\u0332a", "Mia\u0336", "Mia\u20dd", "Mia!"])
def test_a_name_with_a_dot_or_a_stroke_is_the_same_name(name):
    assert chairs.free_name(names.tidy(name), at_a_table("Mia"), 1) == f"{name} 2"


def test_the_name_of_somebody_who_lent_a_seat_is_taken():
    away = Chair(name="Fink", kind="bot", lender=Chair(name="Mia", kind="person", key="k"))
    setup = TableSetup("T", "hic-haec-hoc", {}, (away, Chair()))
    assert chairs.free_name("Mia", setup, 1) == "Mia 2"
    with pytest.raises(Illegal, match="looks like Mia"):
        chairs.free_name("Міа", setup, 1)


@pytest.mark.parametrize(
    ("name", "other"),
    [("llse", "Ilse"), ("Marnie", "Mamie"), ("0tto", "Otto"), ("Міа", "mia"), ("раураl", "Paypal"), ("Вера", "Bepa")],
)
def test_letters_that_look_alike_are_an_imitation(name, other):
    for one, two in ((name, other), (other, name)):
        with pytest.raises(Illegal, match="looks like"):
            chairs.free_name(names.tidy(one), at_a_table(two), 1)


@pytest.mark.parametrize("name", ["Аnna", "Annа", "Ａnna", "Αnna", "𝐀nna"])
def test_an_imitation_of_a_name_is_refused(name):
    with pytest.raises(Illegal, match="looks like Anna"):
        chairs.free_name(names.tidy(name), at_a_table("Anna"), 1)
    assert chairs.free_name(names.tidy(name), at_a_table("Ben"), 1) == names.tidy(name)


@pytest.mark.parametrize("name", ["You", "you", "Sie", "Du", "Yоu", "Ｄu", "Ich", "Du!", "D u", "You 2", "Y0u", "Υou"])
def test_a_word_of_the_sentences_is_no_name(name):
    with pytest.raises(Illegal):
        chairs.free_name(names.tidy(name), at_a_table(), 0)


@pytest.mark.parametrize("name", ["Yusuf", "Dua", "Siem", "Ian", "Wei", "Änna", "Ida", "Anne", "Анюта", "Duy"])
def test_names_of_people_are_names(name):
    assert chairs.free_name(names.tidy(name), at_a_table("Anna"), 1) == name


@pytest.mark.parametrize(
    "name", ["👨‍👩‍👧‍👦", "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "🇩🇪", "1️⃣", "👍🏽", "Nguyễn",
             "שָׁלוֹם", "सरस्वती", "สมศรี", "مُحَمَّد", "ශ්\u200dරී", "نی\u200cلوفر", "မြို့", "Ẹniọlá", "👩🏽\u200d🚀", "🏳️\u200d🌈"],
)  # fmt: skip
def test_a_name_in_any_script_stays_as_it_is(name):
    assert names.tidy(name) == name


@pytest.mark.parametrize(
    ("name", "initial"), [("özlem", "Ö"), ("👨‍👩‍👧‍👦 Mia", "👨‍👩‍👧‍👦"), ("🇩🇪🇫🇷", "🇩🇪"), ("👍🏽", "👍🏽"), ("", "")]
)
def test_a_mark_has_the_whole_first_character(name, initial):
    assert names.initial(names.tidy(name)) == initial


def test_a_name_is_cut_between_characters():
    assert names.tidy("x" * 50) == "x" * 24
    family = "👨‍👩‍👧‍👦"
    assert names.tidy(family * 50) == family * (96 // len(family))
    assert [len(names.tidy(one + "\u0301" * 40)) for one in ("Z", "🙂", "1", "")] == [4, 4, 4, 0]
    assert names.tidy(f"Z{chr(0x0903) * 40}a") == f"Z{chr(0x0903) * 3}a"


def test_a_cell_that_a_spreadsheet_would_compute_is_quoted():
    for cell in ("=1+1", "＝1+1", "＋1", "－cmd", "＠x", " =1", "\t=1", "\u3000＝1"):
        assert f"'{cell}" in as_csv([[cell]]).replace('"', ""), cell
    assert "'" not in as_csv([["1903", "Ａ＝b", "a-b"]])
