"""A slip as a pupil sees it, task by task, and how far the class is, for who leads it. What is right is told only after
the answer.
"""

from collections.abc import Mapping, Sequence

from spieltisch.classroom.classroom import Classroom, Pupil
from spieltisch.classroom.slips import Kind
from spieltisch.decks.exporting.objectives import Card, told
from spieltisch.decks.library import Library
from spieltisch.decks.tasks import Task
from spieltisch.decks.text import Text
from spieltisch.i18n import Translator


def name(kind: Kind, tr: Translator) -> str:
    """What a slip is called."""
    match kind:
        case "exit":
            return tr._("Exit slip")
        case "warm-up":
            return tr._("Warm-up")
        case "quick":
            return tr._("Quick round")


def progress(room: Classroom, tr: Translator) -> dict[str, object] | None:
    """How many are through; None where no slip is open."""
    if room.slip is None:
        return None
    tasks = len(room.slip.tasks)
    through = sum(len(one.answers) == tasks for one in room.asked)
    return {"name": name(room.slip.kind, tr), "tasks": tasks, "through": through, "pupils": len(room.asked)}


def for_pupil(room: Classroom, pupil: Pupil, library: Library, tr: Translator) -> dict[str, object] | None:
    """The next task of this pupil, and what came of the last one; None where no slip is open."""
    if room.slip is None:
        return None
    tasks, n = room.slip.tasks, len(pupil.answers)
    pairs = list(zip(tasks, pupil.answers, strict=False))
    return {
        "name": name(room.slip.kind, tr),
        "tasks": len(tasks),
        "n": n + 1,
        "over": n == len(tasks),
        "right": sum(answer in task.right for task, answer in pairs),
        "last": _told(*pairs[-1], library, tr) if pairs else None,
        "task": None if n == len(tasks) else _asked(tasks[n], library, tr),
    }


def _asked(task: Task, library: Library, tr: Translator) -> dict[str, object]:
    choices: list[dict[str, object]]
    known = told(library, task.deck, (task.card, *task.shown))
    match task.kind:
        case "chain":
            fronts = [_card(known, card).front[tr.lang] for card in task.shown]
            choices = [
                {"value": n, "label": _gap(n, fronts, tr), "front": fronts[n] if n < len(fronts) else ""}
                for n in range(task.choices)
            ]
        case "period" | "reading":
            said = library.ask(_choices, (task.deck,), task)
            choices = [{"value": n, "label": one[tr.lang]} for n, one in enumerate(said)]
    return {"kind": task.kind, "front": _card(known, task.card).front[tr.lang], "choices": choices}


def _gap(n: int, fronts: list[str], tr: Translator) -> str:
    if n == 0:
        return tr._("Before: {event}").format(event=fronts[0])
    if n == len(fronts):
        return tr._("After: {event}").format(event=fronts[-1])
    return tr._("Between: {event} – {other}").format(event=fronts[n - 1], other=fronts[n])


def _told(task: Task, answer: int, library: Library, tr: Translator) -> dict[str, object]:
    known = told(library, task.deck, (task.card, *task.shown))
    card = _card(known, task.card)
    chain = []
    if task.kind == "chain":
        ids = [*task.shown[: task.right[0]], task.card, *task.shown[task.right[0] :]]
        laid = [(one, _card(known, one)) for one in ids]
        chain = [{"front": c.front[tr.lang], "back": c.back[tr.lang], "own": one == task.card} for one, c in laid]
    return {
        "right": answer in task.right,
        "front": card.front[tr.lang],
        "back": card.back[tr.lang],
        "chain": chain,
        "latin": task.kind == "reading",
    }


def _choices(library: Library, names: Sequence[str], task: Task) -> Sequence[Text]:
    found = library.read(names[0])
    return () if found is None else found[0].choices(found[1], task)


def _card(known: Mapping[str, Card], card: str) -> Card:
    """What is on the card; its id where the deck has changed meanwhile."""
    return known.get(card) or Card(Text(card, card), Text("", ""))
