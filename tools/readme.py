"""The README for the package index, which shows it without this repository: pictures from here are removed, and links
to other files become plain text.
"""

import re
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface


def alone(text: str) -> str:
    """The text without pictures and links of this repository."""
    text = re.sub(r"^!\[[^\]]*\]\((?!https:)[^)]*\)\n\n", "", text, flags=re.MULTILINE)
    return re.sub(r"\[([^\]]*)\]\((?!https:)[^)]*\)", r"\1", text)


class Readme(MetadataHookInterface):
    """The hook that `pyproject.toml` names."""

    def update(self, metadata: dict) -> None:
        """Put the text into the package's metadata."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": alone(text)}
