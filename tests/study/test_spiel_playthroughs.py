"""Games as OpenSpiel keeps them: step by step with all that its players are told, played again and compared."""

from pathlib import Path

import pytest

pytest.importorskip("pyspiel")

from matrix import sampled
from spieltisch.study.environments import spiel

HERE = Path(__file__).parent / "playthroughs"
GAMES = {
    "anno-domini": (
        "cards=7,cards_per_player=1,max_rounds=2,knowledge=noise/100/2,most=6",
        "cards=9,cards_per_player=2,doubter_penalty=1,most=7",
        "cards=8,cards_per_player=1,max_rounds=1,most=5,players=3",
    ),
    "trailblaze": (
        "cards=6,most=6",
        "cards=7,middle_card=stays,most=6,patterns=2,players=3",
        "cards=5,knowledge=noise/50/2,most=4,patterns=1",
    ),
    "hic-haec-hoc": (
        "cards_per_player=3,knowledge=noise/0.1/2,most=4",
        "cards_per_player=3,joker=True,mode=assisted,most=6,players=3",
        "cards_per_player=3,contest_price=1,joker=True,most=6,play_on=True",
    ),
    "adaman": ("", "most=3", "most=5"),
}
ALL = [(game, number) for game, some in GAMES.items() for number in range(len(some))]


def name_of(game, number):
    """What OpenSpiel calls this game, with the options of this playthrough."""
    return f"{spiel.PREFIX}{game.replace('-', '_')}({GAMES[game][number]})"


def file_of(game, number):
    return HERE / f"{game}-{number + 1}.txt"


def playthroughs():
    """OpenSpiel's module for them; it brings much of SciPy, which not all test processes need."""
    from absl import flags
    from open_spiel.python.algorithms import generate_playthrough

    flags.FLAGS.mark_as_parsed()  # OpenSpiel asks for an option of its command line, and there is none
    return generate_playthrough


def write():
    """All of them anew: `PYTHONPATH=tests python -m study.test_spiel_playthroughs`."""
    for game, number in ALL:
        text = playthroughs().playthrough(name_of(game, number), action_sequence=None, seed=number + 1)
        file_of(game, number).write_text(text, encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "number"), sampled(ALL, [("adaman", 2), ("anno-domini", 1), ("hic-haec-hoc", 1), ("trailblaze", 2)])
)
def test_openspiel_plays_the_same_game_again(game, number):
    file = file_of(game, number)
    assert file.read_text(encoding="utf-8").startswith(f"game: {name_of(game, number)}")
    before, now = (text.splitlines() for text in playthroughs().replay(str(file)))
    differs = next((n for n, (old, new) in enumerate(zip(before, now, strict=False)) if old != new), None)
    assert differs is None, (
        f"line {differs + 1} is now {now[differs][:200]}; if that is wanted, write them anew as `write` says"
    )
    assert len(before) == len(now)


if __name__ == "__main__":
    write()
