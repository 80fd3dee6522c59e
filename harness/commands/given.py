"""Puzzle and contender named by the arguments of a verb, and notes on them."""

import argparse
import sys
from typing import TYPE_CHECKING, Any

from harness.model.errors import BadUsage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from harness.model.contender import Contender
    from puzzles.boards.layout import Puzzle
    from puzzles.formats import ReaderOptions
    from puzzles.problem import Instance

    Notify = Callable[[str], object]


def print_note(text: str) -> None:
    """Print a note to standard error."""
    from harness.reporting.writing.printable import to_stderr

    to_stderr(f"note: {text}")


def reader_options(args: argparse.Namespace, notify: "Notify" = print_note) -> "ReaderOptions":
    """Return the options that add_reading and add_corpora added; `notify` receives notes, else standard error."""
    from puzzles.formats import ReaderOptions
    from puzzles.readers.selecting import Selection

    selection = Selection(tuple(getattr(args, "only", ())), tuple(getattr(args, "exclude", ())))
    chosen = any(getattr(args, name, None) for name in ("distinct", "where", "sample"))
    choose = choice(args) if chosen else None
    counts = getattr(args, "count", 1) == 0
    reading = args.as_, args.alphabet, notify, args.ignore_objective
    return ReaderOptions(*reading, selection, count_models=counts, choose=choose)


def choice(args: argparse.Namespace) -> "Callable[[Callable[[], Iterator[Any]]], Iterator[Any]]":
    """Return the function that takes instances of each corpus in turn, as the options of add_corpora state.

    A sample holds its corpus in memory. Raises BadInput.
    """
    from puzzles.identity.duplicates import Duplicate, Duplicates, distinct, notes
    from puzzles.identity.features import conditions, features

    duplicates, wanted = Duplicates(most=sys.maxsize), conditions(args.where) if args.where else []

    def holds(instance: "Instance[Any]") -> bool:
        own = features(instance)
        return all(condition.holds(own) for condition in wanted)

    def chosen(corpus: "Callable[[], Iterator[Any]]") -> "Iterator[Any]":
        found = list[Duplicate]()
        instances = filter(holds, corpus()) if wanted else corpus()
        if args.distinct:
            instances = distinct(instances, duplicates, found.append)
        yield from sampled(list(instances), args) if args.sample else instances
        for note in notes(found, left_out=True):
            print_note(note)

    return chosen


def sampled(instances: "list[Instance[Any]]", args: argparse.Namespace) -> "list[Instance[Any]]":
    """Return a sample of instances, with a note on what it costs."""
    from puzzles.identity.features import sample, sample_words, stratum

    seed = getattr(args, "seed", 1)
    strata = [stratum(instance, args.by) for instance in instances]
    places = sample(strata, args.sample, seed)
    print_note(sample_words(len(places), strata, args.by, seed))
    return [instances[i] for i in places]


def given_puzzle(args: argparse.Namespace, notify: "Notify" = print_note) -> "Instance[Any]":
    """Return the instance that the argument names: a board, or one of a file. Raises BadInput, BadUsage."""
    from harness.model.reading import read_puzzle

    return read_puzzle(args.puzzle, reader_options(args, notify), args.number)


def pythons_of(args: argparse.Namespace) -> dict[str, str]:
    """Return the interpreters by name of --env, and of environments that the contenders of -b name. Raises BadUsage."""
    from harness.model.environments import interpreters
    from harness.model.reading import parse_assignments

    return interpreters(args.backend, parse_assignments(args.env))


def require_board(instance: "Instance[Any]", task: str) -> "Puzzle":
    """Return the instance if it is a board of units. Raises BadUsage, with the verb's task, if it is not."""
    from puzzles.boards.board import Board
    from puzzles.boards.layout import Layout
    from puzzles.labels import label

    if isinstance(instance.problem, Board):
        what = instance.problem.name.partition(" ")[0]
        raise BadUsage(f"{instance.name}: {task} takes boards of units alone, not {what}: use solve, count or run")
    if not isinstance(instance.problem, Layout):
        raise BadUsage(f"{instance.name}: {task} takes boards, not {label(instance.problem)}s: use solve, count or run")
    return instance


def given_contender(args: argparse.Namespace, count: int, puzzle: "Instance[Any]") -> "Contender":
    """Return the contender of -b, for a puzzle and a number of solutions. Raises BadUsage."""
    from harness.model.contender import resolve
    from harness.model.reading import parse_assignments
    from harness.model.selection.fitting import select_supported
    from harness.model.settings import DEFAULT_OPTIMISERS

    programs, goal = parse_assignments(args.program), puzzle.problem.objective is not None
    name = args.backend or (DEFAULT_OPTIMISERS[0] if goal else "native")
    (contender, *more), _ = resolve([name], 1 if goal else count, programs=programs)
    if more:
        raise BadUsage(f"{args.verb} takes one contender; {name!r} names {1 + len(more)}")
    select_supported([contender], [name], [(puzzle.problem, 1)], programs, goal)
    return contender
