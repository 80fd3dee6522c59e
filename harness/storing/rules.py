"""Rules of stored values: SQL expressions of a column {c} that hold for every valid value."""

from collections.abc import Iterable

TEXT, BLOB = "typeof({c}) = 'text'", "typeof({c}) = 'blob'"
MAX_INT = (1 << 62) - 1
AMOUNT = f"typeof({{c}}) = 'integer' and {{c}} between 0 and {MAX_INT}"


def integer(low: int, high: int) -> str:
    """Return the rule of an integer in a range."""
    return f"typeof({{c}}) = 'integer' and {{c}} between {low} and {high}"


def one_of(numbers: Iterable[int]) -> str:
    """Return the rule of an integer of an enumeration."""
    found = sorted(int(n) for n in numbers)
    if found == list(range(found[0], found[-1] + 1)):
        return integer(found[0], found[-1])  # costs half as much
    return f"typeof({{c}}) = 'integer' and {{c}} in ({', '.join(map(str, found))})"


def or_null(rule: str) -> str:
    """Return the rule of a column that may be NULL."""
    return f"({{c}} is null or {rule})"
