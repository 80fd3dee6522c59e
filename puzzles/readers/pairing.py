"""Models and data of MiniZinc: which file is which, and the model that a data file belongs to.

A data file is an instance: .dzn, or .json with an object, in the folder of its model or in one below. A model without
data is an instance too.
"""

from pathlib import Path

from puzzles.errors import BadInput, printable_path

MODEL, DATA, JSON_DATA = ".mzn", ".dzn", ".json"
HEAD = 1 << 12  # bytes in which an object shows itself


def is_minizinc(path: Path, head: bytes, form: str) -> bool:
    """Return True for a model, and for data near a model, by the first bytes and the format that they tell, if any."""
    suffix = path.suffix
    if suffix == MODEL:
        return True
    data = suffix == DATA or (suffix == JSON_DATA and not form and head.lstrip()[:1] == b"{")
    return data and bool(models_near(path))


def models_near(path: Path) -> list[Path]:
    """Return the models in the folder of a file, else those in the folder above."""
    for folder in (path.parent, path.absolute().parent.parent):
        if found := sorted(folder.glob(f"*{MODEL}")):
            return found
    return []


def model_of(data: Path) -> Path:
    """Return the model of a data file: the only one, or the one of the same name. Raises BadInput."""
    found = models_near(data)
    same = [path for path in found if path.stem == data.stem]
    if len(found) != 1 and not same:
        names = ", ".join(path.name for path in found[:5])
        raise BadInput(f"{printable_path(data)}: which model is it for? Near it are {names}: leave one there")
    return same[0] if same else found[0]


def needs_data(path: Path) -> bool:
    """Return True for a model with data files in its folder or in one below, which are the instances."""
    if path.suffix != MODEL:
        return False
    below = (file for pattern in ("*", "*/*") for file in path.parent.glob(f"{pattern}{DATA}"))
    return next(below, None) is not None or any(
        file.open("rb").read(HEAD).lstrip()[:1] == b"{"
        for pattern in ("*", "*/*")
        for file in path.parent.glob(f"{pattern}{JSON_DATA}")
    )
