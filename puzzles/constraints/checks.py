"""Checks of constraints that no reader built: of a journal or a finding.

Each function raises ValueError unless a part of a constraint has the form that the kind needs; a part is checked before
it is used. `PartCheck` is a check of one field of a row, given the field and the number of variables.
"""

from collections.abc import Callable, Sequence
from typing import Any

LONGEST = 63  # bits of a number, without its sign
PartCheck = Callable[[Any, int], None]


def check_index(x: Any, variables: int) -> None:
    """Check the index of a variable."""
    if type(x) is not int or not 0 <= x < variables:
        raise ValueError(f"a constraint has the variable {str(x)[:40]!r}, of {variables}")


def check_indices(found: Any, variables: int) -> None:
    """Check a tuple of variables."""
    check_tuple(found)
    for x in found:
        check_index(x, variables)


def check_number(number: Any, _: int = 0) -> None:
    """Check an integer of 64 bits."""
    if type(number) is not int or number.bit_length() > LONGEST:
        raise ValueError("a constraint has a number that is no integer of 64 bits")


def check_numbers(found: Any, _: int = 0) -> None:
    """Check a tuple of integers of 64 bits."""
    check_tuple(found)
    for number in found:
        check_number(number)


def check_flag(flag: Any, _: int = 0) -> None:
    """Check a truth value."""
    if type(flag) is not bool:
        raise ValueError("a constraint has another truth value than true or false")


def one_of(*texts: str) -> PartCheck:
    """Return a check that a text is one of `texts`."""

    def check(text: Any, _: int) -> None:
        if not isinstance(text, str) or text not in texts:
            raise ValueError(f"a constraint has {str(text)[:40]!r} where {', '.join(texts)} are known")

    return check


def check_tuple(found: Any, length: int | None = None) -> None:
    """Check a tuple, of a length if one is given."""
    if not isinstance(found, tuple) or (length is not None and len(found) != length):
        raise ValueError("a constraint has a list of another length, or none, where one is expected")


def check_array(found: Any, low: int, high: int) -> None:
    """Check an array of one dimension with integers from low to high."""
    if getattr(found, "ndim", 0) != 1 or (found.dtype.kind not in "iu" and len(found)):
        raise ValueError("a constraint has no array of integers")
    if len(found) and (found.min() < low or found.max() > high):
        raise ValueError(f"a constraint has a number that is not from {low} to {high}")


def check_row(row: Any, parts: Sequence[PartCheck], variables: int) -> None:
    """Check the fields of a row."""
    check_tuple(row, len(parts))
    for part, check in zip(row, parts, strict=True):
        check(part, variables)
