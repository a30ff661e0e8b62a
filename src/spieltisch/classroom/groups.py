"""Assigns pupils to tables, with pure functions on their numbers. No pupil sits alone, and sizes differ by
one at most.
"""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations

from spieltisch.game import Invalid

Group = tuple[int, ...]
Groups = tuple[Group, ...]

TRIES = 40  # random starts of the mixer


def sizes(pupils: int, wanted: int, most: int) -> tuple[int, ...]:
    """The size of each table, larger ones first: as near to `wanted` as possible, 2 to `most`. A single pupil sits with
    bots. Raises Invalid for an impossible number, such as three at tables for two.
    """
    if pupils < 2:
        return (1,) * pupils
    able = [n for n in range(1, pupils // 2 + 1) if -(-pupils // n) <= most]
    if not able:
        raise Invalid("A class of {n} cannot be split into tables of 2 to {most}.", n=pupils, most=most)
    tables = min(able, key=lambda n: (abs(pupils / n - wanted), -n))
    each, more = divmod(pupils, tables)
    return (each + 1,) * more + (each,) * (tables - more)


def in_turn(order: Sequence[int], each: Sequence[int]) -> Groups:
    """The first pupils at the first table, and so on."""
    left = iter(order)
    return tuple(tuple(sorted(next(left) for _ in range(n))) for n in each)


def at_random(pupils: Iterable[int], each: Sequence[int], dice: random.Random) -> Groups:
    """A random distribution."""
    order = sorted(pupils)
    dice.shuffle(order)
    return in_turn(order, each)


def by_label(pupils: Iterable[int], each: Sequence[int], labels: Mapping[int, str]) -> Groups:
    """Pupils with the same label together, as far as the sizes allow; those without a label come last."""
    return in_turn(sorted(pupils, key=lambda one: (not labels.get(one), labels.get(one, ""), one)), each)


def as_before(pupils: Iterable[int], each: Sequence[int], before: Sequence[Group]) -> Groups:
    """The last tables again, as far as their pupils are present and the sizes allow; other pupils fill the gaps."""
    here = set(pupils)
    kept = sorted((kept for group in before if (kept := [one for one in group if one in here])), key=len, reverse=True)
    tables: list[list[int]] = [[] for _ in each]
    for table, group in zip(range(len(each)), kept, strict=False):
        tables[table] = group[: each[table]]
    rest = sorted(here.difference(*tables))
    for table, n in zip(tables, each, strict=True):
        while len(table) < n:
            table.append(rest.pop(0))
    return tuple(tuple(sorted(table)) for table in tables)


def met(before: Iterable[Sequence[Group]]) -> dict[frozenset[int], int]:
    """How often each pair has sat at the same table."""
    counted: dict[frozenset[int], int] = {}
    for groups in before:
        for group in groups:
            for pair in combinations(group, 2):
                counted[frozenset(pair)] = counted.get(frozenset(pair), 0) + 1
    return counted


def mixed(pupils: Iterable[int], each: Sequence[int], before: Iterable[Sequence[Group]], dice: random.Random) -> Groups:
    """New neighbours for everybody if possible, otherwise the fewest repetitions found."""
    counted, everybody = met(before), sorted(pupils)

    def again(one: int, others: Iterable[int]) -> int:
        return sum(counted.get(frozenset((one, other)), 0) for other in others)

    def cost(tables: list[list[int]]) -> int:
        return sum(again(one, table[i + 1 :]) for table in tables for i, one in enumerate(table))

    best: list[list[int]] = []
    for _ in range(TRIES):
        order = everybody[:]
        dice.shuffle(order)
        tables: list[list[int]] = [[] for _ in each]
        for one in order:
            room = [i for i, table in enumerate(tables) if len(table) < each[i]]
            tables[min(room, key=lambda i: (again(one, tables[i]), len(tables[i]) - each[i]))].append(one)
        _exchange(tables, again)
        if not best or cost(tables) < cost(best):
            best = tables
        if not cost(best):
            break
    return tuple(tuple(sorted(table)) for table in best)


def _exchange(tables: list[list[int]], again: Callable[[int, Iterable[int]], int]) -> None:
    """Swap pupils as long as that makes fewer meet again."""
    better = True
    while better:
        better = False
        for a, b in combinations(range(len(tables)), 2):
            for i, j in ((i, j) for i in range(len(tables[a])) for j in range(len(tables[b]))):
                one, other = tables[a][i], tables[b][j]
                left, right = tables[a][:i] + tables[a][i + 1 :], tables[b][:j] + tables[b][j + 1 :]
                if again(one, right) + again(other, left) < again(one, left) + again(other, right):
                    tables[a][i], tables[b][j], better = other, one, True
