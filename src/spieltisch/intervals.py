"""How far a share that was found may be from what it would be in the long run."""

import math

Z = 1.959964  # 95 % of a normal distribution lie within so many standard deviations


def wilson(share: float, n: float, z: float = Z) -> tuple[float, float]:
    """The interval of a share, from 0 to 1, that was found in so many independent cases (Wilson's). It covers 95 %, or
    what lies within `z` standard deviations.
    """
    centre, spread = share + z * z / (2 * n), z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    low, high = (centre - spread) / (1 + z * z / n), (centre + spread) / (1 + z * z / n)
    return max(0.0, low), min(1.0, high)  # the last digit may lie beyond
