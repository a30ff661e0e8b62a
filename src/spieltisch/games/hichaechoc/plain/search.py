"""The search of `engine.search` in plain Python: games played to their end in worlds that fit what is known.

Every game is played in a new world. The thinker's own turns grow a tree by what it would know then (its hand, the top
card, how many cards the others hold); at each of them the best option so far is tried most often (UCT over information
sets). Beyond the tree it plays by a rollout policy; the others play anything that fits, or now and then by it, too.
"""

import math
from collections.abc import Hashable, Sequence

from msgspec import Struct

from spieltisch.dice import Dice
from spieltisch.games.hichaechoc.agreement import Table, as_bits
from spieltisch.games.hichaechoc.imagine import unseen
from spieltisch.games.hichaechoc.news import Passed
from spieltisch.games.hichaechoc.plain.kernel import (
    GOING,
    JOKER,
    OVER,
    PASS,
    Forms,
    Game,
    cards,
    numbers,
    random_number,
)
from spieltisch.games.hichaechoc.state import GameView, Pass, Play, PlayJoker

GAMES = 2_000  # before a choice: a quarter of a second, in compiled code some 12 ms
CAREFUL = 0.2  # how often the others play by the rollout policy
EXPLORE = 0.6  # how gladly the tree tries what has done less well
NOBODY = -1
LONG = 300  # turns after which a game counts as nobody's
STIFF = 1.2  # cards that could go on next, which one reading less of the card played outweighs
LAST_OF_ALL = -100.0  # the joker

Option = Play | PlayJoker | Pass


class Known(Struct, frozen=True):
    """What the thinker knows: a game without what it does not see, and how that may be filled in."""

    hands: list[int]  # bits: its hand, and the cards that everybody knows
    bottom: int  # the joker, if it is known to lie under the pile
    played: int
    lying: int
    fitting: int
    seat: int
    drawn: int
    passes: int
    out: int
    anywhere: list[int]  # cards that may lie anywhere
    missing: list[int]  # by seat: how many of its cards are not known
    lacks: list[int]  # by seat: the cells (as bits) of which it held none, the card just drawn apart
    drew: int  # the seat that has just drawn a card and passed, NOBODY if there is none


class Node(Struct):
    """What the thinker may know at a turn: how often each action was tried there, and how many games that won."""

    played: dict[int, int]
    won: dict[int, float]


def best(view: GameView, options: Sequence[Option], table: Table, dice: Dice) -> Option:
    """The option with which most of the games are won."""
    actions = {number(option): option for option in options}
    forms = Forms(table)
    search = Search(forms, known(view, forms, table), sorted(actions), dice)
    return actions[search.run(GAMES)]


def number(option: Option) -> int:
    """An action as the kernel has it."""
    return option.reading if isinstance(option, Play) else JOKER if isinstance(option, PlayJoker) else PASS


def known(view: GameView, forms: Forms, table: Table) -> Known:
    """What can be told from a view."""
    p, m, own = view.public, view.public.middle, view.own
    assert own is not None
    assert view.seat is not None
    assert m.top is not None
    shown = [own.hand if seat == view.seat else held for seat, held in enumerate(p.known.hands)]
    lying = unseen(view)
    bottom = [JOKER] if p.known.bottom else []
    covering = [JOKER] if m.joker else []
    groups = [*shown, m.played, [m.top, *covering], bottom, lying]
    given = iter(cards(table, [form for group in groups for form in group]))
    *hands, played, top, under, anywhere = [[next(given) for _ in group] for group in groups]
    fitting = forms.on_card[top[0]] if m.said is None else forms.on[m.said]
    missing = [held - len(some) for held, some in zip(p.hands, hands, strict=True)]
    lacks, drew = [0] * len(p.hands), NOBODY
    for told in p.news:
        if isinstance(told, Passed):  # who passes held nothing that fits (strict, one may; but hardly anybody does)
            lacks[told.seat] = fitting
            if not p.stall.passes:
                drew = told.seat
    drawn = [] if own.drawn is None else [hands[view.seat][own.hand.index(own.drawn)]]
    return Known(
        [*map(as_bits, hands)], as_bits(under), as_bits(played), as_bits(top), fitting, view.seat, as_bits(drawn),
        p.stall.passes, len(p.out), anywhere, missing, lacks, drew,
    )  # fmt: skip


