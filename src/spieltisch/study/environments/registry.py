"""The names of the games in Gymnasium, such as `spieltisch/adaman-v1`."""

from spieltisch import extras, games, makers
from spieltisch.study.environments.setting import OLD

with extras.needed("environments"):
    import gymnasium

ONE = "spieltisch.study.environments.solitaire:env"
MANY = "spieltisch.study.environments.vector:env"


def name(game: str, version: int) -> str:
    """Return the Gymnasium id of a game."""
    return f"spieltisch/{game}-v{version}"


def register() -> None:
    """Tell Gymnasium all games: the present version of each, and the old one."""
    for package in games.packages().values():
        for version in {OLD, package.learning.version}:
            gymnasium.register(
                name(package.name, version), ONE, kwargs={"game": package.name, "version": version},
                vector_entry_point=MANY if version != OLD and package.folder.name in makers.batches() else None,
            )  # fmt: skip
