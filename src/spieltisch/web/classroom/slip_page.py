"""A slip as a pupil sees it, task by task, and how far the class is, for who leads it. What is right is told only after
the answer.
"""

from spieltisch.classroom.classroom import Classroom, Pupil
from spieltisch.classroom.slips import Kind
from spieltisch.decks.library import Library
from spieltisch.i18n import Translator
from spieltisch.web.core.tasks import asked, told


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
        "last": told(*pairs[-1], library, tr) if pairs else None,
        "task": None if n == len(tasks) else asked(tasks[n], library, tr),
    }
