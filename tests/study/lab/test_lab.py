"""What the lab finds, one thing at a time, each beside a card that it leaves alone; and its report."""

import json
import re

import pytest

from spieltisch.cli.app import run
from spieltisch.decks.deck import Deck, span_of
from spieltisch.decks.findings import say
from spieltisch.decks.table import TEXTS, Row, Table
from spieltisch.game import Invalid
from spieltisch.study.lab import likeness, telling, times, translations, words
from spieltisch.study.lab.corpus import corpus, stems
from spieltisch.study.lab.page import whole
from spieltisch.study.lab.report import examine, pieces, telling_words

PLAIN = "In einer Werkstatt am Fluss schleift jemand Linsen und sieht darin Tierchen im Regenwasser schwimmen."


def card(de=PLAIN, en="", date="1674", number=1, **more):
    return Row(number, {"id": f"k{number}", "date": date, "de": de, "en": en, "source": "s", **more})


def told(lang, text, date="1674", **more):
    """A card in one language alone."""
    return card(**{"de": "", "date": date, TEXTS[lang]: text, **more})


def dated(*cards):
    return [(one, span_of(one, "events")) for one in cards]


def rules(found):
    return [one.rule for one in found]


@pytest.mark.parametrize(
    "front",
    [
        PLAIN,
        "Nach zwanzig Jahren Zögern veröffentlicht ein Naturforscher sein Buch.",
        "In Paris beschließt ein Kongress, ein Sportfest aus der Antike wieder einzuführen.",
        "Mit zehn Jahren Verspätung öffnet ein Opernhaus.",
    ],
)
def test_a_front_that_names_none_is_left_alone(front):
    assert rules(telling.settings(card(front))) == []


@pytest.mark.parametrize(
    ("lang", "front"),
    [
        ("de", "Während des Ersten Weltkriegs stellt ein Land die Uhren vor."),
        ("en", "At the height of the Cold War a line for emergencies is laid."),
        ("de", "In der DDR darf ein Sänger nicht mehr nach Hause."),
        ("de", "Drei Jahre nach der Mondlandung gewinnt jemand in Reykjavik im Schach."),
        ("de", "Sieben Jahre nach dem großen Brand ist die Kirche wieder da."),
        ("en", "Ten years after the flood a dam is closed for the first time."),
        ("it", "Durante la Prima guerra mondiale un paese mette avanti gli orologi."),
        ("it", "Nel pieno della Guerra fredda si posa una linea per le emergenze."),
        ("it", "All’inizio dell'Illuminismo un fornaio stampa un giornale."),
        ("it", "Nel primo dopoguerra una città balla su un ponte."),
        ("it", "Nell’età del bronzo qualcuno fonde una campana."),
        ("it", "Vent’anni dopo lo sbarco sulla Luna qualcuno vince a scacchi."),
        ("fr", "Pendant la Première Guerre mondiale, un pays avance ses horloges."),
        ("fr", "En pleine guerre froide, on pose une ligne pour les urgences."),
        ("fr", "À la fin de l’Ancien Régime, on plante des pommes de terre."),
        ("fr", "Au cours de l'entre-deux-guerres, une ville danse sur un pont."),
        ("fr", "Dix ans après la mort du roi, on joue enfin sa musique."),
    ],
)
def test_a_front_that_names_its_time_is_found(lang, front):
    assert rules(telling.settings(told(lang, front))) == ["era-named"]


@pytest.mark.parametrize(
    ("lang", "front"),
    [
        ("it", "Dopo vent’anni di dubbi un naturalista pubblica il suo libro."),
        ("it", "Un fabbro batte il ferro sulla pietra, e la campana è di bronzo."),
        ("it", "Un tiranno mangia tra venti servi in prima fila."),
        ("fr", "Avec dix ans de retard, un opéra ouvre ses portes."),
        ("fr", "Dans la forge, on bat le fer sur la pierre."),
        ("fr", "À Vichy, des gens malades boivent de l’eau chaude."),
    ],
)
def test_a_front_in_any_language_that_names_none_is_left_alone(lang, front):
    assert rules(telling.settings(told(lang, front))) == []
    assert rules(telling.unfinished(told(lang, front), [lang])) == []


