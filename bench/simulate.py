"""How long ten thousand games of each game's best bots take: `python bench/simulate.py [GAMES]`.

Some games of each are played in one process, after one that compiles and remembers; what is told is processor time,
which a busy machine lengthens less than the clock. Ten thousand games on two cores are reckoned from it, not played.
"""

import sys
import time

from spieltisch.study.series import play, series

BEST = (
    ("anno-domini", ["chronicler"] * 4, {}, 120),
    ("trailblaze", ["chronicler"] * 4, {}, 120),
    ("hic-haec-hoc", ["grammaticus"] * 2, {}, 300),
    ("hic-haec-hoc", ["grammaticus"] * 2, {"mode": "assisted"}, 300),
    ("adaman", ["coach"], {}, 300),
)
"""Game, bots, options, and within how many seconds ten thousand games are to be played."""


def main(games):
    for game, bots, options, aim in BEST:
        found = series(game, bots, 1, options)
        list(play(found, [0]))
        begun = time.process_time()
        played = [*play(found, range(1, games + 1))]
        each = (time.process_time() - begun) / games
        actions = sum(one.actions for one in played) / games
        print(
            f"{game:14}{options.get('mode', ''):10}{len(bots)} × {bots[0]:12}{1000 * each:7.1f} ms a game of "
            f"{actions:5.1f} actions; 10,000 on two cores: {each * 5000:5.0f} s (aim {aim} s)",
            flush=True,
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 50)
