"""The whole tree of a small game for one or two, enumerated with every outcome of chance.

Signals are not enumerated. Given the hidden part they are independent of each other, so a node stands for all signals
at once. A table has the probability of each signal for each hidden part.
"""

from collections import Counter
from collections.abc import Iterator
from copy import copy
from itertools import permutations, product
from typing import Any

from msgspec import Struct

from spieltisch import extras
from spieltisch.dice import Pick
from spieltisch.game import Invalid
from spieltisch.study.environments.episode import Episode
from spieltisch.study.environments.knowledge import NONE
from spieltisch.study.environments.setting import Setting

with extras.needed("environments"):
    import numpy as np

LARGEST = 2_000_000  # nodes
CHANCE, END = 2, 3  # kinds of nodes beside those of seat 0 and 1


class Level(Struct):
    """The nodes at one depth. The children of a node are adjacent in the next level."""

    above: np.ndarray  # the node above, in the level before
    row: np.ndarray  # the choice of the seat above that leads here, -1 below a chance step
    kind: np.ndarray  # the seat to act, CHANCE or END
    key: np.ndarray  # what the seat to act has noticed, -1 where nobody acts
    world: np.ndarray  # what lies hidden
    chance: np.ndarray  # how likely chance leads here
    won: np.ndarray  # by seat 0, at an end
    first: np.ndarray  # where the nodes below begin
    below: np.ndarray  # how many there are


class Tree(Struct):
    """A whole game. A seat's information set is a key, which is what it has noticed, together with its signal."""

    seats: int
    levels: list[Level]
    keys: tuple[list[tuple[int, ...]], ...]  # by seat
    starts: tuple[np.ndarray, ...]  # by seat: the first row of each key, and the end
    rows: tuple[list[Any], ...]  # by seat: the action of each row
    signals: tuple[np.ndarray, ...]  # by seat: how likely each signal is in each world
    told: tuple[list[tuple[int, ...]], ...]  # by seat: the signals

    def nodes(self) -> dict[str, int]:
        """Return the number of nodes by kind."""
        kinds = np.concatenate([level.kind for level in self.levels])
        return {
            "chance": int((kinds == CHANCE).sum()),
            "choices": int((kinds < CHANCE).sum()),
            "ends": int((kinds == END).sum()),
        }

    def information_sets(self) -> int:
        """Return the number of information sets that can be reached."""
        return int(sum(self.reachable(seat).sum() for seat in range(self.seats)))

    def reachable(self, seat: int) -> np.ndarray:
        """Return for every key of a seat the signals that can go with it."""
        found = np.zeros((len(self.starts[seat]) - 1, self.signals[seat].shape[1]), bool)
        for level in self.levels:
            mine = level.kind == seat
            np.logical_or.at(found, level.key[mine], self.signals[seat][level.world[mine]] > 0)
        return found


def walk(setting: Setting) -> Tree:
    """Return the tree of a setting. Raises Invalid for more than two seats, and for more than LARGEST nodes."""
    if setting.seats > 2:
        raise Invalid("walking the whole tree takes one or two seats, not {n}", n=setting.seats)
    given = setting.package, setting.seats, setting.options, setting.deck
    bare = Setting(*given, NONE, setting.most, setting.narrowed)
    worlds: dict[Any, int] = {}
    keys: list[dict[Any, int]] = [{} for _ in range(setting.seats)]
    starts: list[list[int]] = [[0] for _ in range(setting.seats)]
    rows: list[list[Any]] = [[] for _ in range(setting.seats)]
    levels: list[Level] = []
    nodes: list[tuple[Episode, int, int, float]] = [(Episode(bare, remembers=True), 0, -1, 1.0)]
    total = 0
    while nodes:
        total += len(nodes)
        if total > LARGEST:
            raise Invalid("this game has more than {n} nodes: it is too large to walk", n=LARGEST)
        below: list[tuple[Episode, int, int, float]] = []
        table = []
        for number, (episode, above, row, chance) in enumerate(nodes):
            first, kind, key, won = len(below), END, -1, 0.0
            world = worlds.setdefault(episode.secrets, len(worlds))
            due = episode.due()
            seat = episode.seat if due is None else None
            if due is not None:
                kind = CHANCE
                for outcome, part in _outcomes(episode):
                    other = copy(episode)
                    other.resolve(outcome)
                    below.append((other, number, -1, chance * part))
            elif seat is None:
                won = episode.returns()[0]
            else:
                kind, offer = seat, episode.open()
                actions = [offer.get(n) for n in offer.plan.numbers]
                key = keys[seat].setdefault(tuple(episode.memory(seat)), len(keys[seat]))
                if key == len(starts[seat]) - 1:
                    rows[seat] += actions
                    starts[seat].append(len(rows[seat]))
                start = starts[seat][key]
                assert starts[seat][key + 1] - start == len(actions), "the same is noticed, and not as much is open"
                for place, action in enumerate(actions):
                    other = copy(episode)
                    other.act(action)
                    below.append((other, number, start + place, chance))
            table.append((above, row, kind, key, world, chance, won, first, len(below) - first))
        columns = [np.array(column) for column in zip(*table, strict=True)]
        levels.append(Level(*columns))
        nodes = below
    signals, told = zip(*(_signals(setting, seat, list(worlds)) for seat in range(setting.seats)), strict=True)
    return Tree(setting.seats, levels, tuple(map(list, keys)), tuple(map(np.array, starts)), tuple(rows), signals, told)


def _outcomes(episode: Episode) -> Iterator[tuple[Any, float]]:
    """Return the outcomes of this chance with their probabilities, equal ones merged."""
    due, some = episode.due(), episode.chosen()
    if some is not None:
        found = Counter(some)
        for outcome, n in found.items():
            yield some.index(outcome), n / len(some)
    elif isinstance(due, Pick):
        for number in range(due.n):
            yield number, 1 / due.n
    else:
        assert due is not None
        orders = Counter(permutations(due.items))
        n = sum(orders.values())
        for order, times in orders.items():
            yield order, times / n


def _signals(setting: Setting, seat: int, worlds: list[Any]) -> tuple[np.ndarray, list[tuple[int, ...]]]:
    """Return the probability of each signal of a seat in each world."""
    known = setting.knowledge
    heard = [which for who, which in setting.heard if who == seat] if known.sigma is not None else []
    told, sigma = setting.package.beliefs.told, known.sigma
    numbers: dict[tuple[int, ...], int] = {}
    found: dict[tuple[int, int], float] = {}
    for world, secrets in enumerate(worlds):
        if heard and not secrets:
            continue  # nothing has been dealt
        assert sigma is not None or not heard
        laws = [Counter(told(secrets, which, sigma or 0.0, chance) for chance in known.chances()) for which in heard]
        for signal in product(*laws):
            number = numbers.setdefault(signal, len(numbers))
            found[world, number] = float(
                np.prod([law[one] / known.steps for law, one in zip(laws, signal, strict=True)])
            )
    table = np.zeros((len(worlds), len(numbers)))
    for where, chance in found.items():
        table[where] = chance
    return table, list(numbers)
