"""Anki packages (apkg): cards with the event on one side, its date and comment on the other.

A package is an archive with a small database in Anki's schema 11, which every version reads. It is written by hand: the
library genanki (last released in November 2023) would bring four others and save half of this module. Ids are made from
names, so importing a deck again never duplicates a card. A package's cards are dated now, so that Anki updates older
ones.
"""

import hashlib
import html
import io
import json
import re
import sqlite3
import time
import zipfile
from collections.abc import Iterable

from msgspec import Struct

from spieltisch.decks.base_kind import kind_of
from spieltisch.decks.deck import Deck
from spieltisch.decks.table import COMMENTS, Row
from spieltisch.decks.text import ended

_MODEL = 1_700_000_000_001  # the note type's id, the same for all decks
_FIELDS = ("Event", "Date", "Comment", "Source")
_BRACKETS = {ord(sign): f"&#{ord(sign)};" for sign in "[]{}"}
_CSS = ".card { font: 22px serif; text-align: center } .date { font-size: 30px } .small { font-size: 14px }"
_BACK = '{{FrontSide}}<hr id="answer"><p class="date">{{Date}}</p><p>{{Comment}}</p><p class="small">{{Source}}</p>'
_SCHEMA = """
create table col (id integer primary key, crt integer, mod integer, scm integer, ver integer, dty integer, usn integer,
 ls integer, conf text, models text, decks text, dconf text, tags text);
create table notes (id integer primary key, guid text, mid integer, mod integer, usn integer, tags text, flds text,
 sfld integer, csum integer, flags integer, data text);
create table cards (id integer primary key, nid integer, did integer, ord integer, mod integer, usn integer,
 type integer, queue integer, due integer, ivl integer, factor integer, reps integer, lapses integer, left integer,
 odue integer, odid integer, flags integer, data text);
create table revlog (id integer primary key, cid integer, usn integer, ease integer, ivl integer, lastivl integer,
 factor integer, time integer, type integer);
create table graves (usn integer, oid integer, type integer);
create index ix_notes_usn on notes (usn);
create index ix_cards_usn on cards (usn);
create index ix_revlog_usn on revlog (usn);
create index ix_cards_nid on cards (nid);
create index ix_cards_sched on cards (did, queue, due);
create index ix_revlog_cid on revlog (cid);
create index ix_notes_csum on notes (csum);
"""


class Note(Struct, frozen=True):
    """A card for Anki: a permanent name, its four fields, and tags."""

    name: str
    fields: tuple[str, str, str, str]
    tags: tuple[str, ...] = ()


def package(deck: Deck, lang: str) -> bytes:
    """An Anki package of the deck."""
    kind = kind_of(deck.kind)
    notes = [kind.note(deck, row, lang) for row in deck.table.rows]
    return packed(deck.title[lang], deck.name, notes)


def _path(title: str) -> list[str]:
    """The names of a deck and its parent decks. Anki reads two colons in a title as such a path."""
    parts = [part for part in (" ".join(one.split()) for one in title.split("::")) if part]
    return ["::".join(parts[: n + 1]) for n in range(len(parts))] or ["Spieltisch"]


def note(row: Row, date: str, lang: str) -> Note:
    """A card that asks for the date."""
    who = row["who"]
    comment = row.told(lang, COMMENTS)
    back = f"{ended(who)} {comment}" if who and comment else who or comment
    tags = tuple(one for one in (row.cells.get("series", ""), *row["field"].split(";"), *row["goal"].split(";")) if one)
    return Note(row["id"], (row.told(lang), date, back, row["source"]), tags)


