"""HiGHS of the package highspy as the program `lp:highs`: it reads an LP or MPS file and writes its solution.

python benchmarks/highs_program.py FILE SOLUTION SECONDS
"""

import sys

import highspy


def main() -> None:
    path, solution, seconds = sys.argv[1:]
    solver = highspy.Highs()
    for name, value in (("time_limit", float(seconds)), ("mip_rel_gap", 0.0), ("threads", 1)):
        solver.setOptionValue(name, value)
    solver.readModel(path)
    solver.run()
    solver.writeSolution(solution, 0)


if __name__ == "__main__":
    main()
