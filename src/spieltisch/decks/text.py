"""A text in both languages."""

from msgspec import Struct


class Text(Struct, frozen=True, order=True):
    """What is said, in German and in English."""

    de: str
    en: str

    def __getitem__(self, lang: str) -> str:
        """The text in the language `de` or `en`."""
        return self.de if lang == "de" else self.en
