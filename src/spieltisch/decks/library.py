"""Decks by name: the shipped ones, those in the user's folder, and any file; and how tables get them.

Reading a large deck takes seconds, so a server must not do it in its event loop. Instead it asks *questions*: functions
of a module that take a library, names of decks and more. A `Reader` answers them in another process. With
`Library.reading`, code that asks stays plain: it runs again once the answers are there.
"""

import asyncio
import base64
import contextlib
import functools
import hashlib
import os
import pickle
import re
import time
import unicodedata
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextvars import ContextVar
from pathlib import Path
from threading import Lock
from typing import Any, Protocol, TypeVar

from msgspec import Struct

from spieltisch.decks.base_kind import DeckKind, kinds
from spieltisch.decks.files import Files, version
from spieltisch.decks.table import AMENDS, Table, hash_of, read_table
from spieltisch.decks.text import Text, composed
from spieltisch.game import HasCards, Invalid

SHEETS = (".csv", ".tsv", ".txt", ".xlsx", ".xlsm", ".ods")
PRIVATE = "private"  # the line `#private` of a deck that only its maker may choose

T = TypeVar("T")
D = TypeVar("D")

KEPT = 24 * 2**20  # bytes of cached answers
State = tuple[Path, int, int]  # a deck's file, its modification time (ns) and its size in bytes
_LOOKED = 1.0  # seconds until the folder is listed again
_NAME = re.compile("[a-z0-9-]{1,80}")
_ROUNDS = 20  # of questions, for one piece of code
_BATCH = 50  # questions in one request to a reader
_READ = 16 * 2**20  # bytes of files whose decks stay in memory
_LISTED = 10_000  # decks whose entries stay in memory


class Entry(Struct, frozen=True):
    """A deck in a list of decks to choose from."""

    kind: str
    title: Text
    cards: int
    private: bool
    languages: tuple[str, ...]


class Spoken(Struct, frozen=True):
    """A deck's title, and in which languages its cards are: how many of them are in just these."""

    title: Text
    cards: tuple[tuple[tuple[str, ...], int], ...]


class Released(Struct, frozen=True):
    """A shipped deck as released: its hash, and the ids of its cards."""

    hash: str
    cards: tuple[str, ...]


Question = Callable[..., Any]  # question(library, names, *given)


class Asked(Struct, frozen=True):
    """A question about the decks of these names, with its other arguments."""

    question: Question
    names: tuple[str, ...]
    given: tuple[Hashable, ...] = ()


class Answer(Struct, frozen=True):
    """The value that a question returned, or the error that it raised, and its size in bytes."""

    value: Any = None
    error: Exception | None = None
    size: int = 0

    def told(self) -> Any:
        """Return the value, or raise the error."""
        if self.error is not None:
            raise self.error
        return self.value


class Reader(Protocol):
    """Answers questions in another process. `slow` ones are for whole pages and files; no table waits for them."""

    async def __call__(self, folder: Path | None, asked: Sequence[Asked], *, slow: bool) -> Sequence[Answer]:
        """Return an answer to each question."""
        ...


class NotReadError(Exception):
    """`Library.reading` has to get these answers first."""

    def __init__(self, asked: Mapping[Hashable, Asked]) -> None:
        super().__init__(f"{len(asked)} answers are missing")
        self.asked = asked


_told: ContextVar[dict[Hashable, Answer] | None] = ContextVar("_told", default=None)


