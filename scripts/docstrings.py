"""Print docstrings of the four packages, drawn at random: `python scripts/docstrings.py [--seed 1] [--count 80]`.

A review reads each alone, with nothing but its signature, and counts the unclear ones.
"""

import argparse
import ast
import random
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("puzzles", "encoders", "backends", "harness")
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def docstrings(path: Path) -> Iterator[tuple[int, str, str]]:
    """Yield line, signature and docstring of a module and of all classes and functions in it."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, DOCUMENTED) and (text := ast.get_docstring(node)):
            if isinstance(node, ast.Module):
                yield 1, "module", text
            elif isinstance(node, ast.ClassDef):
                yield node.lineno, f"class {node.name}", text
            else:
                yield node.lineno, f"def {node.name}({ast.unparse(node.args)})", text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=80)
    args = parser.parse_args()
    files = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    found = [(path.relative_to(ROOT), *entry) for path in files for entry in docstrings(path)]
    for path, line, signature, text in random.Random(args.seed).sample(found, args.count):
        print(f"{path}:{line}: {signature}\n    " + text.replace("\n", "\n    ") + "\n")
    print(f"{args.count} of {len(found)} docstrings")


if __name__ == "__main__":
    main()