def packed(title: str, name: str, notes: Iterable[Note]) -> bytes:
    """A package of these notes; Anki recognizes them by `name` when they are imported again."""
    own, now = _number(f"deck {name}"), int(time.time())
    base = sqlite3.connect(":memory:")
    try:
        base.executescript(_SCHEMA)
        base.execute("insert into col values (1, 0, 0, 0, 11, 0, 0, 0, ?, ?, ?, ?, '{}')", _collection(title, own))
        for place, note in enumerate(notes, start=1):
            id_ = _number(f"{name} {note.name}")
            fields = [_text(text) for text in note.fields]
            mark = int(hashlib.sha1(fields[0].encode(), usedforsecurity=False).hexdigest()[:8], 16)
            tags = " ".join(re.sub(r"\s+", "-", tag) for tag in note.tags)
            guid = hashlib.sha256(f"{name} {note.name}".encode()).hexdigest()[:10]
            row = (id_, guid, _MODEL, now, -1, f" {tags} " if tags else "", "\x1f".join(fields), fields[0], mark)
            base.execute("insert into notes values (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, '')", row)
            card = (id_, id_, own, now, place)
            base.execute("insert into cards values (?, ?, ?, 0, ?, -1, 0, 0, ?, 0, 0, 0, 0, 0, 0, 0, 0, '')", card)
        base.commit()
        content = base.serialize()
    finally:
        base.close()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("collection.anki2", content)
        archive.writestr("media", "{}")
    return out.getvalue()


def _text(text: str) -> str:
    """A text for a field. Brackets are Anki's syntax: it plays `[sound:…]`, runs TeX on `[latex]…`, and hides
    `{{c1::…}}` in notes of another type.
    """
    return html.escape(" ".join(text.split()), quote=False).translate(_BRACKETS)


def _number(name: str) -> int:
    """An id like Anki's (a time in milliseconds), but made from a name."""
    return 1_000_000_000_000 + int(hashlib.sha256(name.encode()).hexdigest()[:9], 16)


def _collection(title: str, own: int) -> tuple[str, ...]:
    """Settings, note types, decks and deck options, each as JSON."""
    fields = [
        {"name": name, "ord": n, "font": "Arial", "size": 20, "rtl": False, "sticky": False, "media": []}
        for n, name in enumerate(_FIELDS)
    ]
    template = {
        "name": "Date", "ord": 0, "qfmt": "{{Event}}", "afmt": _BACK, "bqfmt": "", "bafmt": "", "did": None,
    }  # fmt: skip
    model = {
        "id": _MODEL, "name": "Spieltisch", "type": 0, "mod": 0, "usn": -1, "sortf": 0, "did": own, "tmpls": [template],
        "flds": fields, "css": _CSS, "latexPre": "", "latexPost": "", "tags": [], "vers": [], "req": [[0, "all", [0]]],
    }  # fmt: skip
    conf = {"nextPos": 1, "curDeck": own, "activeDecks": [own], "curModel": str(_MODEL), "sortType": "noteFld"}
    conf |= {"estTimes": True, "newSpread": 0, "timeLim": 0, "collapseTime": 1200, "dueCounts": True, "addToCur": True}
    new = {"delays": [1, 10], "ints": [1, 4, 7], "initialFactor": 2500, "order": 1, "perDay": 20, "bury": True}
    lapse = {"delays": [10], "mult": 0, "minInt": 1, "leechFails": 8, "leechAction": 0}
    rev = {"perDay": 100, "ease4": 1.3, "fuzz": 0.05, "ivlFct": 1, "maxIvl": 36500, "minSpace": 1, "bury": True}
    way = {"id": 1, "name": "Default", "new": new, "lapse": lapse, "rev": rev, "mod": 0, "usn": 0}
    way |= {"autoplay": True, "maxTaken": 60, "replayq": True, "timer": 0}
    *above, name = _path(title)
    numbered = [(1, "Default"), *((_number(f"deck named {one}"), one) for one in above), (own, name)]
    decks = {str(number): _deck(number, named) for number, named in numbered}
    return tuple(json.dumps(one) for one in (conf, {str(_MODEL): model}, decks, {"1": way}))


def _deck(number: int, title: str) -> dict[str, object]:
    today = {f"{name}Today": [0, 0] for name in ("new", "rev", "lrn", "time")}
    return today | {
        "id": number, "name": title, "desc": "", "mod": 0, "usn": -1, "conf": 1, "dyn": 0, "collapsed": False,
        "extendNew": 0, "extendRev": 0,
    }  # fmt: skip
