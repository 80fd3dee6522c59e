"""`record`: run a program, and write what it asks its SAT solvers as query scripts, with the answers that it got."""

import argparse
from pathlib import Path

from harness.commands.given import print_note
from harness.model.invocation import called

USAGE = "[options] -- PROGRAM [ARGUMENT ...]"
INCOMPLETE = 4  # exit code if the program fails, or nothing is recorded
EPILOG = """\
examples:
  record -- python my_app.py               PySAT's solvers (RC2, ...), Z3, CP-SAT
  record --with pysat:glucose4 -- python my_app.py    with another solver: closed loop
  record -- ./my_app                       a program with CaDiCaL
  record --ipasir -- ./my_app              one with a shared library of IPASIR

exit codes: 0 recorded, 2 bad usage, 4 the program failed, or nothing was recorded
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("program", nargs="+", metavar="PROGRAM", help="program with its arguments, after --")
    parser.add_argument(
        "-o", "--output", default="recorded", metavar="FOLDER", help="folder for the scripts (default recorded)"
    )
    parser.add_argument(
        "--with",
        dest="with_",
        metavar="pysat:NAME",
        help="let a Python program use this solver of PySAT wherever it uses another one of PySAT",
    )
    parser.add_argument("--ipasir", action="store_true", help="record the calls of IPASIR's functions; needs cc")


def run(args: argparse.Namespace) -> int:
    import tempfile

    from backends.pysat import SOLVERS
    from harness.model.errors import BadUsage
    from harness.recording.programs import collected, is_python, run_recorded
    from harness.reporting.writing.printable import printable

    base, _, solver = (args.with_ or "pysat:").partition(":")
    if base != "pysat" or (solver and solver not in SOLVERS) or bool(solver) != bool(args.with_):
        raise BadUsage(f"--with takes a solver of PySAT: pysat:{', pysat:'.join(SOLVERS)}")
    if args.with_ and not is_python(args.program[0]):
        raise BadUsage("--with is for Python programs: what another program is linked with can't be changed")
    folder = Path(args.output)
    name = next((Path(word).stem for word in args.program if word.endswith(".py")), Path(args.program[0]).name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.glob(f"{name}-*")):
            raise BadUsage(f"{folder}: has scripts of {name}: choose another folder with -o")
        with tempfile.TemporaryDirectory(dir=folder) as place:
            code = run_recorded(args.program, Path(place), solver, args.ipasir)
            scripts = list(collected(Path(place), folder, name))
    except OSError as e:
        raise BadUsage(f"{e.filename or folder}: {e.strerror}") from None
    for one in scripts:
        if one.asks:
            who = f", {one.solver}" if one.solver else ""
            took = "" if one.ns is None else f", {one.ns / 1e9:.3g} s of CPU time in them"
            print(printable(f"{one.path}: {one.asks:,} asks, {one.satisfiable:,} satisfiable{who}{took}"))
        if one.why:
            print_note(printable(f"{one.path.stem}: {'the rest is' if one.asks else 'is'} not recorded: {one.why}"))
    if code:
        print_note(f"{args.program[0]} ended with exit code {code}")
    if not any(one.asks for one in scripts):
        print_note("nothing was recorded: no solver of PySAT, Z3, CP-SAT, CaDiCaL (--ipasir: IPASIR) was asked")
        return INCOMPLETE
    loop = "closed loop: each solver leads the program elsewhere" if solver else "the asks stay the same: open loop"
    print(f"to run: {called('run', str(folder), '-b', 'queries:*')}    ({loop})")
    return INCOMPLETE if code else 0
