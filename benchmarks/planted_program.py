"""Program with a planted fault, which shrinking.py asks: no solution if rows of a FlatZinc have some coefficients.

python benchmarks/planted_program.py CASE FILE            CASE is reified, sums or flat
python benchmarks/planted_program.py known FILE SOLUTION  prints the numbers of a file as the solution
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROW = re.compile(r"constraint (int_lin_\w+) *\( *\[([^\]]*)\] *, *\[([^\]]*)\]")
Row = tuple[str, list[int], list[str]]  # constraint, coefficients, variables


def rows(text: str) -> Iterator[Row]:
    """Yield the sums of a model."""
    for name, numbers, variables in ROW.findall(text):
        yield name, [int(a) for a in numbers.split(",") if a.strip()], [x.strip() for x in variables.split(",")]


def is_reified(name: str) -> bool:
    return name.endswith(("_reif", "_imp"))


def reified(text: str) -> bool:
    """A sum has four terms or more."""
    return any(len(numbers) >= 4 for _, numbers, _ in rows(text))


def sums(text: str) -> bool:
    """A variable has the coefficient 4 in one row, and 3 or -3 in one that excludes a number."""
    four, three = set[str](), set[str]()
    for name, numbers, variables in rows(text):
        excludes = name.startswith("int_lin_ne")
        of = three if excludes else four
        of.update(x for a, x in zip(numbers, variables, strict=True) if (abs(a) == 3 if excludes else a == 4))
    return bool(four & three)


def flat(text: str) -> bool:
    """An equation has four coefficients 5, and a reified row has four of them and a -2."""
    equation = condition = False
    for name, numbers, _ in rows(text):
        if numbers.count(5) >= 4:
            equation |= name == "int_lin_eq"
            condition |= is_reified(name) and -2 in numbers
    return equation and condition


def known(text: str, numbers: list[str]) -> None:
    """Print numbers as the values of the variables of a model that Crosscheck has written."""
    for i in re.findall(r"^var [^:]*: *v(\d+) :: output_var", text, re.MULTILINE):
        print(f"v{i} = {numbers[int(i) - 1]};")
    if many := re.search(r"output_array\(\[1\.\.(\d+)\]\)", text):
        print(f"xs = array1d(1..{many[1]}, [{', '.join(numbers[: int(many[1])])}]);")
    print("----------")


FAULTS = {"reified": reified, "sums": sums, "flat": flat}


if __name__ == "__main__":
    case, path, *more = sys.argv[1:]
    model = Path(path).read_text()
    if case == "known":
        known(model, Path(more[0]).read_text().split())
    else:
        print("=====UNSATISFIABLE=====" if FAULTS[case](model) else "=====UNKNOWN=====")