@pytest.mark.parametrize("front", ["Ein König stirbt.", "Die Revolution beginnt.", "Deutschland wird Weltmeister."])
def test_a_front_that_fits_many_events_is_found(front):
    assert rules(telling.vague(card(front), corpus())) == ["vague"]


def test_a_short_front_with_a_name_fits_one():
    assert rules(telling.vague(card("Kolumbus entdeckt Amerika.", "Columbus reaches America."), corpus())) == []
    assert rules(telling.vague(card(), corpus())) == []


@pytest.mark.parametrize(
    "front", ["??? noch schreiben", "In Paris stürmen Leute ein Gefängnis und", "TODO", "Bastille"]
)
def test_a_text_that_is_not_finished_is_found(front):
    assert rules(telling.unfinished(card(front), ["de"])) == ["unfinished"]


def test_a_deck_without_full_stops_is_not_unfinished():
    rows = [card("Erste Frau, die über den Atlantik fliegt", number=n) for n in range(5)]
    assert telling.sentences(rows) == []
    assert rules(telling.unfinished(rows[0], [])) == []


def test_a_card_told_twice_is_found_and_so_is_one_of_the_shipped_deck():
    first = card(
        "Ein Apotheker in Genua rührt grünen Sirup gegen Heimweh an, und jemand gibt Sprudel dazu.", date="1886"
    )
    again = card(
        "In Genua mischt ein Apotheker grünen Sirup gegen Heimweh, mit Sprudelwasser schmeckt er.", "", "1887", 2
    )
    shipped = corpus().rows[0]
    like = card(shipped["de"].replace(" mit ", " samt ", 1).replace(".", ", sagt man."), "", shipped["date"], 3)
    found = list(likeness.alike([first, again, card(number=4), like], "events", corpus()))
    assert [(one.rule, one.card) for one in found] == [("alike", "k1"), ("alike", "k2"), ("shipped", "k3")]


def test_cards_of_the_shipped_deck_are_not_compared_anew():
    assert list(likeness.alike(corpus().rows, "events", corpus())) == []


def test_two_cards_that_name_one_person_are_to_be_marked_and_places_are_not():
    born = card(
        "", "Gustave Eiffelbaum is born in Dijon; his family had come from the hills.", "1832", fact="", thing=""
    )
    tower = card("", "A tower is called an ugly chimney; Gustave Eiffelbaum is proud.", "1889", 2, fact="", thing="")
    casts, steals = (f"In Zwackelburg somebody {verb} a bell." for verb in ("casts", "steals"))
    places = [card("", casts, "1500", 3), card("", steals, "1500", 4)]
    found = list(likeness.things([born, tower, *places], "events", corpus()))
    assert [one.card for one in found] == ["k1", "k2"]
    marked = [Row(one.line, one.cells | {"thing": "Eiffelbaum"}) for one in (born, tower)]
    assert list(likeness.things(marked, "events", corpus())) == []


def test_too_many_cards_of_one_year_are_found():
    spread = [card(date=str(1900 + 3 * n), number=n) for n in range(30)]
    assert list(times.crowds(dated(*spread))) == []
    crowd = [card(date="1947", number=100 + n) for n in range(5)]
    assert [one.card for one in times.crowds(dated(*spread, *crowd))] == [one["id"] for one in crowd]


def test_a_date_into_which_much_of_the_deck_fits_is_found():
    rows = [card(date=str(1000 + 30 * n), number=n) for n in range(30)]
    broad, narrow = card(date="1100–1500", number=90), card(date="14. Jh.", number=91)
    assert [one.card for one in times.wide(dated(*rows, broad, narrow))] == ["k90", "k91"]
    assert list(times.wide(dated(*rows[:5], broad))) == []  # in a small deck a share says little


