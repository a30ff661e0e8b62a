"""Decks on paper: every game's sheets, backs that meet their fronts, texts that are nothing but texts."""

import json
import struct
import unicodedata
import zlib

import pytest
import typst

from spieltisch.assets import colours
from spieltisch.decks.check import open_deck
from spieltisch.decks.deck import Deck
from spieltisch.decks.library import shipped
from spieltisch.decks.lint.cards import lint
from spieltisch.decks.lint.printable import unprintable
from spieltisch.decks.table import Row, Table
from spieltisch.game import Invalid
from spieltisch.i18n import Terms
from spieltisch.paper import pdf
from web.test_deckchoice import sheet

ODD = 'ă ā ē ī ō ū ĕ „so“ #import "x" $a$ <b> *c* _d_ @e \\ // [f]'


def first(name, n):
    deck = open_deck(shipped()[name])
    return Deck(deck.name, deck.kind, Table(deck.table.about, deck.table.rows[:n]))


def own(tmp_path, cards=1, **cells):
    (tmp_path / "rom.csv").write_text(sheet(cards))
    deck = open_deck(tmp_path / "rom.csv")
    return Deck(deck.name, deck.kind, Table(deck.table.about, [Row(0, row.cells | cells) for row in deck.table.rows]))


def pixels(png):
    """The rows of a PNG of eight bits a colour, as lists of tuples."""
    at, data, wide = 8, b"", 0
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at : at + 8])
        if kind == b"IHDR":
            wide, _, depth, colours = struct.unpack(">IIBB", png[at + 8 : at + 18])
            assert (depth, colours) in {(8, 6), (8, 2)}
            each = 4 if colours == 6 else 3
        elif kind == b"IDAT":
            data += png[at + 8 : at + 8 + length]
        at += 12 + length
    raw, rows, above = zlib.decompress(data), [], bytes(wide * each)
    for start in range(0, len(raw), wide * each + 1):
        how, line = raw[start], bytearray(raw[start + 1 : start + 1 + wide * each])
        for i in range(len(line)):
            left, up, corner = (line[i - each], above[i], above[i - each]) if i >= each else (0, above[i], 0)
            guess = min((left, up, corner), key=lambda one: abs(left + up - corner - one))
            line[i] = (line[i] + (0, left, up, (left + up) // 2, guess)[how]) % 256
        above = bytes(line)
        rows.append([tuple(line[i : i + 3]) for i in range(0, len(line), each)])
    return rows


def cards_at(png, across, down):
    """In which columns and rows of a sheet of this size (in mm) something is printed, cut marks aside."""
    rows = pixels(png)
    high, wide = len(rows), len(rows[0])
    found = set()
    for y, row in enumerate(rows):
        for x, dot in enumerate(row):
            column, line = (x / wide * across - (across - 189) / 2) / 63, (y / high * down - (down - 264) / 2) / 88
            if min(dot) < 235 and 0.02 < column < 2.98 and 0.02 < line < 2.98:
                found.add((int(column), int(line)))
    return found


@pytest.mark.parametrize(("paper", "size"), [("a4", (210, 297)), ("letter", (215.9, 279.4))])
def test_a_back_meets_its_front_when_the_sheet_is_turned_over_its_long_edge(tmp_path, paper, size):
    front, back, *_ = pdf.pictures(own(tmp_path, 2), "de", paper, dots=12)
    assert cards_at(front, *size) == {(0, 0), (1, 0)}
    assert cards_at(back, *size) == {(2, 0), (1, 0)}  # mirrored across, not down


@pytest.mark.parametrize(
    ("name", "cards", "least"),
    [("events", 10, 4), ("firsts", 10, 6), ("decktet", 45, 10), ("hic", 30, 9), ("qui", 30, 9)],
)
@pytest.mark.parametrize("lang", ["de", "en"])
def test_every_game_has_its_sheets(name, cards, least, lang):
    deck = first(name, cards)
    assert pdf.typeset(deck, lang, "letter").startswith(b"%PDF-")
    said = pdf.sheets(deck, lang, "a4")
    assert len(said["cards"]) == cards + (deck.kind == "forms")  # the joker comes along
    assert len(pdf.pictures(deck, lang, dots=8)) >= least + 1  # the last pages are the rules
    assert len(said["rules"]) > 20
    assert not any("*" in run["text"] for block in said["rules"] for run in block["runs"])


def test_the_board_has_a_column_for_every_period_and_the_table_every_form():
    assert len(pdf.sheets(first("firsts", 3), "de", "a4")["board"]) == 7
    forms = pdf.sheets(first("hic", 30), "de", "a4")["forms"]
    assert forms["rows"][0] == ["Nominativ", "hic", "haec", "hoc", "hī", "hae", "haec"]
    assert [len(row) for row in forms["rows"]] == [7] * 5


def test_cases_are_named_and_ordered_as_whoever_prints_has_learned_them():
    said = pdf.sheets(first("hic", 30), "de", "a4", Terms("la", "british"))
    rows = said["forms"]["rows"]
    assert [row[0] for row in rows] == ["nominativus", "accusativus", "genetivus", "dativus", "ablativus"]
    assert any("daneben iīdem" in note for note in pdf.sheets(first("idem", 30), "de", "a4")["forms"]["notes"])
    assert rows[1][1:] == ["hunc", "hanc", "hoc", "hōs", "hās", "haec"]
    rules = " ".join(run["text"] for block in said["rules"] for run in block["runs"])
    assert "nominativus, accusativus, genetivus" in rules
    assert "Genitiv" not in rules


def test_the_decktets_faces_have_their_suits_colours():
    for card, row in zip(
        pdf.sheets(first("decktet", 45), "en", "a4")["cards"], first("decktet", 45).table.rows, strict=True
    ):
        suits = row["suits"].split()
        assert card["suits"] == [f"suit-{suit}" for suit in suits]
        assert card["art"]
        assert all(colours()[suit] in card["art"] for suit in suits)
        assert "var(" not in card["art"]


def test_texts_are_texts(tmp_path):
    plain, odd = own(tmp_path), own(tmp_path, de=ODD, comment_de=ODD, source=ODD)
    assert len(pdf.pictures(odd, "de", dots=8)) == len(pdf.pictures(plain, "de", dots=8))


def test_a_deck_that_cannot_be_printed_is_refused(tmp_path):
    with pytest.raises(Invalid):
        pdf.typeset(own(tmp_path, date="sometime"), "de")
    with pytest.raises(Invalid, match="no cards"):
        pdf.typeset(first("events", 0), "de")
    with pytest.raises(Invalid, match="no series moon"):
        pdf.part(first("events", 3), ["moon"])
    assert {row["series"] for row in pdf.part(first("events", 2000), ["kunst"]).table.rows} == {"kunst"}


# -- fonts, hyphens, sources ---------------------------------------------------------------------------------

UNSEEN = {"Cn", "Cc", "Cf", "Zs", "Zl", "Zp"}
SHOWN = b"""#set text(font: "Libertinus Serif")
#for one in json(bytes(sys.inputs.data)) { text(one); parbreak() }"""


def is_shown(signs):
    """Whether the typesetter has a glyph for all of these: for an archive it says so."""
    inputs = {"data": json.dumps(signs)}
    try:
        typst.compile(SHOWN, format="pdf", font_paths=pdf.fonts(), pdf_standards="a-2b", sys_inputs=inputs)
    except typst.TypstError:
        return False
    return True


def test_the_table_of_signs_is_that_of_the_typesetter():
    seen = [chr(n) for n in range(0xA0, 0x2C00) if unicodedata.category(chr(n)) not in UNSEEN]
    assert is_shown([sign for sign in seen if not unprintable(sign)])
    lacking = [sign for sign in seen if unprintable(sign)]
    assert len(lacking) > 2000
    assert not any(map(is_shown, lacking[:: len(lacking) // 40]))
    assert not any(is_shown([sign]) for sign in "東한あ🚀𝄞𓀀")


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("東京で大きな大会が開かれる。", "東京"),
        ("Zwei 👩\u200d🚀 hüpfen über den Mond 🚀.", "👩🚀"),
        ("Der Schlüssel 𝄞 steht am Anfang.", "𝄞"),
        ("여기서 한국어로 쓴다", "여한"),
    ],
)
def test_signs_that_no_font_has_are_named_before_anything_is_printed(tmp_path, text, signs):
    deck = own(tmp_path, de=text)
    with pytest.raises(Invalid) as refused:
        pdf.typeset(deck, "de")
    assert all(sign in str(refused.value) for sign in signs)
    assert text[:30] in str(refused.value)
    assert pdf.typeset(deck, "de", sure=True).startswith(b"%PDF-")
    found = [one for one in lint(deck.table, "events") if one.rule == "unprinted"]
    assert [str(one.wrong) for one in found]
    assert all(sign in str(found[0].wrong) for sign in signs)


@pytest.mark.parametrize(
    "text", ["Straße, Łódź, Ελλάδα, Москва", "hōrum, æ, ﬁ, ½, → ☺ – „“", "a\u200b\u00ad\u202f\ufe0f\u2011b"]
)
def test_what_the_fonts_have_is_printed(tmp_path, text):
    assert unprintable(text) == []
    assert pdf.typeset(own(tmp_path, de=text, comment_de=text), "de")


def test_a_sign_is_named_for_each_card_and_a_series_without_it_is_printed(tmp_path):
    (tmp_path / "own.csv").write_text(
        "#title,Spiele,Games\n#series,a,A,A\n#series,b,B,B\nseries,date,de\n"
        + "".join(f"a,{1960 + n},Ereignis {n} mit {sign}.\n" for n, sign in enumerate("東京大会開"))
        + "b,1969,Zwei hüpfen über den Mond.\n"
    )
    deck = open_deck(tmp_path / "own.csv")
    with pytest.raises(Invalid, match=r"東 \(Ereignis 0 mit 東\.\) · 京"):
        pdf.typeset(deck, "de")
    assert pdf.typeset(pdf.part(deck, ["b"]), "de")


@pytest.mark.parametrize(
    ("text", "height"),
    [
        ("Der Kurfürst führt in der Grafschaft die Reformation ein.", False),
        ("Zwei Brüder lagern das gepflanzte Getreide ein.", False),
        ("Die Donaudampfschifffahrtsgesellschaftskapitänswitwenrente wird beschlossen.", True),
    ],
)
def test_there_are_hyphens_only_where_there_is_no_room(tmp_path, text, height):
    """A text that needs no hyphens looks the same without them."""
    deck = own(tmp_path, de=text)
    said = pdf.sheets(deck, "de", "a4")
    source = pdf.drawing(deck.kind)
    bare = source.replace(b"hyphenate: measure", b"hyphenate: false and measure")
    assert bare != source
    pages = [
        typst.compile(one, format="png", ppi=40, sys_inputs={"data": json.dumps(said)}, font_paths=pdf.fonts())[0]
        for one in (source, bare)
    ]
    assert (pages[0] != pages[1]) == height


@pytest.mark.parametrize("lang", ["de", "en"])
def test_the_rules_claim_sources_only_where_all_cards_have_one(tmp_path, lang):
    claims = "Jede nennt ihre Quelle" if lang == "de" else "Each card names its source"

    def told(deck):
        return any(claims in run["text"] for one in pdf.sheets(deck, lang, "a4")["rules"] for run in one["runs"])

    assert told(first("events", 10))
    without = first("events", 10).table.rows
    without[3] = Row(0, without[3].cells | {"source": ""})
    assert not told(Deck("own", "events", Table(first("events", 3).table.about, without)))
    assert not told(own(tmp_path, source=""))
