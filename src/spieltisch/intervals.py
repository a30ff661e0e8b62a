"""How far a share that was found may be from what it would be in the long run."""

import math

Z = 1.959964  # 95 % of a normal distribution lie within so many standard deviations


def wilson(share: float, n: float) -> tuple[float, float]:
    """The 95 % interval of a share, from 0 to 1, that was found in so many independent cases (Wilson's)."""
    centre, spread = share + Z * Z / (2 * n), Z * math.sqrt(share * (1 - share) / n + Z * Z / (4 * n * n))
    return (centre - spread) / (1 + Z * Z / n), (centre + spread) / (1 + Z * Z / n)
