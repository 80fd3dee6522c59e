"""Import of OR-Tools' `cp_model` without pandas.

`cp_model` imports pandas for functions that make series of variables, which the backend does not use. Loading pandas
takes longer than everything else that a worker of CP-SAT loads.
"""

import sys
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import Any

from backends.shared.hiding import ClassesOf, hidden

NAME = "ortools.sat.python.cp_model"


@cache
def cp_model() -> Any:
    """Return the module; load pandas only if it is loaded already, or if `cp_model` needs it."""
    if "pandas" not in sys.modules:
        with suppress(Exception), hidden("pandas", ClassesOf("pandas")):
            return import_module(NAME)
    return import_module(NAME)
