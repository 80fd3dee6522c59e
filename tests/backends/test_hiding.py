"""Packages that are hidden from imports."""

import sys

import pytest

from backends.shared.hiding import hidden


@pytest.mark.parametrize("module", ["colorsys", "nosuchmodule"])
def test_a_hidden_module_cannot_be_imported_and_is_as_before_afterwards(module: str) -> None:
    before = sys.modules.get(module)
    with hidden(module), pytest.raises(ModuleNotFoundError):
        __import__(module)
    assert sys.modules.get(module) is before
    assert (module in sys.modules) == (before is not None)


def test_a_module_that_is_loaded_is_hidden_too() -> None:
    with hidden("json"), pytest.raises(ModuleNotFoundError):
        __import__("json")
    assert sys.modules["json"].dumps([]) == "[]"
