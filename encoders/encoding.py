"""Encodings as data: entries of the registry, which plug-ins define too."""

from collections.abc import Callable
from dataclasses import dataclass

from encoders.formula import Formula


@dataclass(frozen=True)
class Encoding:
    """An encoding of boards by name: encode(layout) -> Formula.

    encode      None for a plug-in's encoding in a process that does not import it, whose own process is asked, and if
                there are `variables`
    per_puzzle  takes the domains as second parameter, so its time is counted for each puzzle
    combines    takes an at-most-one encoding as last parameter
    variables   not '' if it takes any problem, through `lowering.to_clauses` with this encoding of integer variables
    """

    name: str
    formula: type
    encode: Callable[..., Formula] | None
    per_puzzle: bool = False
    combines: bool = False
    variables: str = ""


class NoEncoding(LookupError):
    """An unknown encoding, one that can't be loaded, or an invalid combination; the text says which are known."""
