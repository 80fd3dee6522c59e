"""Protocols of programs by base: the input that a program gets, and the output that it must print.

The odd cases are in docs/reference/programs.md. A line `s ...` states the result, `v ...` lines the values of a
solution, `o ...` the value of each better solution, with an objective alone.
"""

from typing import NamedTuple


class ProgramProtocol(NamedTuple):
    """Input and output of a program in words."""

    reads: str
    prints: str


WRITTEN_TO_PROVE = ("wcnf",)  # formats of which a proof needs a written file, as its rows depend on the order of lines
LP = "its solution as glpsol -w, cbc, HiGHS or SCIP write it, also in the file {out}"
PROTOCOLS = {
    "dimacs": ProgramProtocol("CNF {cnf}", "'s SATISFIABLE' and 'v 1 -2 3 0', or 's UNSATISFIABLE'"),
    "wcnf": ProgramProtocol("WCNF {wcnf}", "'o 7', then 's OPTIMUM FOUND' and 'v 101', a digit a variable"),
    "opb": ProgramProtocol("OPB {opb}", "'o 7', then 's OPTIMUM FOUND' (or as dimacs) and 'v x1 -x2 x3'"),
    "xcsp3": ProgramProtocol(
        "XCSP3 {xcsp3}",
        "'o 7', 's SATISFIABLE' or 's OPTIMUM FOUND', and"
        " 'v <instantiation> <list> x y </list> <values> 1 2 </values> </instantiation>'",
    ),
    "fzn": ProgramProtocol(
        "FlatZinc {fzn}",
        "'x = 1;' for each output variable and '----------' after a solution, '==========' after the last or best"
        " one, or '=====UNSATISFIABLE====='",
    ),
    "lp": ProgramProtocol("LP {lp}", LP),
    "mps": ProgramProtocol("MPS {mps}", LP),
    "mcc": ProgramProtocol(
        "CNF {cnf} with 'c p show' and 'c p weight'", "'s SATISFIABLE' and 'c s exact arb int 42', or arb frac 3/10"
    ),
    "lines": ProgramProtocol(
        "standard input: a board a line",
        "one line: the solution, 'unsatisfiable' or 'unknown'; lines:NAME:batch gets all boards, and prints a line"
        " for each",
    ),
    "mus": ProgramProtocol("CNF {cnf}, gcnf, or {wcnf}", "the numbers of the members, from 1, for `explain`"),
}
COMMAND = (
    "a program of your own takes part by -b BASE:NAME --program NAME='COMMAND {cnf}'; what is in braces stands for the"
    " file, which is added at the end if it is missing; {seconds} stands for the seconds left, {out} for a file to"
    " write the answer to, as minisat does, {proof} for one of the proof, {cores} for the cores"
    " (docs/reference/adding.md)"
)
