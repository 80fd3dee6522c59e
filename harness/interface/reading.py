"""Instances from what a caller states: text, paths, rows, models, instances of `puzzles`."""

import argparse
import os
import pathlib
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from harness.commands import solve as verb
from harness.commands.arguments import SettingsParser
from harness.commands.given import given_puzzle, reader_options
from harness.interface.answers import Candidates
from harness.interface.models import ModelInstance, instance_of_model, is_model
from harness.interface.settings import Path, Solving, flags
from harness.model.reading import pick_puzzle
from puzzles.errors import BadInput
from puzzles.formats import read
from puzzles.problem import Instance, Problem

Stated = Any  # text, a path, rows of a grid, an instance or problem of puzzles, or a model of another package


@dataclass(frozen=True)
class GivenText:
    """Text of an instance, whatever it looks like: never a path."""

    text: str


@dataclass(frozen=True)
class GivenFile:
    """Path of a file, whatever it looks like: never a board or the name of a corpus."""

    path: Path


def arguments(board: Stated, settings: Mapping[str, Any]) -> argparse.Namespace:
    """Return the arguments of the verb `solve` for a board. Raises BadUsage, TypeError on unknown settings."""
    known = {*Solving.__annotations__, "backend"}
    if unknown := [name for name in settings if name not in known]:
        raise TypeError(f"no setting {unknown[0]!r}: choose from {', '.join(sorted(known - {'backend'}))}")
    parser = SettingsParser(add_help=False)
    verb.add_arguments(parser)
    args = parser.parse_args([*flags(settings), "--", text_of(board)])
    args.verb = "solve"
    return args


def one_of(board: Stated, text: str | None, path: Path | None) -> Stated:
    """Return the one of three arguments that is given. Raises TypeError."""
    given: list[Stated] = [board] if board is not None else []
    given += [] if text is None else [GivenText(text)]
    given += [] if path is None else [GivenFile(path)]
    if len(given) != 1:
        raise TypeError("state one of board, text= and path=")
    return given[0]


def text_of(board: Stated) -> str:
    """Return the argument that names a board; '-' where the board itself is at hand."""
    if isinstance(board, Candidates | Instance | Problem | GivenText | GivenFile) or is_model(board):
        return "-"
    if isinstance(board, str | os.PathLike):
        return os.fspath(board)
    return repr([[cell if isinstance(cell, str) else int(cell or 0) for cell in row] for row in board])


def instance_of(board: Stated, args: argparse.Namespace) -> ModelInstance:
    """Return the instance of a board, and of a model the names of its variables. Raises BadInput, BadUsage."""
    if is_model(board):
        return instance_of_model(board)
    return ModelInstance(plain_instance(board, args), {})


def plain_instance(board: Stated, args: argparse.Namespace) -> Instance[Any]:
    """Return the instance of a board that is no model. Raises BadInput, BadUsage."""
    match board:
        case Candidates():
            return board.instance
        case Instance():
            return board
        case Problem():
            return Instance(board.name, board, board.open)
        case GivenText():
            with tempfile.TemporaryDirectory() as folder:
                file = pathlib.Path(folder, "text")
                file.write_text(board.text, errors="surrogateescape")
                try:
                    return replace(picked(file, args), source=None)
                except BadInput as e:
                    raise BadInput(str(e).replace(str(file), file.name)) from None
        case GivenFile():
            return picked(pathlib.Path(board.path), args)
    return given_puzzle(args)


def picked(file: pathlib.Path, args: argparse.Namespace) -> Instance[Any]:
    """Return the instance of a file that the arguments choose. Raises BadInput, BadUsage."""
    return pick_puzzle(read(file, reader_options(args)), file.name, args.number, 0)
