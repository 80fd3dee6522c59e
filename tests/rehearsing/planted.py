"""Solver of small CNF and WCNF files by enumeration, with one fault of protocol: planted.py FAULT INSTANCE [FOLDER]."""

import itertools
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

PROOF = "1 2 0\n1 0\n-1 2 0\n0\n"  # of the eight clauses over three variables


def main() -> None:
    fault, path, *folder = sys.argv[1:]
    lines = [line.split() for line in Path(path).read_text().splitlines() if line.strip() and line.split()[0] != "c"]
    soft = lines[0][:1] != ["p"] if lines else True
    header = int(lines[0][2]) if not soft else 0
    hard: list[tuple[int, list[int]]] = []
    costs: list[tuple[int, list[int]]] = []
    for words in lines if soft else lines[1:]:
        clause = [int(word) for word in words[soft:-1]]
        (costs if soft and words[0] != "h" else hard).append((int(words[0]) if soft and words[0] != "h" else 0, clause))
    used = max((abs(x) for _, clause in hard + costs for x in clause), default=0)
    variables = header if not soft else used
    if variables > 10:
        late(fault, soft, variables, costs)
    models = [
        set(model)
        for model in itertools.product(*((v, -v) for v in range(1, variables + 1)))
        if all(set(model) & set(clause) for _, clause in hard)
    ]
    if fault == "threads":
        busy = [subprocess.Popen([sys.executable, "-c", "while 1: pass"]) for _ in range(3)]
        time.sleep(0.3)
        for one in busy:
            one.kill()
            one.wait()
    if fault == "leak":
        subprocess.Popen(["sleep", "20"], start_new_session=True)
    if not models:
        if folder:
            (Path(folder[0]) / "proof.out").write_text("0\n" if fault == "proof" else PROOF)
        print("s UNSATISFIABLE")
        sys.exit(20)

    def cost(model: set[int]) -> int:
        return sum(weight for weight, clause in costs if not model & set(clause))

    best = min(models, key=cost)
    if fault == "wrong model" and len(models) < 2**variables:
        best = next(
            set(m) for m in itertools.product(*((v, -v) for v in range(1, variables + 1))) if set(m) not in models
        )
    if soft and fault != "cost behind status":
        print(f"o {cost(best) + (fault == 'wrong cost')}")
    print(f"s {'OPTIMUM FOUND' if soft else 'SATISFIABLE'}")
    if fault == "second status":
        print("s SATISFIABLE")
    if soft and fault == "cost behind status":
        print(f"o {cost(best)}")
    values = sorted(best, key=abs) + ([variables + 1] if fault == "beyond header" else [])
    if fault != "no model":
        text = "".join(str(int(x > 0)) for x in values) if soft else " ".join(map(str, values))
        print("v", text + ("" if soft or fault == "no final 0" else " 0"))
    sys.exit(0 if fault == "exit code" else 30 if soft else 10)


def late(fault: str, soft: bool, variables: int, costs: list[tuple[int, list[int]]]) -> None:
    """Wait for SIGTERM, and answer with the all-false assignment where there are soft clauses."""

    def end(*_: object) -> None:
        if soft and fault != "nothing on SIGTERM":
            print(f"o {sum(weight for weight, clause in costs if all(x > 0 for x in clause))}")
            print(f"s SATISFIABLE\nv {'0' * variables}")
        elif fault == "answer behind SIGTERM":
            print("s UNSATISFIABLE")
        sys.stdout.flush()
        os._exit(0)

    signal.signal(signal.SIGTERM, signal.SIG_IGN if fault == "ignores SIGTERM" else end)
    while True:
        time.sleep(1)


main()
