"""The search of `engine.search` in plain Python: playouts in worlds that fit what is known.

Every playout samples a new world. The bot's own turns grow a tree over its information sets: its hand, the top card,
the others' hand sizes. At each node it tries the best option most often (UCT over information sets). Beyond the tree it
follows a rollout policy. The others play any fitting card, and sometimes follow the policy, too.
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

GAMES = 2_000  # for a choice: a quarter of a second; about 12 ms compiled
CAREFUL = 0.2  # share of the others' turns that follow the rollout policy
EXPLORE = 0.6  # exploration constant of UCT
NOBODY = -1
LONG = 300  # turns after which a playout has no winner
STIFF = 1.2  # following cards that one reading less of the played card outweighs
LAST_OF_ALL = -100.0  # the joker

Option = Play | PlayJoker | Pass


class Known(Struct, frozen=True):
    """What the bot knows: a game without hidden cards, and the constraints on them."""

    hands: list[int]  # bits: its hand, and publicly known cards
    bottom: int  # the joker, if it is known to lie under the pile
    played: int
    lying: int
    fitting: int
    seat: int
    drawn: int
    passes: int
    out: int
    anywhere: list[int]  # cards that may lie anywhere
    missing: list[int]  # by seat: number of unknown cards
    lacks: list[int]  # by seat: cells (bits) that it cannot hold, except in a card just drawn
    drew: int  # the seat that has just drawn a card and passed, or NOBODY


class Node(Struct):
    """An information set of the bot at a turn: how often it tried each action there, and the wins."""

    played: dict[int, int]
    won: dict[int, float]


def best(view: GameView, options: Sequence[Option], table: Table, dice: Dice) -> Option:
    """The option with which most of the games are won."""
    actions = {number(option): option for option in options}
    forms = Forms(table)
    search = Search(forms, known(view, forms, table), sorted(actions), dice)
    return actions[search.run(GAMES)]


def number(option: Option) -> int:
    """An action as the kernel's number."""
    return option.reading if isinstance(option, Play) else JOKER if isinstance(option, PlayJoker) else PASS


def known(view: GameView, forms: Forms, table: Table) -> Known:
    """The knowledge in a view."""
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
        if isinstance(told, Passed):  # who passes held no fitting card, or rarely one in a strict game
            lacks[told.seat] = fitting
            if not p.stall.passes:
                drew = told.seat
    drawn = [] if own.drawn is None else [hands[view.seat][own.hand.index(own.drawn)]]
    return Known(
        [*map(as_bits, hands)], as_bits(under), as_bits(played), as_bits(top), fitting, view.seat, as_bits(drawn),
        p.stall.passes, len(p.out), anywhere, missing, lacks, drew,
    )  # fmt: skip


class Search:
    """One choice of the bot among these actions."""

    def __init__(self, forms: Forms, beliefs: Known, actions: Sequence[int], dice: Dice) -> None:
        self._forms, self._beliefs, self._dice = forms, beliefs, dice
        self._me, self._actions = beliefs.seat, as_bits(actions)
        self._tree: dict[Hashable, Node] = {}
        self._values: dict[tuple[int, int], float] = {}

    def run(self, games: int) -> int:
        """The action tried most often in this many playouts."""
        for _ in range(games):
            won, path = self._play(self.world())
            for node, action in path:
                node.played[action] = node.played.get(action, 0) + 1
                node.won[action] = node.won.get(action, 0.0) + won
        tried = next(iter(self._tree.values())).played  # the root
        return max(numbers(self._actions), key=lambda action: tried.get(action, 0))

    def world(self) -> Game:
        """A sampled world: unknown cards are dealt evenly to the hands, the rest is the pile. A player who held no
        fitting card holds none here. A fitting card just drawn may have been kept, as likely as any other.
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
        # A playout ends with the first player out, even if the others play on for places: that is the win.
        return Game(
            hands, play_on=False, pile=as_bits(lying[:left]), bottom=beliefs.bottom, played=beliefs.played,
            lying=beliefs.lying, fitting=beliefs.fitting, seat=beliefs.seat, drawn=beliefs.drawn,
            stall=beliefs.passes, out=beliefs.out,
        )  # fmt: skip

    def _play(self, game: Game) -> tuple[float, list[tuple[Node, int]]]:
        """Play a game to its end, first along the tree, to which it adds a node. Returns the value for the bot, and the
        visited nodes with their actions.
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
        """The option to try here: an untried one, or the one with the highest bound. Also whether all
        have been tried.
        """
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
        """The rollout policy: prefer cards with few readings that let the next ones follow."""
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
        """The number of cards in the hand that could follow this play, and the number of its readings."""
        found = self._values.get((hand, cell))
        if found is None:
            forms = self._forms
            alike, going = forms.alike[cell], forms.readings(forms.on[cell])
            found = (hand & going).bit_count() - (alike & going != 0) - STIFF * alike.bit_count()
            self._values[hand, cell] = found
        return found

    def _key(self, game: Game) -> Hashable:
        """The knowledge of the player to act. Cards with the same form are equal."""
        forms, hand = self._forms, game.hands[game.seat]
        held = [(same, (hand & same).bit_count()) for same in {forms.alike[card] for card in numbers(hand)}]
        return (
            game.fitting, forms.readings(game.drawn), frozenset(held), *[one.bit_count() for one in game.hands],
        )  # fmt: skip
