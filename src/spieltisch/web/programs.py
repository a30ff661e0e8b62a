"""What programs may use, described: OpenAPI for the JSON at the tables' own addresses."""

from typing import Any

HANDLERS: list[Any] = []
