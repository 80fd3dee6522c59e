"""Benchmarks that all.py runs, in short and in full form, and the scripts that it leaves out.

In the words of a command, {NAME} is a program or file that --with names or, for programs, that is on the PATH; a
benchmark that needs one that is missing is skipped. With {old} it runs in comparisons of versions only.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Benchmark:
    """Script with the words of its short and its full form.

    compared  how two versions are compared: "together" on one core at the same time, for CPU times;
              "in turn" for times by the wall clock; "" not at all, for counts of what must not happen
    minutes   limit of the full form; the short one has SHORT_MINUTES
    """

    script: str
    short: str
    full: str
    compared: str = "together"
    minutes: float = 30

    def words(self, full: bool) -> str:
        """Return the words of a form."""
        return self.full if full else self.short

    def seconds(self, full: bool) -> float:
        """Return the limit of a form."""
        return 60 * (self.minutes if full else SHORT_MINUTES)


SHORT_MINUTES = 6.0
TOOLS = ("tdoku", "drat-trim", "cadical", "lrat-check", "cpmpy", "satlib", "squares", "models")
SKIPPED = 77  # exit code of a script that has nothing to measure here

BOARDS = "sudoku-16 sudoku-25-holes sudoku-25-unique latin-30 latin-35 quasigroups killer kakuro"

THREE = "--cpu -b native cpsat pysat:cadical195"

BENCHMARKS = {
    "overhead": Benchmark("engine.py", "overhead --rounds 3", "overhead --rounds 10"),
    "throughput": Benchmark("engine.py", "throughput --number 50000 --rounds 3", "throughput", "in turn"),
    "million": Benchmark("engine.py", "million --top 100000", "million", "in turn"),
    "versions": Benchmark("versions.py", "--old {old} throughput --rounds 3", "--old {old} all", "", 60),
    "versions-same": Benchmark("versions.py", "--old . --same throughput --rounds 3", "--old . --same all", "", 60),
    "phases": Benchmark("phases.py", "-r 2", "-r 10", "in turn"),
    "native": Benchmark("native.py", "--share 0.1 --rounds 3", "--rounds 5"),
    "native-tdoku": Benchmark("native.py", "--tdoku {tdoku} --share 0.1 --rounds 3", "--tdoku {tdoku} --rounds 5"),
    "native-million": Benchmark("native.py", "--million --boards 40000 --compared 400", "--million", "", 60),
    "first-use": Benchmark("openings.py", "--first --rounds 1", "--first"),
    "openings": Benchmark("openings.py", "--load 2", "--load 8", "in turn"),
    "boards": Benchmark(
        "boards.py", "-n 2 -t 5 --class sudoku-16 latin-30", f"-n 100 -t 10 --class {BOARDS}", "in turn", 60
    ),
    "phase": Benchmark("boards.py", "-n 1 -t 2 --class phase", "-n 100 -t 10 --class phase", "in turn", 60),
    "formulas": Benchmark(
        "boards.py",
        "-n 2 -t 5 --class cnf-structured",
        "-n 100 -t 10 --class cnf-satisfiable cnf-structured",
        "in turn",
        60,
    ),
    "unsatisfiable": Benchmark(
        "boards.py", "-n 1 -t 10 --class cnf-unsatisfiable", "-n 100 -t 10 --class cnf-unsatisfiable", "in turn", 90
    ),
    "squares": Benchmark(
        "boards.py", "--corpus {squares} -t 25 --cpu -b native cpsat", f"--corpus {{squares}} -t 60 {THREE}", "", 30
    ),
    "models": Benchmark(
        "boards.py", "--corpus {models} -t 10 --cpu -b native cpsat", f"--corpus {{models}} -t 10 {THREE}", "", 60
    ),
    "cages": Benchmark("constraints.py", "cages -n 10", "cages -n 100"),
    "sat": Benchmark("constraints.py", "sat -n 10 --variables 175", "sat -n 100"),
    "holes": Benchmark("others.py", "holes --repeats 1", "holes"),
    "planted": Benchmark(
        "others.py", "planted --repeats 1 --sizes 10000 100000", "planted --sizes 10000 100000 1000000"
    ),
    "satlib": Benchmark("others.py", "satlib {satlib} --most 3", "satlib {satlib}"),
    "encodings": Benchmark("encodings.py", "ratios --most 10", "ratios"),
    "encodings-outside": Benchmark("encodings.py", "outside --most 10", "outside", "in turn"),
    "cpsat-parameters": Benchmark("encodings.py", "parameters --most 5", "parameters"),
    "matrix": Benchmark("encodings.py", "matrix --most 2", "matrix"),
    "loading": Benchmark("loading.py", "--puzzles 10", ""),
    "deadlines": Benchmark("deadlines.py", "--rounds 1 -b minisat22 maplechrono cadical195", "--rounds 3"),
    "warm": Benchmark("encodings.py", "warm --count 500", "warm", ""),
    "outside": Benchmark("outside.py", "--rounds 1 --megabytes 2", "--rounds 5"),
    "outside-cpmpy": Benchmark("outside.py", "--cpmpy {cpmpy} --rounds 1 --megabytes 1", "--cpmpy {cpmpy}"),
    "outside-solvers": Benchmark("outside_solvers.py", "--rounds 1 --puzzles 2", "", "in turn"),
    "outside-optimisers": Benchmark(
        "outside_optimisers.py", "--rounds 1 --package rc2-stratified cpsat --limit 3", "", "in turn"
    ),
    "proofs": Benchmark("proofs.py", "--count 3", ""),
    "proof-speed": Benchmark(
        "proof_speed.py", "--drat-trim {drat-trim} --boards 20 --small", "--drat-trim {drat-trim}"
    ),
    "lrat-speed": Benchmark("lrat_speed.py", "--cadical {cadical} --small", "--cadical {cadical}"),
    "lrat-check": Benchmark(
        "lrat_speed.py",
        "--cadical {cadical} --lrat-check {lrat-check} --small",
        "--cadical {cadical} --lrat-check {lrat-check}",
    ),
    "proof-mutations": Benchmark("proof_mutations.py", "--count 320", "", ""),
    "proof-mutations-binary": Benchmark("proof_mutations.py", "--binary --count 320", "--binary", ""),
    "proof-mutations-lrat": Benchmark(
        "proof_mutations.py", "--cadical {cadical} --count 320", "--cadical {cadical}", ""
    ),
    "literal-tables": Benchmark("literal_tables.py", "--count 40", "", ""),
    "page": Benchmark("page.py", "--instances 10000", ""),
    "kills": Benchmark("kills.py", "--kills 3", "", ""),
    "kills-commits": Benchmark("kills.py", "--kills 10 --commits", "--kills 500 --commits", ""),
    "kills-objective": Benchmark(
        "kills.py", "--kills 10 --commits --objective", "--kills 500 --commits --objective", ""
    ),
    "replies": Benchmark("attacks.py", "replies --count 100", "replies", ""),
    "journals": Benchmark("attacks.py", "journals --count 100", "journals", ""),
    "findings": Benchmark("attacks.py", "findings --count 100", "findings", ""),
    "golden": Benchmark("attacks.py", "golden --count 100", "golden", ""),
    "reading": Benchmark("reading.py", "--megabytes 70 --rounds 2", ""),
    "reports": Benchmark("reports.py", "--boards 20000 --repeats 2 --rounds 2", ""),
    "readers": Benchmark("reader_fuzzing.py", "--inputs 20000 --seconds 60", "", ""),
}

LEFT_OUT = {
    "families.py": "shares of simulated series of known truth; figures in diaries/families.md",
    "conversion.py": "needs three packages of other solvers; diaries/conversion.md has figures, tests/commands a part",
    "translations.py": "needs the solvers of all extras; a smaller one is tests/backends/test_flat.py",
    "program_runs.py": "it times /bin/true in turn with a loop of subprocess.run, in minutes",
    "organiser.py": "it counts what an organiser's day makes, and takes minutes",
    "counting.py": "needs instances of others, and the extra `counters`; counting.md has its figures",
    "optimisers.py": "needs instances of others, and an hour; optimisers.md has its figures",
    "plain_optimisers.py": "a part of outside_optimisers.py, which starts it",
    "published.py": "needs clones of two repositories; docs/reference/optimisation.md has its figures",
    "published_sat.py": "needs clones of five repositories; docs/reference/formats.md has its figures",
    "honesty.py": "a few of its runs say nothing about how often verdicts are right; honesty.md has its figures",
    "places.py": "as honesty.py",
    "ranges.py": "needs the solvers of all extras; a smaller one is tests/backends/test_integer_ranges.py",
    "gates.py": "it needs an hour of measured runs first; gates.md has its figures, tests/reporting smaller ones",
    "cluster.py": "needs the extra `cluster` and root; cluster.md has its figures",
    "cluster_kills.py": "needs the extra `cluster` and root; cluster.md has its counts",
    "ranking.py": "20 minutes for forty runs; diaries/rankings.md has its figures, tests/reporting a smaller one",
    "certify.py": "needs the extra `exact`; diaries/claims-proved-by-others.md has its counts",
    "pseudo_boolean_rules.py": "it counts faults; decision 170 has the counts, tests/judging a smaller one",
    "explaining.py": "it counts faults; decision 174 has the counts, tests/explaining a smaller one",
    "queries.py": "it records programs, and needs all incremental solvers; tests/queries has small ones",
    "pseudo_boolean_proofs.py": "needs the extra `exact`; diaries/pseudo-boolean-proofs.md has its counts",
    "proof_sizes.py": "needs lrat-trim, drat-trim and VeriPB; benchmarks/diaries/large-proofs.md has its figures",
    "certificates_of_others.py": "needs proofs of others; benchmarks/diaries/certificates-of-others.md has its figures",
    "flat_proofs.py": "needs the extra `pumpkin`; decision 171 has its counts",
    "identities.py": "it counts faults; ranges.md has its counts, tests/puzzles/identity a smaller one",
    "integer_programs.py": "needs files of two repositories; ranges.md has its counts, tests/puzzles a smaller one",
    "wide_models.py": "needs MiniZinc and the solvers of all extras; ranges.md has its answers",
    "highs_program.py": "a program that integer_programs.py asks",
    "unseen.py": "needs formulas of others, and an hour; unseen.md has its figures",
    "scaling.py": "needs a quiet machine for twelve minutes; decision 173 has its figures",
    "improvements.py": "it times a plug-in of the tests, decision 89 has its figures",
    "peaks.py": "needs GNU time or runexec beside it, and gigabytes of memory",
    "synthetic.py": "it draws times, and measures none; honesty.md has its figures, tests/reporting a smaller one",
    "shrinking.py": "a file of 50 MB; trust.md has its figures, tests/fuzzing/test_large.py a smaller one",
    "planted_program.py": "a program that shrinking.py asks",
    "fuzzing.py": "minutes of search for each planted fault; a smaller one is tests/fuzzing",
    "mutation.py": "about 20 s for each compiled mutant; a smaller one is tests/test_mutation.py",
    "suite_mutation.py": "the tests run once, then for each mutant; decision 158 has its figures",
    "page_browser.py": "needs Chromium, and a page that is built first",
}
