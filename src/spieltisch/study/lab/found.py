"""Findings of the lab about cards, in the form of the lint's."""

from spieltisch.decks.findings import Finding, Message, message
from spieltisch.decks.table import Row


def found(row: Row, rule: str, wrong: Message, right: Message) -> Finding:
    """Return a finding about this card."""
    return Finding("warning", rule, wrong, right, row.line or None, row["id"])


def place(row: Row) -> Message:
    """Return which card is meant."""
    return message("line {line}", line=row.line) if row.line else message("the card “{words}”", words=row.named)
