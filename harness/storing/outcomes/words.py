"""Columns of outcomes, read as words: a 64-bit integer holds one column or several narrow ones.

The time that SQLite takes to return a row grows with its number of values.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from harness.model.outcome import CERTIFIED, FORMULA_CERTIFIED, UNCHECKED
from harness.storing import schema
from puzzles.problem.arrays import Int64Array

COLUMN_TYPES = {  # all other columns are 64 bits wide
    **dict.fromkeys(("status", "reason", "complete", "amortised", "verdict", "proof"), np.int8),
    **dict.fromkeys(("repeat", "found", "valid"), np.int32),
}
WORDS = {  # narrow columns that are read as one integer, and the bits of each; only the last in a word may be negative
    ("verdict", "status", "reason", "complete", "amortised", "proof"): 8,
    ("found", "valid"): 32,
    ("puzzle", "repeat"): 32,
}
NULLABLE = schema.OPTIONAL | {"proof"}
# A certificate counts only in a run that asked for proofs, with a row that says which file was checked.
UNBACKED = (
    f"({{0}}.proof in ({CERTIFIED}, {FORMULA_CERTIFIED}) and"
    " (not (select coalesce(json_extract(value, '$.proof'), 0) from meta where key = 'settings')"
    " or not exists (select 1 from proofs f where f.contender = {0}.contender and f.repeat = {0}.repeat"
    " and f.puzzle = {0}.puzzle)))"
)


def column_type(name: str) -> type[Any]:
    """Return the element type of a column."""
    return COLUMN_TYPES.get(name, np.int64)


def narrowed(column: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return a column of integers in the narrowest type that holds them."""
    ends = (int(column.min(initial=0)), int(column.max(initial=0)))
    return column.astype(np.result_type(*map(np.min_scalar_type, ends)))


def words_of(names: Sequence[str]) -> list[dict[str, int]]:
    """Return the words that hold these columns; a word has columns, and the first bit of each."""
    shared = [[name for name in columns if name in names] for columns in WORDS]
    alone = [[name] for name in names if not any(name in columns for columns in WORDS)]
    bits = [*WORDS.values(), *(64 for _ in alone)]
    found = zip([*shared, *alone], bits, strict=True)
    return [{name: i * width for i, name in enumerate(columns)} for columns, width in found if columns]


def proof_sql(table: str = "outcomes") -> str:
    """Return the SQL expression of a proof's result, UNCHECKED for a certificate that does not count."""
    return f"case when {UNBACKED.format(table)} then {UNCHECKED} else {table}.proof end"


def word_sql(word: dict[str, int]) -> str:
    """Return the SQL expression of a word of the table `outcomes`; NULL is -1."""
    value = {name: f"coalesce({name}, -1)" if name in NULLABLE else name for name in word}
    if "proof" in word:
        value["proof"] = f"coalesce({proof_sql()}, -1)"
    return " | ".join(f"({value[name]} << {shift})" if shift else value[name] for name, shift in word.items())


def split_word(word: dict[str, int], values: Int64Array) -> Iterator[tuple[str, npt.NDArray[Any]]]:
    """Yield name and values of each column of a word."""
    stops = [*list(word.values())[1:], 64]
    for (name, shift), stop in zip(word.items(), stops, strict=True):
        yield name, (values << 64 - stop >> 64 - stop + shift).astype(column_type(name))
