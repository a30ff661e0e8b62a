"""How the lab writes a finding: as the lint does, about a card."""

from spieltisch.decks.findings import Finding, Message, message
from spieltisch.decks.table import Row


def found(row: Row, rule: str, wrong: Message, right: Message) -> Finding:
    """Something about this card that should be changed."""
    return Finding("warning", rule, wrong, right, row.line or None, row["id"])


def place(row: Row) -> Message:
    """Which card is meant."""
    return message("line {line}", line=row.line) if row.line else message("the card “{words}”", words=row.named)
