"""Faulty solvers and optimisers of query scripts."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from backends.contract import registry

Plant = Callable[[dict[str, Any], type], None]


@pytest.fixture
def plant(monkeypatch: pytest.MonkeyPatch) -> Iterator[Plant]:
    """Make a faulty class of SOLVERS or OPTIMISERS the contender `queries:faulty`."""

    def forget() -> None:
        registry.load_base.cache_clear()
        registry.variants.cache_clear()

    def planted(classes: dict[str, Any], fault: type) -> None:
        monkeypatch.setitem(classes, "faulty", fault)
        forget()

    yield planted
    forget()
