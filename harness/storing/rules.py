"""Rules of stored values: SQL expressions of a column {c} that hold for every valid value."""

from collections.abc import Iterable, Mapping
from typing import Self

TEXT, BLOB = "typeof({c}) = 'text'", "typeof({c}) = 'blob'"
MAX_INT = (1 << 62) - 1
FINITE = "typeof({c}) in ('integer', 'real') and abs({c}) < 1e300"

DIGITS = (  # an integer beyond 64 bits, as decimal text
    "length({c}) between 19 and 4400 and substr({c}, 1 + (substr({c}, 1, 1) = '-')) not glob '*[^0-9]*'"
)
EXACT = f"(typeof({{c}}) = 'integer' or (typeof({{c}}) = 'text' and {DIGITS}))"

# the same in a column of integers, which would turn text into a float: as bytes
EXACT_CLAIM = f"(typeof({{c}}) = 'integer' or (typeof({{c}}) = 'blob' and {DIGITS.format(c='cast({c} as text)')}))"


class Range(str):
    """Rule of an integer from `low` to `high`, or NULL."""

    low: int
    high: int
    nullable: bool

    @classmethod
    def of(cls, low: int, high: int, nullable: bool = False) -> Self:
        test = f"typeof({{c}}) = 'integer' and {{c}} between {low} and {high}"
        rule = cls(f"({{c}} is null or {test})" if nullable else test)
        rule.low, rule.high, rule.nullable = low, high, nullable
        return rule

    def number(self, column: str) -> str:
        """Return the SQL expression of the column's integer, of NULL the lowest."""
        return f"coalesce({column}, {self.low})" if self.nullable else column


AMOUNT = Range.of(0, MAX_INT)


def quick_test(rules: Mapping[str, str]) -> str:
    """Return an SQL expression that only rows have whose columns all obey their rules; it takes two thirds of the time.

    Texts and blobs are beyond any range. The sum of integers is an integer, unless it overflows, and no other sum is.
    """
    ranges = {column: rule for column, rule in rules.items() if isinstance(rule, Range)}
    numbers = [rule.number(column) for column, rule in ranges.items()]
    tests = [f"{n} between {rule.low} and {rule.high}" for n, rule in zip(numbers, ranges.values(), strict=True)]
    if numbers:
        tests.append(f"typeof({' + '.join(numbers)}) = 'integer'")
    tests += [rule.format(c=column) for column, rule in rules.items() if column not in ranges]
    return " and ".join(tests)


def exact(value: int | None) -> int | str | None:
    """Return the stored form of an integer of any size: decimal text if it does not fit into 64 bits."""
    return value if value is None or -(1 << 63) <= value < 1 << 63 else str(value)


def integer(low: int, high: int) -> str:
    """Return the rule of an integer in a range."""
    return Range.of(low, high)


def one_of(numbers: Iterable[int]) -> str:
    """Return the rule of an integer of an enumeration."""
    found = sorted(int(n) for n in numbers)
    if found == list(range(found[0], found[-1] + 1)):
        return integer(found[0], found[-1])  # costs half as much
    return f"typeof({{c}}) = 'integer' and {{c}} in ({', '.join(map(str, found))})"


def or_null(rule: str) -> str:
    """Return the rule of a column that may be NULL."""
    return Range.of(rule.low, rule.high, True) if isinstance(rule, Range) else f"({{c}} is null or {rule})"
