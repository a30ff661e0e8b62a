"""Uses `import spieltisch` under a strict type checker."""

from collections.abc import Sequence
from pathlib import Path

import spieltisch
from spieltisch.game import Step
from spieltisch.games.adaman.state import Control
from spieltisch.games.hichaechoc.state import Play


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
        print(wrong.file, wrong.entry, wrong.text, wrong.values)
    except (spieltisch.Illegal, spieltisch.Invalid) as refused:
        print(refused)
    except spieltisch.MissingExtraError as missing:
        print(missing.extra)
    except spieltisch.Refused:
        raise
    return None


def games() -> list[str]:
    return [f"{name}: {package.rules.seats}" for name, package in spieltisch.games().items()]


def highest(seed: int) -> str:
    """The types of a game that is named are those of this game."""
    match = spieltisch.new("adaman", seed=seed)
    ranks = match.state.public.worth.ranks
    targets = [ranks[action.target] for action in match.legal if isinstance(action, Control)]
    action = match.parse("control 1 with 2") if not targets else match.bot("thumb")
    match.play(action)
    print(told(match), match.options.extra, match.state.hidden.pile[:3])
    return match.deck.cards[ranks.index(max(ranks))].id


def hand(names: list[str]) -> tuple[int, ...]:
    match = spieltisch.new("hic-haec-hoc", seats=names, mode="assisted").fork()
    plays = [action.form for action in match.legal(seat=0) if isinstance(action, Play)]
    own = match.view(seat=0).own
    assert own is not None
    return tuple(card for card in own.hand if card in plays)


if __name__ == "__main__":
    print(told(played("anno-domini", 1)), games(), spieltisch.__version__, highest(4), hand(["Ada", "Ben"]))
    print(spieltisch.load(Path("game.json")), spieltisch.games.package("trailblaze").bot.levels)
