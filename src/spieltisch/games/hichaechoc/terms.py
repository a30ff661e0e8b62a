"""Names of cases, numbers and genders, and the order of cases, as each reader has learned them.

Nominative, genitive, dative, accusative, ablative is the ancient order (Donatus, Ars minor), and that of German and
American grammars. British ones, after Kennedy's primer, put the accusative second. No form here is a vocative.
"""

import re
from typing import Any

from spieltisch.games.hichaechoc.forms import CASES, Case
from spieltisch.games.hichaechoc.wording import FULL
from spieltisch.i18n import Translator

# Latin names, by their keys in `wording`. German and English ones are this game's translations.
LATIN = {
    "Case": "Casus", "Number": "Numerus", "Gender": "Genus",
    "Nom": "Nom", "Gen": "Gen", "Dat": "Dat", "Acc": "Acc", "Abl": "Abl", "Sg": "Sg", "Pl": "Pl",
    "m": "m", "f": "f", "n": "n",
    "nominative": "nominativus", "genitive": "genetivus", "dative": "dativus", "accusative": "accusativus",
    "ablative": "ablativus", "singular": "singularis", "plural": "pluralis",
    "masculine": "masculinum", "feminine": "femininum", "neuter": "neutrum",
}  # fmt: skip
BRITISH: tuple[Case, ...] = ("nom", "acc", "gen", "dat", "abl")


def cases(tr: Translator) -> tuple[Case, ...]:
    """The cases in the reader's order."""
    return BRITISH if tr.catalog.order == "british" else CASES


def retold(text: str, usual: Any, tr: Translator) -> str:
    """A text of the rules in the reader's terms, instead of those of its language (`usual`)."""
    in_row = [", ".join(usual._(FULL[case]) for case in order) for order in (cases(usual), cases(tr))]
    text = text.replace(*in_row)
    names = {usual._(name): tr._(name) for name in FULL.values()}
    return re.sub(rf"\b({'|'.join(names)})\b", lambda found: names[found[0]], text)
