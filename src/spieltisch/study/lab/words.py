"""The lab's report in words, line by line, in any language."""

from collections.abc import Iterator

from spieltisch import games
from spieltisch.decks.exporting.terminal import called, line, printable
from spieltisch.decks.findings import Message, labelled, message, say
from spieltisch.i18n import common_catalog
from spieltisch.package import Package
from spieltisch.study.figures import Mean, number_of_games, percent
from spieltisch.study.lab.play import Level, hardest
from spieltisch.study.lab.report import Change, Report, first_things

SHOWN = 60  # cards that are named one by one
WORDS = 12  # that tell a time
TAGS = 8  # of a column that are counted


def lines(report: Report, lang: str, *, all_: bool = False) -> Iterator[str]:
    """Return the whole report, with the first cards or `all_` of them."""
    cards = counted(lang, "{n} card", "{n} cards", report.cards)
    yield printable(say(labelled(f"{report.title[lang]} ({report.name})", cards), lang))
    yield ""
    yield from _to_change(report, lang, all_=all_)
    yield ""
    yield from _gives_away(report, lang)
    yield ""
    yield from (printable(one) for one in playing(report, lang))
    yield ""
    yield from (printable(one) for one in balance(report, lang))


def _to_change(report: Report, lang: str, *, all_: bool) -> Iterator[str]:
    if not report.changes:
        yield say(message("No card needs changing."), lang)
    else:
        yield say(message("What to change first:"), lang)
    for what, cards in first_things(report):
        yield f"  {first_thing(what, cards, lang)}"
    for one in report.whole:
        yield printable(f"  {line(one, lang)}")
    shown = report.changes if all_ else report.changes[:SHOWN]
    if shown:
        yield ""
        yield say(message("Card by card, the most useful first:"), lang)
    for number, change in enumerate(shown, 1):
        yield printable(f"{number:>3}. {heading(change, lang)}")
        for one in change.findings:
            right = f" → {say(one.right, lang)}" if one.right else ""
            yield printable(f"     {say(one.wrong, lang)}{right}")
    if len(report.changes) > len(shown):
        yield say(message("  and {n} more", n=len(report.changes) - len(shown)), lang)


def first_thing(what: Message, cards: int, lang: str) -> str:
    """Return what to do, and with how many cards."""
    return say(labelled(what, counted(lang, "{n} card", "{n} cards", cards)), lang)


def heading(change: Change, lang: str, *, front: bool = True) -> str:
    """Return a card in one line: its place, its date and its front."""
    at = say(message("line {line}", line=change.line), lang) if change.line else ""
    return " · ".join(part for part in (at, change.date, change.front[lang] if front else "") if part)


def _gives_away(report: Report, lang: str) -> Iterator[str]:
    if report.words:
        yield say(message("Words that appear only on cards from one time (good to know; nothing to change):"), lang)
        yield printable("  " + ", ".join(
            f"{one.word} ({say(labelled(one.cards, one.years), lang)})" for one in report.words[:WORDS]
        ))  # fmt: skip
    else:
        yield say(message("No word appears only on cards from one time."), lang)


def playing(report: Report, lang: str) -> Iterator[str]:
    """Return how the deck plays, a line for each level."""
    played = report.played
    if played.refused is not None:
        reason = package_of(report).translator(lang)._(played.refused.text).format_map(played.refused.values)
        yield say(message("The deck could not be played: {reason}", reason=reason), lang)
        return
    many = {"seats": played.seats, "games": number_of_games(played.levels[0].games, lang), "each": played.each}
    text = message("Played by bots, {seats} at a table, {games} of each level:", **many)
    if played.each:
        text = message("Played by bots, {seats} at a table with {each} cards each, {games} of each level:", **many)
    yield say(text, lang)
    for level in played.levels:
        told = labelled(level_name(level, report, lang), f"{length(level, lang)} · {luck(level, lang)}")
        yield f"  {say(told, lang)}"
    names = {one.level: level_name(one, report, lang) for one in played.levels}
    shares = ", ".join(f"{names[level]} {percent(share, lang)}" for level, share in report.close)
    yield say(message("Pairs of cards that lie too close in time to be told apart: {shares}", shares=shares), lang)
    fronts = hardest(played)
    if fronts:
        yield say(message("Laid wrong most often:"), lang)
        for one in fronts:
            yield say(
                message("  {wrong} of {shown} times: {front}", front=one.front, wrong=one.wrong, shown=one.shown), lang
            )


def level_name(level: Level, report: Report, lang: str) -> str:
    """Return the name of a level of bots."""
    return package_of(report).translator(lang)._(level.label)


def package_of(report: Report) -> Package:
    """Return the game that is played with the deck."""
    return games.with_decks(report.kind)


def length(level: Level, lang: str) -> str:
    """Return within how many moves half the games end, and nine in ten."""
    every = sorted(actions for actions, n in level.lengths for _ in range(n))
    if not every:
        return say(message("no game ended"), lang)
    usual, long = every[len(every) // 2], every[min(len(every) - 1, len(every) * 9 // 10)]
    return say(
        message("half the games end within {usual} moves, nine in ten within {long}", usual=usual, long=long), lang
    )


def luck(level: Level, lang: str) -> str:
    """Return which seats have an advantage beyond chance, or that none has."""
    fair = 1 / len(level.seats)
    off = [(seat, one) for seat, one in enumerate(level.seats, 1) if not one.low <= fair <= one.high]
    if not off:
        return say(message("no seat has an advantage beyond chance"), lang)
    seats = ", ".join(seat_wins(seat, one, lang) for seat, one in off)
    return say(message("a fair share would be {fair} per seat: {seats}", fair=percent(fair, lang), seats=seats), lang)


def seat_wins(seat: int, one: Mean, lang: str) -> str:
    """Return how often a seat won, with the interval."""
    shares = {key: percent(share, lang) for key, share in (("wins", one.mean), ("low", one.low), ("high", one.high))}
    return say(message("seat {seat} {wins} ({low} to {high})", seat=seat, **shares), lang)


def balance(report: Report, lang: str) -> Iterator[str]:
    """Return what the deck is made of."""
    yield say(message("What the deck is made of:"), lang)
    for column, each in report.counts:
        told = ", ".join(f"{name[lang]} ({n})" for name, n in each[:TAGS])
        more = f", … (+{len(each) - TAGS})" if len(each) > TAGS else ""
        yield f"  {say(labelled(called(column, report.kind, lang), told + more), lang)}"


def counted(lang: str, one: str, many: str, n: int) -> str:
    """Return a number of something."""
    return common_catalog(lang).counted(one, many, n)
