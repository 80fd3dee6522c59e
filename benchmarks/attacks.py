"""Attacks on the harness by mutated input: each must end in an outcome or one line, never in a traceback.

    python benchmarks/attacks.py {replies,journals,findings,golden} [--count N] [--seed 1]

replies   streams of worker replies and the shared memory of their batches, fed to the worker pool of this process
journals  damaged and crafted journals, read by every verb that reads them; findings, golden: the same of these files
"""

import argparse
import importlib
import sys

from figures import Figure, add_option, report

ATTACKS = {"replies": "attack_replies"} | dict.fromkeys(("journals", "findings", "golden"), "attack_files")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("attack", choices=ATTACKS)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    add_option(parser)
    args = parser.parse_args()
    faults = importlib.import_module(ATTACKS[args.attack]).attack(args.attack, args.count, args.seed)
    print("\n".join(faults))
    report([Figure(args.attack, "", "attacks", args.count), Figure(args.attack, "", "faults", len(faults))], args.json)
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
