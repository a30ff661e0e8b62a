"""The games of the playthroughs: three for each game, short enough to read. Each is the top of a record and a seed."""

from spieltisch import record
from spieltisch.testing import playthrough

EVENTS = [
    ("wheel", "4. Jt. v.u.Z."), ("caesar", "44 v.u.Z."), ("rome", "8. Jh. v.u.Z."), ("vesuvius", "79"),
    ("paper", "105"), ("bayeux", "um 1070"), ("gutenberg", "um 1450"), ("columbus", "1492"),
    ("bell", "1876"), ("tram", "1881"),
    ("war", "1914–1918"), ("apollo", "1969"), ("walkman", "1979"), ("web", "1991"),
]  # fmt: skip
PERIODS = [("early", 1, 1849), ("middle", 1850, 1949), ("late", 1950, 2026), ("future", 2027, None)]
FIRSTS = [
    ("novel", 1008), ("chair", 1732), ("medal", 1900), ("prize", 1903), ("flight", 1910), ("doctor", 1849),
    ("orbit", 1963), ("summit", 1975), ("court", 1981), ("moon", "joker"), ("pope", "joker"), ("ring", "joker"),
]  # fmt: skip

events = {"cards": [{"id": name, "date": date} for name, date in EVENTS]}
firsts = {
    "periods": [{"name": name, "from": start, "to": end} for name, start, end in PERIODS],
    "cards": [{"id": name, "year": year} for name, year in FIRSTS],
}

GAMES = {
    "adaman-basic": ("adaman", 1, {}, {}, 7),
    "adaman-excuse": ("adaman", 1, {"extra": ["excuse"]}, {}, 11),
    "adaman-all": (
        "adaman",
        1,
        {
            "extra": [
                "borderland",
                "harvest",
                "light-keeper",
                "watchman",
                "consul",
                "island",
                "rite",
                "window",
                "excuse",
            ]
        },
        {},
        4,
    ),
    "anno-domini-two": ("anno-domini", 2, {"cards_per_player": 2, "max_rounds": 4}, events, 3),
    "anno-domini-child": (
        "anno-domini",
        3,
        {"cards_per_player": 3, "fewer_cards": {"2": 1}, "max_rounds": 3},
        events,
        5,
    ),
    "anno-domini-short": ("anno-domini", 4, {"cards_per_player": 1, "doubter_penalty": 0, "max_rounds": 5}, events, 2),
    "trailblaze-two": ("trailblaze", 2, {}, firsts, 1),
    "trailblaze-stays": ("trailblaze", 3, {"middle_card": "stays"}, firsts, 2),
    "trailblaze-patterns": ("trailblaze", 4, {"patterns": 2}, firsts, 8),
    "hic-haec-hoc-assisted": ("hic-haec-hoc", 2, {"mode": "assisted"}, {}, 1),
    "hic-haec-hoc-strict": ("hic-haec-hoc", 3, {"cards_per_player": 3, "contest_price": 1}, {}, 6),
    "hic-haec-hoc-joker": (
        "hic-haec-hoc",
        3,
        {"mode": "assisted", "joker": True, "play_on": True, "cards_per_player": 3},
        {},
        9,
    ),
}


def head(name):
    game, seats, options, deck, _ = GAMES[name]
    return record.top(
        {"format": record.FORMAT, "game": game, "options": options, "seats": [f"seat {n}" for n in range(seats)]}
        | deck | {"log": []}
    )  # fmt: skip


def text(name):
    """The playthrough of this name, computed now."""
    top = head(name)
    return playthrough(top.package.rules, len(top.seats), top.options, top.deck, GAMES[name][4])
