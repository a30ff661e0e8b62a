"""A task as somebody sees it: what is asked, and, once it is answered, what is right."""

from collections.abc import Mapping, Sequence
from typing import Any

from spieltisch import games
from spieltisch.decks.base_kind import DeckKind
from spieltisch.decks.exporting.objectives import Card
from spieltisch.decks.exporting.objectives import told as told_by_deck
from spieltisch.decks.library import Library
from spieltisch.decks.tasks import Scene, Task
from spieltisch.decks.text import NOTHING, Text, same
from spieltisch.game import HasCards
from spieltisch.i18n import Translator, bind_dashes
from spieltisch.package import Package


def asked(task: Task, library: Library, tr: Translator) -> dict[str, object]:
    """Return what `task.html` asks: nothing of it says which answer is right. Read beside the server: see `library`."""
    choices: list[dict[str, object]]
    known = told_by_deck(library, task.deck, (task.card, *task.shown))
    scene = None if task.kind == "chain" else library.ask(_scene, (task.deck,), task, tr.lang)
    if task.kind == "chain":
        fronts = [_card(known, card).front.spoken(tr.lang) for card in task.shown]
        choices = [
            {"value": n, "label": _gap(n, fronts, tr), "front": fronts[n] if n < len(fronts) else ""}
            for n in range(task.choices)
        ]
    elif task.kind == "best":
        choices = [{"value": n, "label": one} for n, one in enumerate(() if scene is None else scene.choices)]
    else:
        said = library.ask(_choices, (task.deck,), task)
        choices = [{"value": n, "label": one[tr.lang]} for n, one in enumerate(said)]
    return {
        "kind": task.kind,
        "front": "" if task.kind == "best" else _card(known, task.card).front.spoken(tr.lang),
        "asks": "" if scene is None else scene.asks,
        "rows": () if scene is None else [{"title": title, "cards": cards} for title, cards in scene.rows],
        "choices": choices,
    }


def told(task: Task, answer: int, library: Library, tr: Translator) -> dict[str, object]:
    """Return what `task.html` tells of an answer."""
    known = told_by_deck(library, task.deck, (task.card, *task.shown))
    card = _card(known, task.card)
    chain = []
    if task.kind == "chain":
        ids = [*task.shown[: task.right[0]], task.card, *task.shown[task.right[0] :]]
        laid = [(one, _card(known, one)) for one in ids]
        chain = [
            {"front": c.front.spoken(tr.lang), "back": c.back[tr.lang], "own": one == task.card} for one, c in laid
        ]
    best, why = "", ""
    if task.kind == "best" and (scene := library.ask(_scene, (task.deck,), task, tr.lang)) is not None:
        best, why = scene.choices[task.right[0]], library.ask(_why, (task.deck,), task, answer, tr.lang)
    return {
        "right": answer in task.right,
        "front": best or card.front.spoken(tr.lang),
        "back": card.back[tr.lang],
        "why": why,
        "chain": chain,
        "latin": task.kind == "reading",
    }


def _gap(n: int, fronts: list[str], tr: Translator) -> str:
    if n == 0:
        return tr._("Before: {event}").format(event=fronts[0])
    if n == len(fronts):
        return tr._("After: {event}").format(event=fronts[-1])
    return bind_dashes(tr._("Between: {event} – {other}")).format(event=fronts[n - 1], other=fronts[n])


def _scene(library: Library, names: Sequence[str], task: Task, lang: str) -> Scene | None:
    kind, deck, tr = _asking(library, names[0], lang)
    return kind.scene(deck, task, tr)


def _why(library: Library, names: Sequence[str], task: Task, answer: int, lang: str) -> str:
    kind, deck, tr = _asking(library, names[0], lang)
    return kind.why(deck, task, answer, tr)


def _asking(library: Library, deck: str, lang: str) -> tuple[DeckKind[HasCards], Any, Translator]:
    """Return the kind of a deck, the deck, and who speaks of its game."""
    found = library.read(deck)
    assert found is not None
    return *found, package_of(found[0].name).translator(lang)


def package_of(kind: str) -> Package:
    """Return the game that plays with decks of this kind."""
    return next(one for one in games.packages().values() if one.decks is not None and one.decks.name == kind)


def _choices(library: Library, names: Sequence[str], task: Task) -> Sequence[Text]:
    found = library.read(names[0])
    return () if found is None else found[0].choices(found[1], task)


def _card(known: Mapping[str, Card], card: str) -> Card:
    """What is on the card; its id where the deck has changed meanwhile."""
    return known.get(card) or Card(same(card), NOTHING)
