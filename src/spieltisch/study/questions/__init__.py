"""Questions about the games that are answered by letting bots play: `spieltisch study answer NAME`.

Each is a module with what is played and what is looked at; `question` does the rest.
"""

from collections.abc import Mapping

from spieltisch.study.questions import ambiguity, doubt, seats, skill, stones, together
from spieltisch.study.questions.question import Question

_ALL = (ambiguity, stones, doubt, seats, together, skill)
QUESTIONS: Mapping[str, Question] = {one.QUESTION.name: one.QUESTION for one in _ALL}
"""All questions by their names."""
