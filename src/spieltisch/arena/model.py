"""A language model on a seat: what it is asked in words, how its answer is read, and what is written down of both.

Its answer is read strictly: exactly one move, exactly one chance where one is asked for. What cannot be read or played
is asked for once more, with the reason. Then the game's default move is played for it, and counted.
"""

import re
import time
from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from spieltisch.arena.address import DownError, endpoint
from spieltisch.arena.contest import Asking
from spieltisch.arena.endpoint import Chat, Command, Model, Said
from spieltisch.arena.seated import LateError
from spieltisch.dice import FastDice
from spieltisch.game import GameView, Invalid, Refused, Result, own_news, see
from spieltisch.i18n import N_, Translator
from spieltisch.match import Match
from spieltisch.package import Guess, Judged

MOST_BYTES = 4500  # of rules and question together
NEWS = 12  # sentences since the last question, at most
LATE = 3  # answers in a row that are late, before the model counts as down
MOVE, CHANCE, YEAR = N_("MOVE"), N_("CHANCE"), N_("YEAR")
_THOUGHT = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)  # what some models say before their answer
_PERCENT = re.compile(r"(\d{1,3})\s*%?")
_YEAR = re.compile(r"[-−]?\d{1,6}")


class Exchange(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A question to a model, and what came of it.

    `answers` has one text or two; `reasons` says of each that could not be used why. `ghosts` counts moves that were
    named and are impossible, `unread` answers without a move or a chance. `default`: the game's default was played.
    `chance` is what the model stated, in per cent, `judged` the truth. `doubted`: the next player doubted this move;
    None if nobody could. `gain` is what a doubt brought in winning, -1 to 1, beside what our bot does there; None for
    other moves. `dated` is the event whose year was asked for, `year` what the model guessed, `off` by which share of
    the event's age that is wrong. `asked` and `said` are tokens, None where the model counts none.
    """

    seat: int
    question: str
    move: str
    answers: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    chance: int | None = None
    ghosts: int = 0
    unread: int = 0
    late: bool = False
    default: bool = False
    asked: int | None = None
    said: int | None = None
    seconds: float = 0.0
    judged: Judged | None = None
    doubted: bool | None = None
    gain: float | None = None
    dated: str = ""
    year: int | None = None
    off: float | None = None

    @property
    def is_bluff(self) -> bool:
        """Whether the model holds what it stands for to be wrong, and does not say so."""
        return self.can_pass and self.chance is not None and self.chance < 50

    @property
    def can_pass(self) -> bool:
        """Whether others may doubt this move or let it pass."""
        told = self.judged
        return told is not None and not (told.doubts or told.answers or told.checked)


class Unread(Invalid):
    """An answer without a move, or without a chance."""


class Talker:
    """A model on its seat, for one game."""

    def __init__(self, match: Match, seat: int, model: Model, asking: Asking, seed: int) -> None:
        self._match, self._seat, self._model, self._asking = match, seat, model, asking
        self._dice = FastDice(f"{seed}/default")
        self._tr = translator(match, seat, asking.lang)
        self._rules = rules(match, asking)
        self._news: list[str] = []
        self._guess: Guess | None = None
        self._late = 0
        self._before: GameView | None = None  # what it saw when it was asked last
        self.exchanges: list[Exchange] = []

    def hear(self) -> None:
        """Remember what the last move told this seat, until it is asked again."""
        state = self._match.state
        news = (*state.public.news, *own_news(see(state, self._seat)))
        self._news += self._match.package.page.tell_step(news, state.public, self._tr)

    def choose(self, view: GameView, legal: Sequence[Struct]) -> Struct:
        prompt = self._match.package.prompt
        self._guess = prompt.guess(view, self._before, self._dice, self._tr) if self._asking.years else None
        self._before = view
        question = self._question(view, legal)
        self._news.clear()
        began = time.monotonic()
        messages = [{"role": "system", "content": self._rules}, {"role": "user", "content": question}]
        answers: list[str] = []
        reasons: list[str] = []
        ghosts, unread, late, tokens = 0, 0, False, [Said("", 0, 0)]
        found: tuple[Struct, int | None, int | None] | None = None
        while found is None and len(reasons) < 2 and not late:
            try:
                said = self._model.complete(messages)
            except LateError:
                late = True
                continue
            answers.append(said.text)
            tokens.append(said)
            try:
                found = self._read(said.text, view, legal)
            except Refused as wrong:
                unread, ghosts = unread + isinstance(wrong, Unread), ghosts + (not isinstance(wrong, Unread))
                reasons.append(self._tr.refusal(wrong))
                again = self._tr._("This cannot be used: {reason} Answer once more.").format(reason=reasons[-1])
                messages += [{"role": "assistant", "content": said.text}, {"role": "user", "content": again}]
        self._late = self._late + 1 if late else 0
        if self._late == LATE:
            raise DownError("the model did not answer {n} questions in a row in time", n=LATE)
        action, chance, year = found or (prompt.default(view, legal, self._dice), None, None)
        self.exchanges.append(
            Exchange(
                seat=self._seat, question=question, move=prompt.write(view, action, self._tr), answers=(*answers,),
                reasons=(*reasons,), chance=chance, ghosts=ghosts, unread=unread, late=late, default=found is None,
                asked=total(one.asked for one in tokens), said=total(one.said for one in tokens),
                seconds=round(time.monotonic() - began, 3), dated="" if self._guess is None else self._guess.text,
                year=year,
            )
        )  # fmt: skip
        return action

    def judge(self, told: Judged | None, gain: float | None) -> None:
        """Write down the truth about the last choice, before it is made."""
        last, off = self.exchanges[-1], None
        if self._guess is not None and last.year is not None:
            off = self._match.package.prompt.off(self._match.state, self._guess.card, last.year)
        self.exchanges[-1] = replace(last, judged=told, gain=gain, off=off)

    def answered(self, doubted: bool) -> None:
        """Write down whether others doubted the last choice."""
        self.exchanges[-1] = replace(self.exchanges[-1], doubted=doubted)

    def _question(self, view: GameView, legal: Sequence[Struct]) -> str:
        """What is asked, as much as fits."""
        prompt, tr = self._match.package.prompt, self._tr
        first, *others = prompt.ask(view, tr) or [""]
        last = [form(prompt.claim(view, tr), tr, self._guess)]
        if self._asking.listed or prompt.listed:
            moves = "\n".join(prompt.write(view, action, tr) for action in legal)
            last.insert(0, tr._("All moves:") + "\n" + moves)
        if self._news:
            others.insert(0, tr._("Since your last move:") + "\n" + "\n".join(self._news[-NEWS:]))
        room = MOST_BYTES - len(self._rules.encode()) - len("\n\n".join([first, *last]).encode())
        parts = [first]
        for part in others:
            room -= len(part.encode()) + 2
            if room < 0:
                break
            parts.append(part)
        return "\n\n".join(part for part in [*parts, *last] if part)

    def _read(self, text: str, view: GameView, legal: Sequence[Struct]) -> tuple[Struct, int | None, int | None]:
        prompt, tr = self._match.package.prompt, self._tr
        said = _THOUGHT.sub("", text)
        move = _line(said, tr._(MOVE))
        chance = year = None
        if prompt.claim(view, tr):
            stated = _line(said, tr._(CHANCE))
            found = _PERCENT.fullmatch(stated)
            if found is None or int(found[1]) > 100:
                raise Unread("The chance is a whole number from 0 to 100, not “{text}”.", text=stated[:80])
            chance = int(found[1])
        if self._guess is not None:
            stated = _line(said, tr._(YEAR))
            if _YEAR.fullmatch(stated) is None:
                raise Unread("A year is a whole number, with a minus before our era, not “{text}”.", text=stated[:80])
            year = int(stated.replace("−", "-"))
        return prompt.read(view, legal, move, tr), chance, year

    def end(self, result: Result | None) -> None:
        """A model remembers no game, so it is told nothing."""

    def close(self) -> None:
        """Let go of the model."""
        self._model.close()


def _line(text: str, name: str) -> str:
    """What stands behind this name at the beginning of a line. Raises Unread unless there is exactly one."""
    bare = (line.strip().strip("*_`#>- ") for line in text.splitlines())
    pattern = re.compile(rf"{name}\s*[*_`]*\s*:\s*(.*)", re.IGNORECASE)
    found = {match[1].strip('*_`"“”„. ') for line in bare if (match := pattern.fullmatch(line))} - {""}
    if len(found) != 1:
        raise Unread("Write exactly one line that begins with “{name}:”, not {n}.", name=name, n=len(found))
    return found.pop()


def total(values: Iterable[int | None]) -> int | None:
    """The sum; None if one of them is not known."""
    each = [*values]
    known = [one for one in each if one is not None]
    return sum(known) if len(known) == len(each) else None


def translator(match: Match, seat: int | None, lang: str) -> Translator:
    """The translator in which a model is asked: the seats are numbered from 1 on."""
    nameless = match.package.translator(lang)
    names = [nameless._("Seat {n}").format(n=one + 1) for one in range(match.seats)]
    return Translator(nameless.catalog, lang, names, seat)


def rules(match: Match, asking: Asking) -> str:
    """What a model is told once: the system's message."""
    return match.package.prompt.rules(match.options, translator(match, None, asking.lang))


def form(claim: str, tr: Translator, guess: Guess | None = None) -> str:
    """How an answer has to look. `claim` is what a chance is stated for ("": nothing), `guess` what a year is."""
    told, names = [], [MOVE]
    if claim:
        names.append(CHANCE)
        says = tr._("{name} says how likely it is, in whole per cent from 0 to 100, {claim}.")
        told.append(says.format(name=tr._(CHANCE), claim=claim))
    if guess is not None:
        names.append(YEAR)
        says = tr._("{name} says in which year you think {card} happened: a whole number, with a minus before our era.")
        told.append(says.format(name=tr._(YEAR), card=guess.words))
    ends = tr.ngettext(
        "Think if you like. End with this line:", "Think if you like. End with these {n} lines:", len(names)
    )
    return "\n".join([*told, ends.format(n=len(names)), *(f"{tr._(name)}: …" for name in names)])


def model(command: str, asking: Asking, seconds: float, seed: int) -> Model:
    """What answers for a player `model:COMMAND`."""
    where = endpoint(command)
    return Command(command, seconds) if where is None else Chat(where, asking.hosts, seconds, seed)
