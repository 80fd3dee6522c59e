"""Programs that need no --program: their commands, their files, and how to install them.

A program is looked for on the PATH, then in the wheel that carries it. A script on the PATH that belongs to the wheel
and starts Python first stands for the wheel's program. A program with a time option is given the seconds left. Each
program runs with as many threads as cores.
"""

import shutil
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import PackagePath


@dataclass(frozen=True)
class Known:
    """Program that is known by name.

    base     of its backend: dimacs, wcnf, opb, xcsp3, fzn or lp; those of lp are known as mps too
    command  words of its command, first the names that the program may have, separated by |
    install  how to install it
    wheel    distribution, folder and ending of the program's file, if a wheel carries it
    runner   words of a command that runs this file
    largest  of a row's coefficients with its bound, and of an objective's, or of all numbers of a problem over ranges:
             what has more is refused; None for any
    plain    it reads less than its format allows, and gets a written file in the place of an original
    """

    base: str
    command: str
    install: str
    wheel: tuple[str, str, str] | None = None
    runner: tuple[str, ...] = ()
    largest: int | None = None
    plain: bool = False

    def words(self) -> tuple[str, ...] | None:
        """Return the words of the program's command, None if it is not installed."""
        names, *options = self.command.split()
        if program := self.on_path():
            return (next(name for name in names.split("|") if shutil.which(name) == program), *options)
        path = self.in_wheel()
        return (*self.runner, path, *options) if path else None

    def on_path(self) -> str | None:
        """Return the path of the program on the PATH. None without one, or if it starts the wheel's program."""
        found = next(filter(None, map(shutil.which, self.command.split()[0].split("|"))), None)
        if found and self.in_wheel() and self.wheel and Path(found).resolve() in owned(self.wheel[0]):
            return None
        return found

    def in_wheel(self) -> str | None:
        """Return the path of the program in its wheel. None if it is absent, or if its runner is."""
        if self.wheel is None or not all(map(shutil.which, self.runner[:1])):
            return None
        return installed_file(*self.wheel)

    def found_in(self) -> str:
        """Return the folder or wheel of the program, for a table, '' if it is not installed."""
        if self.on_path():
            return "program on the PATH"
        return f"program of {self.wheel[0]}" if self.wheel and self.in_wheel() else ""

    def choice(self) -> str:
        """Return the chosen program if both the PATH and the wheel have one, else ''."""
        taken, left = self.on_path(), self.in_wheel()
        if not (taken and left and self.wheel):
            return ""
        return f"{taken} is taken, which is first on the PATH, not that of {self.wheel[0]}, {left}"


def listed(distribution: str) -> "list[PackagePath]":
    """Return the files of an installed distribution, none if it is not installed."""
    from importlib.metadata import PackageNotFoundError, files  # which takes 20 ms

    try:
        return files(distribution) or []
    except PackageNotFoundError:
        return []


@cache
def installed_file(distribution: str, folder: str, ending: str) -> str | None:
    """Return the path of a distribution's file in `folder` whose name ends with `ending`, None if there is none."""
    found = (f for f in listed(distribution) if f.parent.as_posix() == folder and f.name.endswith(ending))
    return next((str(f.locate()) for f in found), None)


@cache
def owned(distribution: str) -> frozenset[Path]:
    """Return the resolved paths of the files of an installed distribution, its scripts included."""
    return frozenset(Path(str(f.locate())).resolve() for f in listed(distribution))


