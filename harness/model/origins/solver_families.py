"""Solvers with several names, or with other solvers inside: two contenders that share a solver are not independent.

    SAME   names of one solver, so that `minizinc:cp-sat` and `cpmpy:ortools` are `cpsat`
    HOLDS  solvers inside a solver: linked, forked, ported, or asked by it; rows are followed, so `opb:minisatp` and
           `pysat:glucose4` share minisat
    DISTRIBUTIONS  solvers of a Python distribution that a plug-in requires

A missing row makes dependent solvers count as independent; a needless row only costs another opinion. So in doubt there
is a row. Sources are given by row: documentation, licence or source tree of the solver.
"""

import re
from collections.abc import Iterable

VERSION = re.compile(r"(?<=.)[-_.]?\d[\d.]*$")

SAME = {
    "cadical195-linear": "cadical",  # backends/pysat/improving.py
    "cp-sat": "cpsat",  # the id of OR-Tools' CP-SAT in MiniZinc
    "cp_sat": "cpsat",
    "cryptosat": "cryptominisat",  # pysat.solvers.SolverNames
    "evalmaxsat_bin": "evalmaxsat",
    "glucose-syrup": "glucose",
    "glucose4-linear": "glucose",
    "minisat+": "minisatp",
    "minisat-gh": "minisat",  # pysat.solvers.SolverNames: three versions of MiniSat
    "minisatep": "minisat",
    "minisatgh": "minisat",
    "or-tools": "cpsat",
    "ortools": "cpsat",  # CPMpy's name of CP-SAT
    "pycryptosat": "cryptominisat",
}
HOLDS: dict[str, tuple[str, ...]] = {
    "approxmc": ("arjun", "cryptominisat"),  # README of pyapproxmc; so does Ganak
    "chuffed": ("minisat",),  # in doubt: its SAT core has MiniSat's data structures
    "clingo": ("clasp",),  # potassco.org/clingo: "combines both gringo and clasp"
    "cosoco": ("ace",),  # README: most of its propagators come from ACE
    "cryptominisat": ("cadical", "minisat"),  # README: CadiBack, which is CaDiCaL; begun as a fork of MiniSat
    "cvc5": ("cadical", "cryptominisat", "minisat"),  # src/prop/cadical, src/prop/minisat; Debian links cryptominisat
    "evalmaxsat": ("cadical", "glucose"),  # lib/cadical and lib/glucose of its sources
    "exact": ("roundingsat", "soplex"),  # README: "a fork of RoundingSat", optionally with SoPlex
    "ganak": ("arjun", "cryptominisat"),  # README of pyganak: Arjun preprocesses
    "gluecard": ("glucose", "minicard"),  # python-sat: Glucose with MiniCard's constraints
    "fm": ("glucose", "maplechrono", "mergesat", "minisat"),  # MaxSAT of python-sat: the SAT solvers of its option
    "glucose": ("minisat",),  # licence: "sources are based on MiniSat"
    "kissat": ("cadical",),  # README: "a port of CaDiCaL back to C"
    "loandra": ("cadical", "glucose", "minisat", "open-wbo"),  # solvers/, rustsat, Open-WBO's files; MaxPRE beside them
    "lsu": ("glucose", "maplechrono", "mergesat", "minisat"),  # as fm
    "maplechrono": ("maplecm",),  # the Maple series: licences of MapleCOMSPS and MapleLCM
    "maplecm": ("maplesat",),
    "maplesat": ("glucose", "minisat"),  # licence: MiniSat; LBD from Glucose
    "maxhs": ("cadical", "glucose", "minisat"),  # folders of its sources; CPLEX beside them
    "mergesat": ("maplechrono",),  # README: based on MapleLCMDistChronoBT
    "minicard": ("minisat",),  # README: based on MiniSat 2.2
    "minisatp": ("minisat",),
    "naps": ("cadical", "minisatp", "scip"),  # its SAT solver since 1.4, what it is based on, and in its wheel
    "open-wbo": ("glucose", "minisat"),  # solvers/ of its sources
    "pacose": ("cadical", "glucose"),  # solver-proxy/ of its sources
    "pysat": ("cadical",),  # models:pysat, backends/counters/enumerating.py
    "pindakaas": ("cadical",),  # the solver of its Python package
    "rc2": ("glucose", "maplechrono", "mergesat", "minisat"),  # as fm
    "rc2-stratified": ("rc2",),
    "roundingsat": ("soplex",),  # README: optional
    "scip": ("soplex",),  # scipopt.org: its standard LP solver
    "tididi": ("arjun", "cryptominisat"),  # "arjun" in its logs; in doubt
    "uwrmaxsat": ("cadical", "cryptominisat", "glucose", "mergesat", "minisat", "minisatp", "scip"),  # README, config.*
}
DISTRIBUTIONS: dict[str, tuple[str, ...]] = {
    "clingo": ("clingo",),
    "cpmpy": ("cpsat",),  # its default solver, which it requires
    "cvc5": ("cvc5",),
    "exact": ("exact",),
    "highspy": ("highs",),
    "ortools": ("cpsat", "highs", "scip"),  # README of its wheel: wrappers of MIP solvers
    "passagemath-glucose": ("glucose",),
    "passagemath-kissat": ("kissat",),
    "pindakaas": ("pindakaas",),
    "pumpkin-solver": ("pumpkin",),
    "pychoco": ("choco",),
    "pycryptosat": ("cryptominisat",),
    "pynaps": ("naps",),
    "pyscipopt": ("scip",),
    "python-sat": (  # pysat.solvers.SolverNames
        *("cadical", "cryptominisat", "ergo", "gluecard", "glucose", "kissat", "lingeling", "maplechrono", "maplecm"),
        *("maplesat", "mergesat", "minicard", "minisat"),
    ),
    "pytoulbar2": ("toulbar2",),
    "z3-solver": ("z3",),
}
KNOWN = frozenset(
    (
        *SAME,
        *SAME.values(),
        *HOLDS,
        *(contained for row in (*HOLDS.values(), *DISTRIBUTIONS.values()) for contained in row),
    )
)


def canonical(name: str) -> str:
    """Return the canonical name of a solver, without a version; the number in z3, cvc5 and toulbar2 is no version."""
    found = name if name in KNOWN else VERSION.sub("", name)
    return SAME.get(found, found)


def with_contained(names: Iterable[str]) -> frozenset[str]:
    """Return solvers with all solvers inside them."""
    found, waiting = set[str](), [canonical(name) for name in names]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += HOLDS.get(name, ())
    return frozenset(found)
