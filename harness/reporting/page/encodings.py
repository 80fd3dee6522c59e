"""Place of each contender in the page's matrix of encodings by backends, which the page only fills with scores."""

from collections.abc import Sequence
from typing import Any

from harness.reporting.comparing.measures import FIELDS, PARTS
from harness.reporting.entries import ContenderEntry, field_of

ROWS, COLUMNS = "encoding", "backend"


def matrix_part(entries: Sequence[ContenderEntry]) -> dict[str, Any]:
    """Return the rows, the columns, and of each contender its `row`, its `column`, and `peer`.

    Contenders of different rows with the same `peer` differ in the encoding alone, so their ratio is of the encoding.
    """
    others = sorted(set[str]().union(*PARTS.values()) - PARTS[ROWS])
    keys: dict[str, list[Any]] = {
        "row": list(map(FIELDS[ROWS], entries)),
        "column": list(map(FIELDS[COLUMNS], entries)),
        "peer": [tuple(field_of(entry, part) for part in others) for entry in entries],
    }
    distinct = {name: list(dict.fromkeys(values)) for name, values in keys.items()}
    places = {name: [distinct[name].index(value) for value in values] for name, values in keys.items()}
    return {"rows": distinct["row"], "columns": distinct["column"], **places}
