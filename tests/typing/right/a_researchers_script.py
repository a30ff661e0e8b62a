"""Uses `spieltisch.study` under a strict type checker."""

from spieltisch import study


def solved(first: int, last: int) -> list[int]:
    """The numbers of deals that can be won."""
    return [one.number for one in study.solve_many(range(first, last), seconds=1.0) if one.winnable is True]


def advised(number: int) -> float:
    deal = study.deal(number)
    best = study.coach(deal)[0]
    deal.play(best.action)
    print(study.solve(deal).best, deal.state.public.resources, deal.bot("thumb"))
    return best.chance


def simulated() -> list[str]:
    done = study.simulate("trailblaze", ["chronicler", "novice"], games=10, seed=7)
    frame = done.frame("polars")  # pandas has no types of its own
    print(frame.group_by("bot").mean(), done.figures.standings[0].wins.mean)
    return frame.columns
