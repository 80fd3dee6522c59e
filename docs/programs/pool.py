"""Runs in a pool of processes: each takes a journal of its own."""

from concurrent.futures import ProcessPoolExecutor

import harness


def journal(seed: int) -> str:
    return str(harness.run("minimal", "native:python", puzzles=1, seed=seed).journal)


if __name__ == "__main__":
    with ProcessPoolExecutor(4) as pool:
        print(len(set(pool.map(journal, range(8)))))
