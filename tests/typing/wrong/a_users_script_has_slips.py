"""A text is no action, no number of seats and no seed; a spectator has no hand; games have their own actions."""

import spieltisch
from spieltisch.games.hichaechoc.state import Play


def slips(path: str) -> None:
    match = spieltisch.new("hic-haec-hoc", seats=2, seed=1)
    match.play("draw")  # error
    spieltisch.new("hic-haec-hoc", seats="two")  # error
    spieltisch.new("hic-haec-hoc", seats=2.0)  # error
    spieltisch.new("hic-haec-hoc", seed=1.5)  # error
    print(match.view().own.hand)  # error
    print(match.state.public.pile_of_cards)  # error
    action: Play = match.bot()  # error
    match.legal(seat="Ada")  # error
    spieltisch.games().missing()  # error
    print(action, spieltisch.load(path).state.hidden.pile)  # error
