"""What is run in which order: repeats, blocks of puzzles, and in each block every contender, in seeded order.

Interleaving makes what drifts on the machine hit all contenders alike.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

from backends.answer import BoolArray, Int64Array
from harness.model.lease import Block
from harness.model.outcome import Batch
from harness.running.shared_memory import capacity

MAX_WORKERS = (
    64  # workers at once in all slots: each takes 40 to 130 MB and 5 file descriptors, of which 1024 are usual
)


def block_size(puzzles: int, squares: int, count: int, contenders: int = 1) -> int:
    """Sixteen blocks or more, so that contenders alternate often, and none larger than a batch may be.

    Where there are more contenders than workers are kept, each turn opens a worker anew, so turns are long.
    """
    return max(1, min(1000, puzzles // 16 if contenders <= MAX_WORKERS else puzzles, capacity(squares, count)))


def plan(
    blocks: Callable[[], Iterator[Block]],
    contenders: int,
    repeats: int,
    seed: int,
    missing: Callable[[int, int, Int64Array], BoolArray] | None = None,
) -> Iterator[Batch]:
    """Batches in running order. `missing(contender, repeat, puzzles)` says which are still to be run (resume)."""
    for repeat in range(repeats):
        for number, block in enumerate(blocks()):
            order = list(range(contenders))
            Random(f"{seed}/{repeat}/{number}").shuffle(order)
            for contender in order:
                batch = Batch(contender, repeat, block.problem, block.puzzles, block.domains, len(block.puzzles))
                if missing is not None:
                    left = missing(contender, repeat, block.puzzles)
                    batch = replace(batch, puzzles=block.puzzles[left], domains=block.domains[left])
                if len(batch.puzzles):
                    yield batch