class Library:
    """Decks by name: those in the user's folder, and the shipped ones.

    A changed file is read again; a table that plays has its own copy. `files` writes to the folder. Without a `reader`
    everything is read in this process.
    """

    def __init__(self, folder: Path | None = None, files: Files | None = None, reader: Reader | None = None) -> None:
        self.folder = folder
        self.files = files or Files()
        self._reader = reader
        self._kept: OrderedDict[Hashable, Answer] = OrderedDict()
        self._size = 0
        self._states: dict[str, State] = {}  # of all decks, and when they are looked up again
        self._until = 0.0
        self._listed: tuple[dict[str, State], dict[str, Entry | None]] = ({}, {})

    # Questions

    def ask(self, question: Callable[..., T], names: Sequence[str], *given: Hashable) -> T:
        """Return what `question(library, names, *given)` returns. Raises Invalid for an unknown deck."""
        return self.ask_each([Asked(question, tuple(names), given)])[0]

    def ask_each(self, asked: Iterable[Asked], states: Mapping[str, State] | None = None) -> list[Any]:
        """Return the answers to several questions, read together. `states`: of the decks, if already known."""
        found: list[Answer] = []
        missing: dict[Hashable, Asked] = {}
        told = _told.get()
        for one in asked:
            if not one.names:  # there is nothing to read
                found.append(Answer(one.question(self, one.names, *one.given)))
                continue
            key = (one, *(_state(self.path(name)) if states is None else states[name] for name in one.names))
            known = (told or {}).get(key) or self._known(key)
            if known is not None:
                found.append(known)
            elif told is not None:
                missing[key] = one
            else:
                found.append(Answer(one.question(self, one.names, *one.given)))
        if missing:
            raise NotReadError(missing)
        return [one.told() for one in found]

    async def answer(self, question: Callable[..., T], names: Sequence[str], *given: Hashable) -> T:
        """Like `ask`, for whole pages and files; unknown answers come from the other process."""
        return await self.reading(lambda: self.ask(question, names, *given), slow=True)

    async def work(self, question: Callable[..., T], names: Sequence[str], *given: object) -> T:
        """Like `answer`, without the cache: `given` may be anything that can be pickled."""
        if self._reader is None:
            return question(self, tuple(names), *given)
        [answer] = await self._reader(self.folder, [Asked(question, tuple(names), given)], slow=True)
        return answer.told()

    async def reading(self, draw: Callable[[], T], *, slow: bool = False) -> T:
        """Return what `draw` returns. For unknown answers, the other process is asked and `draw` is called again, so it
        must change nothing.
        """
        if self._reader is None:
            return draw()
        if self._until < time.monotonic():
            self._until = time.monotonic() + _LOOKED
            states = await asyncio.to_thread(_states, self.folder)
            self._states = self._states if states == self._states else states
        told: dict[Hashable, Answer] = {}
        for _ in range(_ROUNDS):
            token = _told.set(told)
            try:
                return draw()
            except NotReadError as more:
                missing = list(more.asked.items())
            finally:
                _told.reset(token)
            for at in range(0, len(missing), _BATCH):
                some = missing[at : at + _BATCH]
                answers = await self._reader(self.folder, [one for _, one in some], slow=slow)
                for (key, _), answer in zip(some, answers, strict=True):
                    told[key] = answer
                    if answer.error is None:
                        self._keep(key, answer)
        return draw()  # these decks change faster than they can be read

    def _known(self, key: Hashable) -> Answer | None:
        known = self._kept.get(key)
        if known is not None:
            self._kept.move_to_end(key)
        return known

    def _keep(self, key: Hashable, answer: Answer) -> None:
        self._size += answer.size - (old.size if (old := self._kept.pop(key, None)) is not None else 0)
        self._kept[key] = answer
        while self._size > KEPT:
            self._size -= self._kept.popitem(last=False)[1].size

    # Decks

    def path(self, name: str) -> Path:
        """The file of the deck of this name. Raises Invalid if there is none."""
        if _NAME.fullmatch(name):
            if self.folder is not None and (file := self.folder / f"{name}.csv").is_file() and in_force(file):
                return file
            if name in shipped():
                return shipped()[name]
        raise Invalid("there is no deck {name}", name=name)

    def deck(self, name: str, kind: DeckKind[D]) -> D:
        """The deck of this kind and name. Raises Invalid if there is none."""
        found = self.read(name)
        if found is None or found[0].name != kind.name:
            raise Invalid(kind.missing, name=name)
        return found[1]

    def brought(self, name: str) -> Any:  # noqa: ARG002 - `carried` overrides it
        """The deck of this name that came along with the work, as for a simulation; None for any other."""
        return None

    def mixed(self, names: Sequence[str], kind: DeckKind[D], series: Sequence[str] | None = None) -> D:
        """These decks of a kind joined in this order, or only these series of them. A kind that cannot be mixed gives
        the first deck.
        """
        return kind.mix([self.deck(name, kind) for name in (names if kind.mixes else names[:1])], series)

    def read(self, name: str) -> tuple[DeckKind[HasCards], Any] | None:
        """The deck of this name for its game, and its kind; None if no game plays with such a table. Raises Invalid if
        there is none, or it cannot be played.
        """
        return _read(name, *_state(self.path(name)))

    def card(self, names: Sequence[str], front: str) -> tuple[str, str] | None:
        """The deck and the id of the card with this front, in any language, in one of these decks."""
        for name in names:
            found = self.read(name)
            for card in found[1].cards if found is not None and found[0].chosen else ():
                if front in card.front.by_language.values():
                    return name, card.id
        return None

    def offered(self, kind: str, held: Sequence[str] = ()) -> dict[str, Entry]:
        """The decks of a kind by name, shipped ones first, for a person with the keys of these private ones."""
        return {
            name: entry
            for name, entry in self._entries().items()
            if entry is not None and entry.kind == kind and (not entry.private or name in held)
        }

    def _entries(self) -> Mapping[str, Entry | None]:
        """The entries of all decks. Only changed decks are read again."""
        states = _states(self.folder) if _told.get() is None else self._states
        old, entries = self._listed
        if states is not old:
            new = [name for name in states if states[name] != old.get(name)]
            found = dict(zip(new, self.ask_each((Asked(entry_of, (name,)) for name in new), states), strict=True))
            entries = {name: found[name] if name in found else entries[name] for name in states}
            self._listed = states, entries
        return entries

    def entry(self, name: str) -> Entry | None:
        """The entry of this deck; None if tables cannot choose it. Raises Invalid if there is none."""
        return self.ask(entry_of, (name,))

    def own(self) -> dict[str, Path]:
        """The files in the user's folder, by name."""
        return own(self.folder) if self.folder is not None else {}

    def version(self, name: str) -> int:
        """The version of this deck, which every change changes. Raises Invalid if there is none."""
        return version(self.path(name))

    async def save(self, name: str, text: str, was: int) -> bool:
        """Write this deck into the folder. Returns False if its version is no longer `was` (0: a new deck). Raises
        OSError or Unsaved.
        """
        assert self.folder is not None
        try:
            return await self.files.put(self.folder / f"{name}.csv", text, was)
        finally:
            self._until = 0.0

    async def delete(self, name: str) -> None:
        """Delete this deck from the folder. Raises OSError or Unsaved."""
        assert self.folder is not None
        try:
            await self.files.drop(self.folder / f"{name}.csv")
        finally:
            self._until = 0.0

    def is_private(self, name: str) -> bool:
        """Whether only its maker may choose this deck."""
        return self.ask(_is_private, (name,))


