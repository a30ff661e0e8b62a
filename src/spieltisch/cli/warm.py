"""The command `spieltisch warm`: compiles engines before anybody waits for them."""

import os
import sys
import time

from spieltisch import games, makers
from spieltisch.cli.output import _, refuse
from spieltisch.game import Invalid


def warm(*names: str) -> int:
    """Compile the engines with which bots and analyses search.

    An engine is compiled once per version of Spieltisch, Python and numba, and then loaded in seconds. Without this,
    plain Python answers while the engine is compiled in the background.

    Parameters
    ----------
    names
        Games whose engine to compile; by default all that have one.

    """
    engines = {name: one.folder.name for name, one in games.packages().items() if one.folder.name in makers.engines()}
    for name in names:
        if name not in engines and name not in engines.values():  # a process in the background names the folder
            return refuse("warm", Invalid("{name} has no engine, only {known}", name=name, known=", ".join(engines)))
    if sys.platform != "win32":
        os.nice(10)  # people who play go first
    for name in names or engines:
        engine, begun = engines.get(name, name), time.monotonic()
        if makers.is_compiled(engine):
            print(_("{game}: already compiled", game=name), flush=True)
            continue
        makers.compile_here(engine)
        if makers.is_compiled(engine):
            said = _("{game}: compiled in {seconds} seconds", game=name, seconds=round(time.monotonic() - begun))
        else:
            said = _("{game}: not compiled, since {setting} is set", game=name, setting=f"{makers.CHOICE}=plain")
        print(said, flush=True)
    return 0
