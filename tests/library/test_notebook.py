"""A match in a notebook: drawn as the page draws it, and not a byte of it hangs on what the seat cannot see."""

import html
import re

import pytest

import spieltisch
from leaks.markers import marked, marks, shown
from spieltisch.dice import FastDice
from spieltisch.table.replay import snapshot
from spieltisch.web.core.view.notebook import board

GAMES = ("adaman", "anno-domini", "hic-haec-hoc", "trailblaze")


def begun(game, actions, **more):
    match = spieltisch.new(game, seats=min(3, spieltisch.games()[game].rules.seats[-1]), seed=4, **more)
    for _ in range(actions):
        if not match.over:
            match.play(match.bot("random"))
    return match


def drawn(match, seat, state, lang="de"):
    return board(snapshot(match.package, match.names, match.options, match.deck, state), seat, lang)


def page(shown_):
    return html.unescape(re.search(r'srcdoc="([^"]*)"', shown_)[1])


@pytest.mark.parametrize("actions", [0, 3, 14, 60])
@pytest.mark.parametrize("game", GAMES)
def test_what_a_seat_cannot_know_changes_nothing(game, actions):
    match, dice = begun(game, actions), FastDice(1)
    swapped = 0
    for seat in (None, *range(match.seats)):
        view = match.view(seat)
        for _ in range(3):
            other = match.package.rules.imagine(view, dice)
            swapped += other != match.state
            assert drawn(match, seat, other) == drawn(match, seat, match.state)
    assert swapped or match.over or game == "adaman"  # the worlds were others indeed


@pytest.mark.parametrize("game", ["anno-domini", "hic-haec-hoc", "trailblaze"])
def test_no_mark_is_shown_that_the_view_does_not_hold(game):
    deck = marked(spieltisch.new(game, seed=1)._cards)
    for actions in (0, 5, 30):
        match = begun(game, actions, deck=deck)
        for seat in (None, *range(match.seats)):
            found = marks(page(match.show(seat)._repr_html_()))
            assert found
            assert found <= shown(match.view(seat))


def test_what_the_seat_holds_is_shown_to_it_and_to_no_other():
    match = begun("hic-haec-hoc", 0, mode="strict")
    name = lambda card: match.package.record.card(match.deck, card)  # noqa: E731
    hands = [{*map(name, own.hand)} for own in match.state.own]
    cards = [{*re.findall(r'lang="la"[^>]*>([^<]+)<', page(match.show(seat)._repr_html_()))} for seat in range(3)]
    for seat, hand in enumerate(hands):
        assert hand <= cards[seat]
        for other in {0, 1, 2} - {seat}:
            secret = hand - hands[other] - {name(match.state.public.middle.top)}
            assert secret
            assert not secret & cards[other]


@pytest.mark.parametrize("game", GAMES)
def test_it_is_a_page_of_its_own_and_loads_nothing(game):
    match = begun(game, 4)
    shown_ = match._repr_html_()
    assert shown_ == match.show(match.to_act[0])._repr_html_()
    assert shown_.startswith("<iframe sandbox ")  # nothing runs, no form is sent
    text = page(shown_)
    assert f"games/{game}" not in text
    assert "<style>" in text
    assert "<script" not in text
    assert "<link" not in text
    assert not re.search(r"""(?:src|srcset|data)=["'](?!data:)|@import|url\((?!["']?(?:data:|#))""", text)
    own = (match.package.folder / "static" / "style.css").read_text(encoding="utf-8")
    assert own[:200] in text
    asked = re.compile("am Zug|gefragt")
    assert bool(asked.search(page(match.show(0, lang="de")._repr_html_()))) != bool(asked.search(text))


def test_a_board_stays_as_it_was_when_the_match_goes_on():
    match = begun("trailblaze", 2)
    shown_ = match.show(0)
    before = shown_._repr_html_()
    match.play(match.bot())
    assert shown_._repr_html_() == before != match.show(0)._repr_html_()
    assert repr(shown_) != repr(match)


def test_without_the_pages_it_is_text(monkeypatch):
    def missing(*_):
        raise ModuleNotFoundError("No module named 'minijinja'", name="minijinja")

    monkeypatch.setattr(
        "builtins.__import__", lambda name, *a, _real=__import__: missing() if "notebook" in name else _real(name, *a)
    )
    match = begun("trailblaze", 2)
    assert match._repr_html_() is None
    assert repr(match.show(1)) == repr(match)
