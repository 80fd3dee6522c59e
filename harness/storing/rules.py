"""Rules of stored values: SQL expressions of a column {c} that hold for every valid value."""

from collections.abc import Iterable

TEXT, BLOB = "typeof({c}) = 'text'", "typeof({c}) = 'blob'"
MAX_INT = (1 << 62) - 1
AMOUNT = f"typeof({{c}}) = 'integer' and {{c}} between 0 and {MAX_INT}"
FINITE = "typeof({c}) in ('integer', 'real') and abs({c}) < 1e300"

DIGITS = (  # an integer beyond 64 bits, as decimal text
    "length({c}) between 19 and 4400 and substr({c}, 1 + (substr({c}, 1, 1) = '-')) not glob '*[^0-9]*'"
)
EXACT = f"(typeof({{c}}) = 'integer' or (typeof({{c}}) = 'text' and {DIGITS}))"

# the same in a column of integers, which would turn text into a float: as bytes
EXACT_CLAIM = f"(typeof({{c}}) = 'integer' or (typeof({{c}}) = 'blob' and {DIGITS.format(c='cast({c} as text)')}))"


def exact(value: int | None) -> int | str | None:
    """Return the stored form of an integer of any size: decimal text if it does not fit into 64 bits."""
    return value if value is None or -(1 << 63) <= value < 1 << 63 else str(value)


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
