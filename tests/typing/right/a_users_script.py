"""Uses `import spieltisch` under a strict type checker."""

from collections.abc import Sequence

import spieltisch
from spieltisch.game import Step


def played(game: str, seed: int) -> spieltisch.Match:
    match = spieltisch.new(game, seats=3, seed=seed, max_rounds=3)
    while not match.over:
        seat = match.to_act[0]
        action = match.bot() if seat else match.legal[0]
        print(match.text(action), match.view(seat).public.news)
        match.play(action, seat)
    return match


def told(match: spieltisch.Match) -> list[str]:
    result = match.result
    assert result is not None
    lines = [f"{result.end}: {result.scores}"]
    history: Sequence[Step] = match.history
    lines += [str(what) for _, what in history]
    return lines


def again(match: spieltisch.Match) -> spieltisch.Match | None:
    other = match.fork(seed=2)
    try:
        other.play(other.parse("doubt"))
        return spieltisch.load(match.record())
    except spieltisch.InvalidRecord as wrong:
        print(wrong.entry, wrong.text, wrong.values)
    except (spieltisch.Illegal, spieltisch.Invalid) as refused:
        print(refused)
    except spieltisch.MissingExtraError as missing:
        print(missing.extra)
    except spieltisch.Refused:
        raise
    return None


def games() -> list[str]:
    return [f"{name}: {package.rules.seats}" for name, package in spieltisch.games().items()]


if __name__ == "__main__":
    print(told(played("anno-domini", 1)), games(), spieltisch.__version__)
