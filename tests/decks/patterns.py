"""Runs strangers' texts through all code that reads them, and reports every regular expression of ours that met one.

`re` is wrapped before any module of ours is imported, so no list needs care. The output is JSON: pattern, flags, use,
and the longest text that it met.
"""

import contextlib
import json
import re
import sys

met = {}
own = {
    name: getattr(re, name) for name in ("compile", "search", "match", "fullmatch", "sub", "subn", "split", "findall")
}
own["finditer"] = re.finditer
METHODS = [name for name in own if name != "compile"]


class Pattern:
    """A compiled pattern that notes the texts it meets."""

    def __init__(self, pattern):
        self._own = pattern

    def __getattr__(self, name):
        found = getattr(self._own, name)
        if name not in METHODS:
            return found

        def called(*given, **more):
            text = given[1 if name in {"sub", "subn"} else 0]
            key = self._own.pattern, self._own.flags, name if name in {"match", "fullmatch"} else "search"
            if isinstance(text, str) and isinstance(key[0], str):
                met[key] = max(met.get(key, 0), len(text))
            return found(*given, **more)

        return called


def compile_(pattern, flags=0):
    made = own["compile"](pattern, flags)
    ours = sys._getframe(1).f_globals.get("__name__", "").startswith("spieltisch")
    return Pattern(made) if ours else made


def plain(name):
    def called(pattern, *given, **more):
        if not sys._getframe(1).f_globals.get("__name__", "").startswith("spieltisch"):
            return own[name](pattern, *given, **more)
        flags = more.pop("flags", 0)
        if len(given) > (2 if name in {"sub", "subn"} else 1):
            *given, flags = given
        return getattr(Pattern(own["compile"](pattern, flags)), name)(*given, **more)

    return called


setattr(re, "compile", compile_)  # noqa: B010 - with other types than the module says
for one in METHODS:
    setattr(re, one, plain(one))

LONG = 9_000  # characters: twice the longest text of `test_linear`, and more; the same patterns meet longer ones
HOSTILE = [
    *("a", "1", " ", "-", "1.", ". ", "<", "<script", "&#1", "{", "'", "=", "Ã", "ä", "v. ", "Jh. ", "1–", "Q1", "um "),
    *("http://a/", "\u0301", "1,", "a b ", "|", "| 1 |", "[", "[[a|", "<ref>", "**", "zwischen ", "1969 - ", "``` "),
]
NATURAL = [
    *(
        "44 v. Chr.",
        "1848/49",
        "around 1900",
        "1. Hälfte 19. Jh.",
        "12.5.1949",
        "between 1900 and 1910",
        "149-46 v. Chr.",
    ),
    *("3. Jahrhundert", "1960er", "-44", "1903?", "01.02.1903", "May 1933", "die 1920er Jahre", "1.200", "1903.0"),
    *("20. Jhd.", "ca. 1900", "c. 5th century", "Im Jahr 1903 stirbt Cäsar (44 v. Chr.) mit 12.000 Leuten."),
    *("Marie Curie is the first woman to win", "https://example.org/x"),
]


def run():
    from spieltisch.decks.exporting.files import EXPORTS
    from spieltisch.decks.importing import making
    from spieltisch.decks.importing.sheets import sheet_text
    from spieltisch.decks.importing.work import Press, as_text, begun, resumed, worked
    from spieltisch.decks.library import Library, is_path, slug
    from spieltisch.game import Invalid
    from spieltisch.notation import named
    from spieltisch.table import names
    from spieltisch.web.core.http.client import head_of

    heads = "id,date,de,en,comment_de,comment_en,source,fact,field,region,level,goal,thing,series"
    firsts = "id,year,de,en,who,place,country,source,field,comment_de,comment_en,fact,checked"

    def look(text, *more):
        for content in (text.encode(), *(text.encode(one, "replace") + b"\x80" for one in more)):
            with contextlib.suppress(Invalid, ValueError, KeyError):
                sheet_text(content)
                work = begun(content)
                for button in ("begin", "all")[: 1 + len(more)]:
                    draft = worked(work, Press(button), "d", None, "T")
                resumed(as_text(work))
                made = making.shared(draft.deck, shared=True)
                for export in EXPORTS.values() if draft.good else ():
                    export.made(made, "de")

    for head in (heads, firsts):
        n = head.count(",") + 1
        rows = [",".join(f'"{NATURAL[(row + k) % len(NATURAL)]}"' for k in range(n)) for row in range(30)]
        look("\n".join([head, *rows]), "cp1252", "utf-16")
        good = "c{n},{n},Etwas geschieht mit {t},Something happens {t},,,https://example.org,,,,,,,"
        look("\n".join([head, *(good.format(n=1900 + k, t=text[:50]) for k, text in enumerate(NATURAL))]), "cp1252")
        for size in (1_900, LONG):
            for text in HOSTILE:
                cell = (text * size)[:size].replace('"', "'")
                look(head + "\n" + ",".join(f'"{cell}"' for _ in range(n)))
                look(f"#title,{cell}\n{head}\nc1,1900,{cell[:1500]},x\n")
                look(f"1969 - {cell}\n1970 - {cell}\n{cell}\n")
                look(f"| date | event |\n|---|---|\n| {cell[:1500]} | {cell} |\n")
                look(f"{{|\n! date !! event\n|-\n| {cell[:1500]} || {cell}\n|}}\n")
    for size in (100, LONG):
        for text in [*HOSTILE, *NATURAL]:
            long = (text * size)[:size]
            names.tidy(long), names.imitates(names.tidy(long), "Anna"), slug(long), is_path(long)
            head_of(
                {"headers": [(b"host", long.encode("latin-1", "replace"))], "scheme": "http"}, trusted=False, lan=""
            )
            with contextlib.suppress(Invalid):
                Library().path(long)
            named(long, str)


if __name__ == "__main__":
    run()
    print(json.dumps([[*key, longest] for key, longest in met.items()]))
