"""The command `spieltisch warm`: compiles engines before anybody waits for them."""

import os
import sys
import time
from collections.abc import Callable
from functools import partial

from spieltisch import games, makers
from spieltisch.cli.output import _, refuse
from spieltisch.game import Invalid


def warm(*names: str, environments: bool = False) -> int:
    """Compile the engines with which bots and analyses search.

    An engine is compiled once per version of Spieltisch, Python and numba, and then loaded in seconds. Without this,
    plain Python answers while the engine is compiled in the background.

    Parameters
    ----------
    names
        Games whose engine to compile; by default all that have one.
    environments
        Also compile what plays many games at once, for learning.

    """
    engines = {name: one.folder.name for name, one in games.packages().items() if one.folder.name in makers.engines()}
    for name in names:
        if name not in engines and name not in engines.values():  # a process in the background names the folder
            return refuse("warm", Invalid("{name} has no engine, only {known}", name=name, known=", ".join(engines)))
    if sys.platform != "win32":
        os.nice(10)  # people who play go first
    for name in names or engines:
        engine = engines.get(name, name)
        _compile(name, engine, partial(makers.compile_here, engine))
        if environments and engine in makers.batches() and os.environ.get(makers.CHOICE) != "plain":
            from spieltisch.study.environments import vector

            game = next(game for game, folder in engines.items() if folder == engine)
            _compile(_("{game}, many at once", game=name), f"{engine}-batch", partial(vector.compiled, game))
    return 0


def _compile(what: str, cached: str, call: Callable[[], object]) -> None:
    """Compile this by a call, unless it is in the cache by its name there, and say how long it took."""
    begun = time.monotonic()
    if makers.is_compiled(cached):
        print(_("{game}: already compiled", game=what), flush=True)
        return
    call()
    if makers.is_compiled(cached):
        said = _("{game}: compiled in {seconds} seconds", game=what, seconds=round(time.monotonic() - begun))
    else:
        said = _("{game}: not compiled, since {setting} is set", game=what, setting=f"{makers.CHOICE}=plain")
    print(said, flush=True)
