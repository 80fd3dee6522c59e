"""Attacks on the harness by mutated input: each must end in an outcome or one line, never in a traceback.

    python benchmarks/attacks.py replies [--count 10000] [--seed 1]

replies  streams of worker replies and the shared memory of their batches, fed to the worker pool of this process
"""

import argparse
import importlib
import sys

ATTACKS = {"replies": "attack_replies"}  # name -> module with attack(count, seed), which returns a list of faults


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("attack", choices=ATTACKS)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    faults = importlib.import_module(ATTACKS[args.attack]).attack(args.count, args.seed)
    print("\n".join(faults) or "no faults")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
