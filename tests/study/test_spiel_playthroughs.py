"""Games as OpenSpiel keeps them: step by step with all that its players are told, played again and compared."""

from pathlib import Path

import pytest

pytest.importorskip("pyspiel")

from absl import flags
from open_spiel.python.algorithms import generate_playthrough

from spieltisch.study.environments import spiel

flags.FLAGS.mark_as_parsed()  # OpenSpiel asks for an option of its command line, and there is none

HERE = Path(__file__).parent / "playthroughs"
GAMES = {
    "anno-domini": "cards=7,cards_per_player=1,max_rounds=2,knowledge=noise/100/2,most=6",
    "trailblaze": "cards=6,most=6",
    "hic-haec-hoc": "cards_per_player=3,knowledge=noise/0.1/2,most=4",
    "adaman": "",
}


def name_of(game):
    """What OpenSpiel calls this game, with the options of its playthrough."""
    return f"{spiel.PREFIX}{game.replace('-', '_')}({GAMES[game]})"


def write():
    """All of them anew: `PYTHONPATH=tests python -m study.test_spiel_playthroughs`."""
    for game in GAMES:
        text = generate_playthrough.playthrough(name_of(game), action_sequence=None, seed=1)
        (HERE / f"{game}.txt").write_text(text, encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_openspiel_plays_the_same_game_again(game):
    file = HERE / f"{game}.txt"
    assert file.read_text(encoding="utf-8").startswith(f"game: {name_of(game)}")
    before, now = (text.splitlines() for text in generate_playthrough.replay(str(file)))
    differs = next((n for n, (old, new) in enumerate(zip(before, now, strict=False)) if old != new), None)
    assert differs is None, (
        f"line {differs + 1} is now {now[differs][:200]}; if that is wanted, write them anew as `write` says"
    )
    assert len(before) == len(now)


if __name__ == "__main__":
    write()
