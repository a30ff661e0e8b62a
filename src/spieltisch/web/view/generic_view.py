"""A view in plain words, for games that bring no page of their own."""

from collections.abc import Sequence
from typing import Any

from spieltisch.defaults import plain_fields
from spieltisch.game import View
from spieltisch.i18n import Translator
from spieltisch.protocols import Page


def fields(page: Page, view: View[Any, Any], legal: Sequence[Any], tr: Translator) -> dict[str, Any]:
    """What `generic.html` shows: the fields of both parts of the view, the actions, and what a button says."""
    return {
        "legal": legal,
        "public_fields": plain_fields(view.public, tr),
        "own_fields": plain_fields(view.own, tr) if view.own is not None else [],
        "action_label": lambda action: page.describe(view, action, tr),
    }
