"""`list`: what is shown of encodings."""

import pytest

from harness.commands.list import encodings
from puzzles import families
from puzzles.layout import Layout


@pytest.mark.parametrize(("symbols", "shown"), [(("1", "2"), "Text"), (("10", "11"), "unsupported")])
def test_an_encoding_that_does_not_take_a_layout_is_listed_as_unsupported(
    monkeypatch: pytest.MonkeyPatch, symbols: tuple[str, ...], shown: str
) -> None:
    monkeypatch.setattr(families, "layout", lambda name: Layout(name, ("a", "b"), symbols, ((0, 1),)))
    formulas = {line.split()[0]: line.split()[1] for line in encodings("two squares").splitlines()[2:]}
    assert formulas["text"] == shown
    assert formulas["extended+pairwise"] == "Cnf"
