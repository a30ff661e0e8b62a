"""Counts sequences of actions by a game's rules, from a fixed shuffle."""

from spieltisch.game import see


def sequences(rules, state, depth):
    """The number of sequences of this many actions; shuffles keep the order."""
    if depth == 0:
        return 1
    if (due := rules.pending_chance(state)) is not None:
        return sequences(rules, rules.resolve_chance(state, due.items), depth)
    return sum(
        sequences(rules, rules.apply(state, seat, action), depth - 1)
        for seat in rules.to_act(state.public)
        for action in rules.legal(see(state, seat))
    )