SAGE = "sage_wheels/bin"
BUILD = "not in PyPI: build it and put it on the PATH"
KNOWN = {
    "cadical": Known(
        "dimacs", "cadical -q -t {seconds} --seed={seed} --no-binary {lrat} {cnf} {proof}", "apt install cadical"
    ),
    "kissat": Known(
        "dimacs",
        "kissat -q --time={seconds} --seed={seed} --no-binary {cnf} {proof}",
        "pip install passagemath-kissat",
        ("passagemath-kissat", SAGE, "kissat"),
    ),
    "minisat": Known(
        "dimacs", "minisat -verb=0 -rnd-seed={seed} -cpu-lim={seconds} {cnf} {out}", "apt install minisat"
    ),
    "glucose": Known(
        "dimacs",
        "glucose -verb=0 -rnd-seed={seed} -cpu-lim={seconds} -model {cnf}",
        "pip install passagemath-glucose",
        ("passagemath-glucose", SAGE, "glucose"),
    ),
    "glucose-syrup": Known(  # 4.2.1 hangs in some runs on small formulas, even with one thread: these time out
        "dimacs",  # its -cpu-lim counts the CPU time of all threads: two would be ended at half the limit
        "glucose-syrup -verb=0 -nthreads={cores} -rnd-seed={seed} -model {cnf}",
        "pip install passagemath-glucose",
        ("passagemath-glucose", SAGE, "glucose-syrup"),
    ),
    "cryptominisat5": Known(  # it wants each clause on a line of its own, and no tabs
        "dimacs",
        "cryptominisat5 --verb 0 --threads={cores} --random={seed} --maxtime {seconds} {cnf}",
        "apt install cryptominisat",
        plain=True,
    ),
    "picosat": Known("dimacs", "picosat -L {seconds} {cnf}", "apt install picosat"),
    "evalmaxsat": Known("wcnf", "EvalMaxSAT_bin|evalmaxsat {wcnf}", BUILD),
    "uwrmaxsat": Known("wcnf", "uwrmaxsat -v0 -m -bm {wcnf}", BUILD),  # -cpu-lim replaces its answer to SIGTERM
    # The commands of the next three are read from their sources; the programs have not been run here.
    "maxhs": Known("wcnf", "maxhs -printSoln -verb=0 {wcnf}", BUILD),
    "loandra": Known("wcnf", "loandra -print-model -verbosity=0 {wcnf}", BUILD),
    "pacose": Known("wcnf", "Pacose|pacose {wcnf}", BUILD),
    "clasp": Known(
        "opb",
        "clasp --outf=1 --parallel-mode={cores} --seed={seed} --time-limit={seconds} {opb}",
        "apt install clasp",
        largest=(1 << 31) - 1,
    ),
    "roundingsat": Known("opb", "roundingsat --verbosity=0 --print-sol=1 {opb}", BUILD),
    "naps": Known("opb", "naps -a -v0 {opb}", BUILD),
    "minisatp": Known("opb", "minisat+|minisatp -a -v1 {opb}", "apt install minisat+", plain=True),  # reads no ~x1
    # Gecode and Chuffed were run as MiniZinc's npm package has them; the commands follow their sources.
    "gecode": Known("fzn", "fzn-gecode -time {seconds}000 {fzn}", "apt install flatzinc"),
    "chuffed": Known("fzn", "fzn-chuffed -t {seconds}000 {fzn}", BUILD),
    "cp-sat": Known("fzn", "fzn-cp-sat -t {seconds}000 {fzn}", BUILD),
    "glpsol": Known("lp", "glpsol --lp {lp} --tmlim {seconds} -w {out}", "apt install glpk-utils", plain=True),
    "cbc": Known("lp", "cbc {lp} -sec {seconds} -ratio 0 -allow 0 -solve -solution {out}", "apt install coinor-cbc"),
    # The commands of the next two follow their manuals; the programs have not been run here.
    "highs": Known("lp", "highs --time_limit {seconds} --solution_file {out} {lp}", BUILD),
    "scip": Known("lp", "scip -f {lp}", BUILD),
    "cosoco": Known(  # its -cpu_lim counts all threads too; SIGTERM makes it print its best solution
        "xcsp3",
        "cosoco {xcsp3} -model=2 -nbcores={cores}",
        "pip install cosoco",
        ("cosoco", "cosoco_bin", "cosoco"),
    ),
    "ace": Known(
        "xcsp3",
        "ace {xcsp3} -npc -t={seconds}s",
        "apt install default-jre-headless, and pip install pycsp3",
        ("pycsp3", "pycsp3/solvers/ace", ".jar"),
        ("java", "-XX:ActiveProcessorCount={cores}", "-jar"),
        largest=(1 << 31) - 2,  # its integers are those of Java
    ),
}


def known_for(base: str) -> dict[str, Known]:
    """Return the known programs of a base, by name."""
    if base == "mps":
        return {name: replace(k, base=base, command=mps_command(k.command)) for name, k in known_for("lp").items()}
    return {name: known for name, known in KNOWN.items() if known.base == base}


def mps_command(command: str) -> str:
    """Return the command of a program that reads LP, for MPS."""
    return command.replace("--lp {lp}", "--freemps {mps}").replace("{lp}", "{mps}")
