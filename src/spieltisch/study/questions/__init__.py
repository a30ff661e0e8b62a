"""Questions about the games, answered by letting bots play: `spieltisch study answer NAME`.

Each is a module that says what is played and observed; `question` does the rest. A game's own questions are in
`study/questions` of its package. Questions about several games are here.
"""

import importlib

from spieltisch import games
from spieltisch.study.questions.question import Question


def question_of(name: str) -> Question:
    """Return the question of this name. Raises KeyError if there is none."""
    return importlib.import_module({**games.modules_in("study.questions"), "skill": f"{__name__}.skill"}[name]).QUESTION
