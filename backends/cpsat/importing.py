"""Import of OR-Tools' `cp_model` without pandas.

It imports pandas for functions that make series of variables, which the backend does not use. Loading pandas takes
longer than all else that a worker of CP-SAT loads.
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
    """Return the module, loaded with pandas if it can't be loaded without, or if pandas is loaded already."""
    if "pandas" not in sys.modules:
        with suppress(Exception), hidden("pandas", ClassesOf("pandas")):
            return import_module(NAME)
    return import_module(NAME)
