"""Encode in the process of a plug-in: called there by name, with text in and data out."""

from dataclasses import fields
from typing import Any

import numpy as np

from encoders.formula import KINDS, Formula, Unsupported
from puzzles.stored import load


def encode(name: str, problem: str, domains: list[int] | None) -> dict[str, Any]:
    """Return the formula of a dumped problem as data, or why it is unsupported."""
    from encoders.registry import spec

    try:
        formula = spec(name).formula(load(problem.encode("latin-1")), None if domains is None else tuple(domains))
    except Unsupported as e:
        return {"unsupported": str(e)}
    return {"kind": type(formula).__name__, "fields": to_data(formula)}


def to_data(formula: Formula) -> dict[str, Any]:
    """Return the fields of a formula as JSON-compatible data."""
    values = {field.name: getattr(formula, field.name) for field in fields(formula)}
    return {
        name: value.tolist()
        if isinstance(value, np.ndarray)
        else to_data(value)
        if type(value) in KINDS.values()
        else value
        for name, value in values.items()
    }
