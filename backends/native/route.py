"""`native`, the default route: the fastest of our solvers that fits the layout."""

from backends.answer import Session
from backends.native import python
from encoders.formula import Formula


def open(formula: Formula) -> Session:  # noqa: A001 - the name that every variant's module gives
    """A session whose `version` names the route taken."""
    return python.open(formula)
