"""Programs that need no --program: their commands, where they are found, and what to install.

A program is looked for in the wheel that carries it, since a script on the PATH may start Python first, then on the
PATH. Where it has such an option, it is given the seconds left. Each runs with one thread.
"""

import shutil
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, files


@dataclass(frozen=True)
class Known:
    """A program that is known by name.

    base     of its backend: dimacs, opb or xcsp3
    command  words of its command, first the names that the program may have, separated by |
    install  what to do to get it
    wheel    distribution, folder and end of the name of a file that it is, if a wheel carries it
    runner   words that run this file
    """

    base: str
    command: str
    install: str
    wheel: tuple[str, str, str] | None = None
    runner: tuple[str, ...] = ()

    def words(self) -> tuple[str, ...] | None:
        """Return the words of its command, None if it is not installed."""
        names, *options = self.command.split()
        path = installed_file(*self.wheel) if self.wheel else None
        if path and all(map(shutil.which, self.runner[:1])):
            return (*self.runner, path, *options)
        program = next(filter(shutil.which, names.split("|")), None)
        return (program, *options) if program else None


@cache
def installed_file(distribution: str, folder: str, ending: str) -> str | None:
    """Return the path of the file of an installed distribution in `folder` whose name ends so, None without it."""
    try:
        listed = files(distribution) or []
    except PackageNotFoundError:
        return None
    return next((str(f.locate()) for f in listed if f.parent.as_posix() == folder and f.name.endswith(ending)), None)


SAGE = "sage_wheels/bin"
KNOWN = {
    "cadical": Known("dimacs", "cadical -q -t {seconds} --no-binary {lrat} {cnf} {proof}", "apt install cadical"),
    "kissat": Known(
        "dimacs",
        "kissat -q --time={seconds} --no-binary {cnf} {proof}",
        "pip install passagemath-kissat",
        ("passagemath-kissat", SAGE, "kissat"),
    ),
    "minisat": Known("dimacs", "minisat -verb=0 -cpu-lim={seconds} {cnf} {out}", "apt install minisat"),
    "glucose": Known(
        "dimacs",
        "glucose -verb=0 -cpu-lim={seconds} -model {cnf}",
        "pip install passagemath-glucose",
        ("passagemath-glucose", SAGE, "glucose"),
    ),
    "glucose-syrup": Known(  # 4.2.1 hangs in some runs on small formulas, even with one thread: these time out
        "dimacs",
        "glucose-syrup -verb=0 -nthreads=1 -cpu-lim={seconds} -model {cnf}",
        "pip install passagemath-glucose",
        ("passagemath-glucose", SAGE, "glucose-syrup"),
    ),
    "cryptominisat5": Known("dimacs", "cryptominisat5 --verb 0 --maxtime {seconds} {cnf}", "apt install cryptominisat"),
    "picosat": Known("dimacs", "picosat -L {seconds} {cnf}", "apt install picosat"),
    "roundingsat": Known("opb", "roundingsat --verbosity=0 --print-sol=1 {opb}", "build it from its sources"),
    "naps": Known("opb", "naps -a -v0 {opb}", "build it from its sources"),
    "minisatp": Known("opb", "minisat+|minisatp -a -v0 {opb}", "apt install minisat+"),
    "cosoco": Known(
        "xcsp3",
        "cosoco {xcsp3} -model=2 -nbcores=1 -cpu_lim={seconds}",
        "pip install cosoco",
        ("cosoco", "cosoco_bin", "cosoco"),
    ),
    "ace": Known(
        "xcsp3",
        "ace {xcsp3} -s=1 -npc -t={seconds}s",
        "install Java, and pip install pycsp3",
        ("pycsp3", "pycsp3/solvers/ace", ".jar"),
        ("java", "-XX:ActiveProcessorCount=1", "-jar"),
    ),
}
