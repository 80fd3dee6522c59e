"""Optional packages: the distribution of each module, and the command that installs it.

Messages name these packages, not the extras of this project, which is on no package index: an extra can be installed
only from a clone (`pip install -e '.[solvers]'`). A solver that is not installed may have an environment of `get`.
"""

from functools import cache

DISTRIBUTIONS = {  # distributions by the name of a module
    "clingo": "clingo",
    "cpmpy": "cpmpy",
    "cvc5": "cvc5",
    "dd": "dd",
    "distributed": "distributed",
    "exact": "exact",
    "highspy": "highspy",
    "matplotlib": "matplotlib",
    "naps": "pynaps",
    "numba": "numba",
    "numpy": "numpy",
    "ortools": "ortools",
    "oxidd": "oxidd",
    "pandas": "pandas",
    "pindakaas": "pindakaas",
    "polars": "polars",
    "pumpkin_solver": "pumpkin-solver",
    "py_d4": "d4Solver",
    "pyapproxmc": "pyapproxmc",
    "pyarrow": "pyarrow",
    "pychoco": "pychoco",
    "pycryptosat": "pycryptosat",
    "pycsp3": "pycsp3",
    "pysat": "python-sat",
    "pyganak": "pyganak",
    "pyscipopt": "pyscipopt",
    "pysdd": "PySDD",
    "pysolvers": "python-sat",
    "pytoulbar2": "pytoulbar2",
    "tididi_cnf": "tididi-cnf",
    "z3": "z3-solver",
}

SOLVERS = {  # distributions by the first word of a backend's name, where its variants have one
    "choco": "pychoco",
    "clingo": "clingo",
    "cpsat": "ortools",
    "cryptominisat": "pycryptosat",
    "cvc5": "cvc5",
    "exact": "exact",
    "highs": "highspy",
    "naps": "pynaps",
    "pumpkin": "pumpkin-solver",
    "pysat": "python-sat",
    "scip": "pyscipopt",
    "toulbar2": "pytoulbar2",
    "z3": "z3-solver",
}
COUNTERS = {  # distributions of solvers of `models:` and `queries:` that are no solvers of the table above
    "approxmc": "pyapproxmc",
    "d4": "d4Solver",
    "dd": "dd",
    "ganak": "pyganak",
    "oxidd": "oxidd",
    "sdd": "PySDD",
    "tididi": "tididi-cnf",
}


def solver_of(backend: str) -> str:
    """Return the distribution of the solver of a backend's name without options, '' if the tables have none."""
    base, _, variant = backend.partition(":")
    if base == "models":
        return COUNTERS.get(variant) or SOLVERS.get(variant, "")
    if base == "queries" and variant != "native":
        return SOLVERS.get(variant, SOLVERS["pysat"])
    return SOLVERS.get(base, "")


def version(distribution: str) -> str:
    """Return the version of a distribution that is installed here, else of the newest environment that has it.

    Raises PackageNotFoundError.
    """
    from importlib import metadata  # which takes 20 ms

    from puzzles.environments import environments_of

    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        if elsewhere := environments_of(distribution):
            return elsewhere[-1].version
        raise


@cache
def installed(distribution: str) -> bool:
    """Return True if a distribution is installed here."""
    from importlib import metadata

    try:
        return bool(metadata.version(distribution))
    except metadata.PackageNotFoundError:
        return False


def install(*modules: str) -> str:
    """Return the command that installs the distributions of these modules."""
    return f"pip install {' '.join(DISTRIBUTIONS[module] for module in modules)}"


def distribution_of(name: str) -> str | None:
    """Return the distribution of a module, or of a name that is a distribution's own; None if the table has neither."""
    return DISTRIBUTIONS.get(name) or (name if name in DISTRIBUTIONS.values() else None)
