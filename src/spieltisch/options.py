"""A game's options from what somebody chose, by name, with errors that say what would be right."""

import operator
from collections.abc import Iterable, Mapping, Sequence
from numbers import Real
from typing import Any, SupportsIndex, TypeVar

from msgspec import inspect

from spieltisch.game import Invalid, read

T = TypeVar("T")
LONGEST = 100  # characters of a wrong value in a refusal


def whole(value: object) -> int | None:
    """The whole number that this is, also one of NumPy's; None for anything else, and for True and False."""
    if isinstance(value, bool) or not isinstance(value, SupportsIndex):
        return None
    try:
        return operator.index(value)
    except TypeError:  # an array
        return None


def whole_number(value: object, refusal: str) -> int:
    """The whole number that this is. Raises Invalid for anything else, with the refusal, in which `{value}` is it."""
    found = whole(value)
    if found is None:
        raise refused(refusal, value)
    return found


def real_number(value: object, refusal: str) -> float:
    """The number that this is. Raises Invalid for anything else, with the refusal, in which `{value}` is it."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise refused(refusal, value)
    return float(value)


def required(value: T, kind: type | tuple[type, ...], refusal: str) -> T:
    """The value, which is of this kind. Raises Invalid for any other, with the refusal, in which `{value}` is it."""
    if not isinstance(value, kind):
        raise refused(refusal, value)
    return value


def texts(value: object, refusal: str) -> list[str]:
    """The texts in this list. Raises Invalid for anything else, with the refusal, in which `{value}` is it."""
    found = [*value] if isinstance(value, Iterable) and not isinstance(value, str | bytes) else [None]
    if not all(isinstance(one, str) for one in found):
        raise refused(refusal, value)
    return [str(one) for one in found]


def refused(refusal: str, value: object) -> Invalid:
    """A refusal of this value, however long it is."""
    return Invalid(refusal, value=f"{value!r:.{LONGEST}}")


def plain(value: object) -> object:
    """A value of NumPy as one of Python. Raises TypeError for anything else."""
    tolist = getattr(value, "tolist", None)
    if tolist is None:
        raise TypeError(f"it cannot be {value!r:.40}")
    return tolist()


def read_options(raw: object, shape: type[T], content: Sequence[str] = ()) -> T:
    """The options of the type `shape` with these values. `content` are further names, which are read elsewhere.

    Invalid, with what would be right, for a name that is not known or a value that cannot be.
    """
    given = read(raw, dict[str, object])
    fields = shape.__struct_fields__  # ty: ignore[missing-attribute] - Options are Structs
    for name in given:
        if name not in fields:
            known = ", ".join((*fields, *content)) or "none"
            raise Invalid("there is no option {name}, only {known}", name=name, known=known)
    try:
        return read(given, shape)
    except Invalid:
        for name, value in given.items():
            try:
                read({name: value}, shape)
            except Invalid as error:
                raise Invalid(
                    "{reason}: the option {name} can be {allowed}",
                    name=name, allowed=allowed(shape, name), reason=str(error).partition(" - at ")[0],
                ) from None  # fmt: skip
        raise


def chosen(top: Mapping[str, object]) -> dict[str, Any]:
    """The options that a record's top keys name, as a record writes them; the game's `Options` say their types."""
    return _part(top, "options")


def wanted(top: Mapping[str, object]) -> dict[str, Any]:
    """Which of a deck's cards a table's top keys choose, as `decks.filters.Filter` reads it."""
    return _part(top, "filter")


def _part(top: Mapping[str, object], key: str) -> dict[str, Any]:
    found = top.get(key)
    return found if isinstance(found, dict) else {}


def allowed(shape: type, name: str) -> str:
    """What an option can be, in words, by its annotation: "1 to 15", "strict or assisted"."""
    (found,) = (field.type for field in inspect.type_info(shape).fields if field.name == name)  # ty: ignore[missing-attribute]
    return _in_words(found)


def _in_words(shape: inspect.Type) -> str:
    match shape:
        case inspect.IntType(ge=int(least), le=int(most)):
            return f"{least} to {most}"
        case inspect.IntType():
            return "a whole number"
        case inspect.StrType():
            return "a text"
        case inspect.BoolType():
            return "True or False"
        case inspect.NoneType():
            return "None"
        case inspect.LiteralType(values=values):
            return " or ".join(map(str, values))
        case inspect.VarTupleType(item_type=item):
            return f"a list, each {_in_words(item)}"
        case inspect.TupleType(item_types=items):
            return f"a pair of {' and '.join(map(_in_words, items))}"
        case inspect.UnionType(types=types):
            return " or ".join(map(_in_words, types))
    return "another value"