def test_an_id_with_the_year_in_it_is_found_where_others_have_none():
    rows = [card(number=n) for n in range(10)]
    telltale = Row(20, card(date="1870").cells | {"id": "krieg1870"})
    assert [one.card for one in times.named_years(dated(*rows, telltale))] == ["krieg1870"]


@pytest.mark.parametrize(
    "wrong",
    [
        card("Zwei Brüder heben am Strand mit einem Motorflugzeug ab.", date="1503"),
        card("Ein Jugendlicher dirigiert eine vergessene Passion.", date="1754", comment_de="Das war 1829 in Berlin."),
    ],
)
def test_a_date_that_is_probably_mistyped_is_found(wrong):
    assert rules(times.doubtful(*dated(wrong)[0], corpus())) == ["date-doubtful"]


@pytest.mark.parametrize(
    ("lang", "front", "comment"),
    [
        ("it", "Un giovane dirige una passione dimenticata.", "Fu nel 1829 a Berlino."),
        ("fr", "Un jeune homme dirige une passion oubliée.", "C’était en 1829 à Berlin."),
        ("de", "Ein Jugendlicher dirigiert eine vergessene Passion.", "Im Mai 1829 war das Haus still."),  # not Italian
    ],
)
def test_a_comment_looks_on_in_its_own_language(lang, front, comment):
    texts = {"de": "", TEXTS[lang]: front, f"comment_{lang}": comment}
    assert rules(times.doubtful(*dated(card(date="1754", **texts))[0], corpus())) == ["date-doubtful"]
    later = {"it": "Si canta ancora nel 1829.", "fr": "On la chante encore en 1829.", "de": "Erst 1829 singt man sie."}
    assert times.doubtful(*dated(card(date="1754", **texts | {f"comment_{lang}": later[lang]}))[0], corpus()) == []


@pytest.mark.parametrize(
    ("lang", "front", "found"),
    [
        ("it", "A Digione nasce Gustave Eiffelbaum, e l’Italia non lo sa.", {"Eiffelbaum"}),
        ("it", "Nel Regno di Napoli un certo Garibaldone salpa verso la Sicilia.", {"Garibaldone"}),
        ("fr", "À Dijon naît Gustave Eiffelbaum, loin de la Manche.", {"Eiffelbaum"}),
    ],
)
def test_names_are_told_from_places_in_any_language(lang, front, found):
    assert likeness.names_of(told(lang, front)) == found


def test_what_a_front_foresees_is_no_mistake():
    lady = card(
        "Es stirbt eine Frau, die ein Programm für einen Computer schrieb, der nie gebaut wurde.", date="1852",
        comment_de="Heute heißt eine Sprache nach ihr, seit 1980.",
    )  # fmt: skip
    assert rules(times.doubtful(*dated(lady)[0], corpus())) == []


def test_columns_that_slipped_are_found():
    pairs = [(row["de"], row["en"]) for row in corpus().rows[:40]]
    right = [card(de, en, number=n) for n, (de, en) in enumerate(pairs)]
    slipped = [card(de, pairs[n - 1][1], number=n) for n, (de, _) in enumerate(pairs)]
    assert len(list(translations.differing(right, corpus()))) <= 1
    assert len(list(translations.differing(slipped, corpus()))) >= 20


def test_words_of_one_time_are_told():
    old = [
        card(f"Am Nil baut ein Pharao Nummer {w} ein Grab.", date=f"{2500 - n} v.u.Z.", number=n)
        for n, w in enumerate("abcdef")
    ]
    new = [
        card(f"Jemand erfindet Ding {w}.", date=str(1800 + 7 * n), number=50 + n)
        for n, w in enumerate("ghijklmnopqrstuvwxyz")
    ]
    told = {one.word for one in telling_words(dated(*old, *new))}
    assert "Pharao" in told
    assert "Jemand" not in told