def entry_of(library: Library, names: Sequence[str]) -> Entry | None:
    """The question for `Library.entry`."""
    return _entry(names[0], *_state(library.path(names[0])))


def spoken(library: Library, names: Sequence[str]) -> Spoken:
    """Answer `Library.ask`: the languages of the first of these decks."""
    table = _table(*_state(library.path(names[0])))
    return Spoken(table.title(names[0]), tuple(Counter(row.languages for row in table.rows).items()))


def _is_private(library: Library, names: Sequence[str]) -> bool:
    return PRIVATE in _table(*_state(library.path(names[0]))).about


def _state(path: Path) -> State:
    stat = path.stat()
    return path, stat.st_mtime_ns, stat.st_size


def _states(folder: Path | None) -> dict[str, State]:
    """The present files of all decks by name, shipped ones first."""
    found = {name: _state(path) for name, path in shipped().items()}
    if folder is not None and folder.is_dir():
        for one in sorted(os.scandir(folder), key=lambda one: one.name):
            if one.name.endswith(".csv") and _NAME.fullmatch(name := one.name.removesuffix(".csv")) and one.is_file():
                with contextlib.suppress(FileNotFoundError):  # it was just deleted
                    if in_force(folder / one.name):
                        found[name] = _state(folder / one.name)
    return found


def _kept_by_size(read: Callable[..., T]) -> Callable[..., T]:
    """Cache what was read of files, up to `_READ` bytes in total; the last argument is a file's size."""
    kept: OrderedDict[tuple[Any, ...], T] = OrderedDict()
    lock = Lock()

    @functools.wraps(read)
    def found(*of: object) -> T:
        with lock:
            if of in kept:
                kept.move_to_end(of)
                return kept[of]
        made = read(*of)
        with lock:
            kept[of] = made
            while len(kept) > 1 and sum(one[-1] for one in kept) > _READ:
                kept.popitem(last=False)
        return made

    return found


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError:
        raise Invalid("The file of the deck {name} is damaged: put it back from a backup.", name=path.stem) from None


@_kept_by_size
def _table(path: Path, changed: int, size: int) -> Table:  # noqa: ARG001 - the file as it was then
    return read_table(_text(path), ())