class Search:
    """One choice of the thinker, between these actions."""

    def __init__(self, forms: Forms, beliefs: Known, actions: Sequence[int], dice: Dice) -> None:
        self._forms, self._beliefs, self._dice = forms, beliefs, dice
        self._me, self._actions = beliefs.seat, as_bits(actions)
        self._tree: dict[Hashable, Node] = {}
        self._values: dict[tuple[int, int], float] = {}

    def run(self, games: int) -> int:
        """The action tried most often in so many games."""
        for _ in range(games):
            won, path = self._play(self.world())
            for node, action in path:
                node.played[action] = node.played.get(action, 0) + 1
                node.won[action] = node.won.get(action, 0.0) + won
        tried = next(iter(self._tree.values())).played  # the first place is where the choice is made
        return max(numbers(self._actions), key=lambda action: tried.get(action, 0))

    def world(self) -> Game:
        """A world that fits: the cards not known dealt to the hands evenly, the rest is the pile. Who held nothing that
        fits, holds nothing that fits; a fitting card just drawn may have been kept, as likely as anything else.
        """
        beliefs, random, alike = self._beliefs, self._dice.random, self._forms.alike
        hands, lying = [*beliefs.hands], [*beliefs.anywhere]
        left = len(lying)
        for seat, missing in enumerate(beliefs.missing):
            lacks = beliefs.lacks[seat]
            for i in range(missing):
                at = int(random() * left)
                for _ in range(100 if lacks else 0):
                    fits = (alike[lying[at]] & lacks).bit_count()
                    if not fits:
                        break
                    drawn = beliefs.drew == seat and i == missing - 1
                    if drawn and random() >= CAREFUL and int(random() * (fits + 1)) == 0:
                        break
                    at = int(random() * left)
                left -= 1
                lying[at], lying[left] = lying[left], lying[at]
                hands[seat] |= 1 << lying[left]
        # Also where the others play on for the places, a world ends with the first who is out: that is to be won.
        return Game(
            hands, play_on=False, pile=as_bits(lying[:left]), bottom=beliefs.bottom, played=beliefs.played,
            lying=beliefs.lying, fitting=beliefs.fitting, seat=beliefs.seat, drawn=beliefs.drawn,
            stall=beliefs.passes, out=beliefs.out,
        )  # fmt: skip

    def _play(self, game: Game) -> tuple[float, list[tuple[Node, int]]]:
        """Play a game to its end, at first by the tree, to which it adds a place: what that is worth to the thinker,
        and the places passed with what was done there.
        """
        forms, dice, me = self._forms, self._dice, self._me
        path: list[tuple[Node, int]] = []
        growing, bits = True, self._actions
        for _ in range(LONG):
            if game.seat != me:
                careless = dice.random() >= CAREFUL
                action = random_number(dice, bits) if careless else self._policy(game, bits)
            elif not growing or bits & (bits - 1) == 0:
                action = self._policy(game, bits)
            else:
                key = self._key(game)
                node = self._tree.get(key)
                if node is None:
                    node = self._tree[key] = Node({}, {})
                action, growing = self._select(game, node, bits)
                path.append((node, action))
            game.act(forms, action, dice)
            if game.end != GOING:
                break
            bits = game.options(forms)
        return 0.5 if game.end != OVER else 1.0 if game.seat == me else 0.0, path

    def _select(self, game: Game, node: Node, bits: int) -> tuple[int, bool]:
        """What to try here: the option with the highest bound, or one not yet tried. And whether all have been."""
        played, won = node.played, node.won
        new = sum(1 << action for action in numbers(bits) if action not in played)
        if new:
            return self._policy(game, new), False
        more = math.log(sum([played[action] for action in numbers(bits)]))
        return max(
            numbers(bits),
            key=lambda action: won[action] / played[action] + EXPLORE * math.sqrt(more / played[action]),
        ), True

    def _policy(self, game: Game, bits: int) -> int:
        """The rollout policy: cards with few readings first, and such that the next ones go on them."""
        if bits & (bits - 1):
            bits &= ~(1 << PASS)
            if bits & (bits - 1) == 0:
                return bits.bit_length() - 1
        else:
            return bits.bit_length() - 1
        hand, random = game.hands[game.seat], self._dice.random
        found, highest = 0, -math.inf
        for action in numbers(bits):
            value = LAST_OF_ALL if action >= JOKER else self._value(hand, action) + 0.1 * random()
            if value > highest:
                found, highest = action, value
        return found

    def _value(self, hand: int, cell: int) -> float:
        """How many cards of the hand would go on this play, and how many readings it has."""
        found = self._values.get((hand, cell))
        if found is None:
            forms = self._forms
            alike, going = forms.alike[cell], forms.readings(forms.on[cell])
            found = (hand & going).bit_count() - (alike & going != 0) - STIFF * alike.bit_count()
            self._values[hand, cell] = found
        return found

    def _key(self, game: Game) -> Hashable:
        """What whoever is to act knows: cards with the same form are the same."""
        forms, hand = self._forms, game.hands[game.seat]
        held = [(same, (hand & same).bit_count()) for same in {forms.alike[card] for card in numbers(hand)}]
        return (
            game.fitting, forms.readings(game.drawn), frozenset(held), *[one.bit_count() for one in game.hands],
        )  # fmt: skip