def test_pairs_too_close_are_those_that_a_level_cannot_tell_apart():
    assert (
        times.too_close(dated(card(date="1900"), card(date="1901", number=2), card(date="2020", number=3)), 0.05, 3)
        == 1 / 3
    )


def small(n=12):
    texts = [row for row in corpus().rows if row["series"] == "welt"][:n]
    return Deck("own", "events", Table({"series": [["welt", "Welt", "World"]], "title": [["Probe", "Trial"]]}, texts))


def test_a_report_says_all_of_it_in_both_languages():
    report = examine(small(40), games=4)
    assert report.played.seats == 4
    assert [level.level for level in report.played.levels] == ["novice", "connoisseur", "chronicler"]
    german, english = ("\n".join(words.lines(report, lang)) for lang in ("de", "en"))
    assert "Probe (own): 40 Karten" in german
    assert "Trial (own): 40 cards" in english
    assert "Von Bots gespielt, 4 am Tisch, 9 Karten pro Person, 4 Partien je Stufe:" in german
    page = whole(report, "de")
    assert page.count("<svg") == 6
    assert "<title>Probe – Decklabor</title>" in page


def test_progress_is_heard_piece_by_piece():
    heard = []
    examine(small(40), games=3, progress=heard.append)
    assert heard == list(range(1, pieces(small(40), 3) + 1))  # each card and each game, none twice
    assert heard[-1] == 40 + 3 * 3


def test_the_same_deck_is_played_the_same():
    assert examine(small(), games=3).played == examine(small(), games=3).played


def test_the_lab_says_why_it_cannot():
    with pytest.raises(Invalid) as few:
        examine(small(5))
    assert say(few.value, "de") == "das Labor braucht mindestens 8 Karten, nicht 5"
    with pytest.raises(Invalid, match="of events or of firsts"):
        examine(Deck("hic", "forms", Table({}, [])))


def test_a_card_whose_date_cannot_be_read_does_not_keep_the_others_from_being_played():
    deck = small(30)
    bad = Row(
        0, deck.table.rows[0].cells | {"id": "bad", "date": "irgendwann", "de": "Etwas geschieht.", "en": "Something."}
    )
    report = examine(Deck("own", "events", Table(deck.table.about, [*deck.table.rows, bad])), games=2)
    assert report.played.levels
    assert report.changes[0].card == "bad"
    assert report.changes[0].findings[0].severity == "error"


def test_the_command_tells_it_and_writes_it(tmp_path, capsys):
    assert (
        run(["deck", "lab", "firsts", "--games", "1", "--language", "en", "--report", str(tmp_path / "lab.html")]) == 0
    )
    told = capsys.readouterr().out
    assert re.match(r"Women who went first \(firsts\): \d+ cards\n", told)
    assert "Played by bots, 4 at a table, 1 game of each level:" in told
    assert (tmp_path / "lab.html").read_text("utf-8").startswith("<!doctype html>")
    assert run(["deck", "lab", "firsts", "--games", "1", "--json", "--language", "de"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["cards"] > 200
    assert all(one["findings"][0]["wrong"] for one in found["changes"])


def test_what_cannot_be_examined_is_one_line_and_status_1(tmp_path, capsys):
    (tmp_path / "broken.csv").write_bytes(b"\x00\x01\xff")
    (tmp_path / "few.csv").write_text("date;event\n44 BC;A general is stabbed in the senate.\n", "utf-8")
    for name in ("broken.csv", "few.csv", "none.csv"):
        assert run(["deck", "lab", str(tmp_path / name), "--language", "en"]) == 1
        told = capsys.readouterr()
        assert told.out == ""
        assert told.err.count("\n") == 1
        assert "Traceback" not in told.err


def test_stems_meet_forms_of_a_word():
    assert stems("Weltkrieges") == stems("Weltkriege")