@_kept_by_size
def _hash(path: Path, changed: int, size: int) -> str:
    return hash_of(_table(path, changed, size))


@_kept_by_size
def _read(name: str, path: Path, changed: int, size: int) -> tuple[DeckKind[HasCards], Any] | None:
    """The deck in a file, and its kind; None if it is of no kind."""
    columns = {*(rows[0].cells if (rows := _table(path, changed, size).rows) else ())}
    kind = next((one for one in kinds().values() if columns >= one.required), None)
    return None if kind is None else (kind, kind.read(_text(path), name))


@functools.lru_cache(_LISTED)
def _entry(name: str, path: Path, changed: int, size: int) -> Entry | None:
    """The entry of the deck in a file; None if tables cannot choose it. Many are cached, since a list that read all
    decks again would block everybody.
    """
    try:
        found = _read(name, path, changed, size)
    except Invalid:
        return None  # a file in the folder that is not a deck
    if found is None or not found[0].chosen or not found[1].cards:
        return None
    kind, deck = found
    table = _table(path, changed, size)
    return Entry(kind.name, deck.title, len(deck.cards), PRIVATE in table.about, table.languages)


def shipped() -> Mapping[str, Path]:
    """The files of the shipped decks by name."""
    return _shipped(tuple(kinds().values()))


@functools.cache
def _shipped(brought: tuple[DeckKind[HasCards], ...]) -> dict[str, Path]:
    return {path.stem: path for kind in brought for path in kind.shipped()}


def released(name: str) -> Released:
    """The shipped deck of this name, without corrections in a folder."""
    state = _state(shipped()[name])
    return Released(_hash(*state), tuple(row.cells.get("id", "") for row in _table(*state).rows))


def in_force(file: Path) -> bool:
    """Return whether a file of the folder counts. A corrected copy of a shipped deck counts until a release ships
    another version of that deck.
    """
    if (path := shipped().get(file.stem)) is None:
        return True
    amends = _table(*_state(file)).said(AMENDS)
    return not amends or amends == _hash(*_state(path))


def own(folder: Path) -> dict[str, Path]:
    """The files of the decks in a user's folder, by name."""
    return {path.stem: path for path in sorted(folder.glob("*.csv"))}


def is_path(name: str) -> bool:
    """Whether this names a file, not a deck."""
    return "/" in name or "\\" in name or name.lower().endswith(SHEETS)


def find(name: str, folder: Path) -> Path:
    """The file of the deck of this name, or at this path. Raises Invalid if there is none."""
    if is_path(name):
        return Path(name)
    decks = {**shipped()} | {one: path for one, path in own(folder).items() if one not in shipped() or in_force(path)}
    if name not in decks:
        raise Invalid("there is no deck {name}, only {names}", name=name, names=", ".join(sorted(decks)))
    return decks[name]


def slug(name: str) -> str:
    """A name for a deck and its file: lower-case letters, digits and hyphens. If other characters had to go, a few
    characters at its end keep it unique.
    """
    name = composed(name).casefold()
    plain = name
    for sign, letters in {"ä": "ae", "ö": "oe", "ü": "ue"}.items():
        plain = plain.replace(sign, letters)
    plain = "".join(sign for sign in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(sign))
    short = re.sub(r"[^a-z0-9]+", "-", plain)[:60].strip("-")
    if not any(sign.isalnum() and not sign.isascii() for sign in plain):
        return short or "deck"
    mark = base64.b32encode(hashlib.sha256(name.encode()).digest()).decode().lower()[:5]
    return f"{short[:54].strip('-') or 'deck'}-{mark}"


# In the other process, which loads no more than this module and what reads the decks

_libraries: dict[Path | None, Library] = {}


def answers(folder: Path | None, asked: Sequence[Asked]) -> tuple[list[Answer], float]:
    """Answer the questions. Returns the processor seconds, too."""
    begun = time.process_time()
    library = _libraries.setdefault(folder, Library(folder))
    return [answer(library, one) for one in asked], time.process_time() - begun


def answer(library: Library, one: Asked) -> Answer:
    """Answer one question in place."""
    try:
        value = one.question(library, one.names, *one.given)
    except Exception as error:  # noqa: BLE001 - raised where it was asked
        return Answer(error=error)
    return Answer(value, size=len(pickle.dumps(value)))
