"""Tables to test on: deals in words, and moves as short texts."""

from collections import Counter

from msgspec.structs import replace

from spieltisch.dice import check
from spieltisch.game import State, see
from spieltisch.games.hichaechoc import rules
from spieltisch.games.hichaechoc.forms import CELLS, named
from spieltisch.games.hichaechoc.options import Options
from spieltisch.games.hichaechoc.state import JOKER, Accept, Contest, Draw, Pass, Play, PlayJoker

HIC = named("hic")
NUMBER: dict[str, int] = {}
for _card in HIC.cards:
    NUMBER.setdefault(_card.form, len(NUMBER))
NUMBER["joker"] = JOKER
FORM = {number: form for form, number in NUMBER.items()}
CELL = {".".join(cell): number for number, cell in enumerate(CELLS)}
NAME = {number: cell for cell, number in CELL.items()}


def dealt(*hands, top, pile="", bottom="", **options):
    """A table with these hands and `top`; the pile begins with `pile` and ends with `bottom`."""
    held = [[NUMBER[form] for form in hand.split()] for hand in hands]
    options = Options(**{"cards_per_player": len(held[0])} | options)
    state = rules.setup(len(hands), options, HIC)
    first = [hand[i] for i in range(len(held[0])) for hand in held]
    first += [NUMBER[form] for form in f"{top} {pile}".split()]
    last = [NUMBER[form] for form in bottom.split()]
    due = rules.pending_chance(state)
    rest = Counter(due.items)
    rest.subtract(first + last)
    return rules.resolve_chance(state, check(due, (*first, *rest.elements(), *last)))


def play(state, *moves):
    """Play moves such as "hunc acc.sg.m", "joker", "draw", "pass" by the seat to act, "1 contest", "1 accept". A list
    of forms is the result of a shuffle (the remaining items follow in order).
    """
    for move in moves:
        if isinstance(move, list):
            due = rules.pending_chance(state)
            first = [NUMBER[form] for form in move]
            rest = Counter(due.items)
            rest.subtract(first)
            state = rules.resolve_chance(state, check(due, (*first, *rest.elements())))
        else:
            seat, action = said(state, move)
            state = rules.apply(state, seat, action)
    return state


def said(state, move):
    words = move.split()
    seat = int(words.pop(0)) if words[0].isdigit() else rules.to_act(state.public)[0]
    match words:
        case ["draw"]:
            return seat, Draw()
        case ["pass"]:
            return seat, Pass()
        case ["joker"]:
            return seat, PlayJoker()
        case ["contest"]:
            return seat, Contest()
        case ["accept"]:
            return seat, Accept()
        case [form, reading]:
            return seat, Play(NUMBER[form], CELL[reading])
    raise AssertionError(move)


def offered(state, seat=None):
    """The offers of `legal`, as texts."""
    seat = rules.to_act(state.public)[0] if seat is None else seat
    return [told(action) for action in rules.legal(see(state, seat))]


def told(action):
    match action:
        case Play(form, reading):
            return f"{FORM[form]} {NAME[reading]}"
        case PlayJoker():
            return "joker"
        case _:
            return type(action).__name__.lower()


def hand(state, seat):
    return sorted(FORM[card] for card in state.own[seat].hand)


def top(state):
    m = state.public.middle
    return FORM[m.top], None if m.said is None else NAME[m.said]


def used_up(state, played=""):
    """The same table with an empty pile, and these cards under the top one."""
    m = replace(state.public.middle, pile=0, played=tuple(NUMBER[form] for form in played.split()))
    return State(replace(state.public, middle=m), state.own, replace(state.hidden, pile=()))
