"""Bots that think with their game's engine, where the same seed has to give the same game."""

from spieltisch import makers
from spieltisch.package import Package


def await_engine(package: Package, level: str) -> None:
    """Compile the engine with which a bot of this level thinks, if there is one, and say so. Else the plain maker would
    choose until that is done, and then the engine. MissingExtraError without the extra `study`.
    """
    if level in package.bot.slow_levels and package.folder.name in makers.engines():
        makers.compile_here(package.folder.name)
