"""Refusal of an instance that is well-formed but not supported."""

from collections.abc import Sequence


class Refusal(Exception):
    """An instance has parts that are not supported; `names` are theirs."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(", ".join(names))
        self.names = tuple(names)
