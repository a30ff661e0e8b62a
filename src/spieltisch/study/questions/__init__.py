"""Questions about the games that are answered by letting bots play: `spieltisch study answer NAME`.

Each is a module with what is played and what is looked at; `question` does the rest. A game brings its own in the
folder `study/questions` of its package; what is asked about several games lies here.
"""

import importlib

from spieltisch import games
from spieltisch.study.questions.question import Question


def question_of(name: str) -> Question:
    """The question of this name. KeyError if there is none."""
    return importlib.import_module({**games.modules_in("study.questions"), "skill": f"{__name__}.skill"}[name]).QUESTION
