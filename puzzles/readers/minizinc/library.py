"""Our library for MiniZinc's compiler: declarations of what the FlatZinc reader keeps, by name of file.

A predicate that is declared without a body is left as a constraint; MiniZinc's standard library decomposes all others.
FlatZinc has arrays of one dimension that begin at 1, so a predicate that needs more passes it on to one of our own:
tables are flat, and the first index of an array is a number. Sets of variables become arrays of Booleans.
"""

import json

XS = "array [int] of var int: xs"
SIZES = "array [int] of int: w"
DECLARED = {  # arguments of each predicate that is kept as it is
    "all_different_int": XS,
    "among": f"var int: n, {XS}, set of int: values",
    **{f"{name}_int": f"int: n, {XS}, int: value" for name in ("at_least", "at_most", "exactly")},
    **{f"count_{sign}": f"{XS}, var int: value, var int: n" for sign in ("eq", "geq", "gt", "leq", "lt", "neq")},
    **{f"count_{sign}_par": f"{XS}, int: value, int: n" for sign in ("eq", "geq", "gt", "leq", "lt", "neq")},
    **{
        f"global_cardinality{closed}": f"{XS}, array [int] of int: cover, array [int] of var int: counts"
        for closed in ("", "_closed")
    },
    **{
        f"global_cardinality_low_up{closed}": f"{XS}, array [int] of int: cover, array [int] of int: low,"
        " array [int] of int: up"
        for closed in ("", "_closed")
    },
    "cumulative": "array [int] of var int: s, array [int] of var int: d, array [int] of var int: r, var int: b",
    "disjunctive": "array [int] of var int: s, array [int] of var int: d",
    "disjunctive_strict": "array [int] of var int: s, array [int] of var int: d",
    **{
        f"diffn{form}": ", ".join(f"array [int] of var int: {name}" for name in ("x", "y", "dx", "dy"))
        for form in ("", "_nonstrict")
    },
    "increasing_int": XS,
    "increasing_bool": "array [int] of var bool: xs",
    "strictly_increasing_int": XS,
    **{
        f"lex_{name}_{kind}": f"array [int] of var {kind}: xs, array [int] of var {kind}: ys"
        for name in ("less", "lesseq")
        for kind in ("int", "bool")
    },
    "bin_packing": f"int: c, array [int] of var int: bin, {SIZES}",
    "knapsack": f"{SIZES}, array [int] of int: p, array [int] of var int: x, var int: W, var int: P",
    "all_different_except": f"{XS}, set of int: S",
    "all_different_except_0": XS,
    "sliding_sum": f"int: low, int: up, int: seq, {XS}",
    "member_int": f"{XS}, var int: y",
    "nvalue": f"var int: n, {XS}",
}
INVERSE = "array [int] of var int: f, array [int] of var int: invf"
REGULAR = f"{XS}, int: Q, int: S, %s: d, int: q0, set of int: F"
TABLE = [f"array [int] of var TYPE: xs, array [{index}] of TYPE: t" for index in ("int", "int, int")]
PASSED_ON = {  # file, with the predicate of our own and the call of it
    **{
        f"table_{kind}": (
            f"predicate crosscheck_table_TYPE({TABLE[0]});\n"
            f"predicate fzn_table_TYPE({TABLE[1]}) =\n  crosscheck_table_TYPE(array1d(xs), array1d(t));\n"
        ).replace("TYPE", kind)
        for kind in ("int", "bool")
    },
    **{
        name: f"predicate crosscheck_{name}({XS}, int: first);\n"
        f"predicate fzn_{name}({XS}) =\n"
        f"  if length(xs) = 0 then true else crosscheck_{name}(array1d(xs), min(index_set(xs))) endif;\n"
        for name in ("circuit", "subcircuit")
    },
    **{
        f"bin_packing_{name}": f"predicate crosscheck_bin_packing_{name}({args}, int: first);\n"
        f"predicate fzn_bin_packing_{name}({args}) =\n"
        "  if length(c) = 0 then length(bin) = 0"
        f" else crosscheck_bin_packing_{name}(array1d(c), array1d(bin), array1d(w), min(index_set(c))) endif;\n"
        for name, args in (
            ("capa", f"array [int] of int: c, array [int] of var int: bin, {SIZES}"),
            ("load", f"array [int] of var int: c, array [int] of var int: bin, {SIZES}"),
        )
    },
    "regular": f"predicate crosscheck_regular({REGULAR % 'array [int] of int'});\n"
    f"predicate fzn_regular({REGULAR % 'array [int, int] of int'}) =\n"
    "  crosscheck_regular(array1d(xs), Q, S, array1d(d), q0, F);\n",
    "inverse": f"predicate crosscheck_inverse({INVERSE}, int: first, int: other);\n"
    f"predicate fzn_inverse({INVERSE}) =\n"
    "  if length(f) = 0 /\\ length(invf) = 0 then true else\n"
    "  crosscheck_inverse(array1d(f), array1d(invf), min(index_set(f)), min(index_set(invf))) endif;\n",
}
SOLVER = "crosscheck.msc"  # file that describes us to MiniZinc as a solver
FOLDER = "library"


def files(root: str) -> dict[str, str]:
    """Return the texts of all files by path, which MiniZinc finds below a root."""
    texts = {f"fzn_{name}": f"predicate fzn_{name}({args});\n" for name, args in DECLARED.items()}
    texts |= {f"fzn_{name}": text for name, text in PASSED_ON.items()}
    texts["redefinitions"] = 'include "nosets.mzn";\n'
    about = {
        "id": "org.crosscheck.reader",
        "name": "Crosscheck",
        "version": "1",
        "executable": f"{root}/none",  # MiniZinc wants one, though it is not run
        "mznlib": f"{root}/{FOLDER}",
        "supportsFzn": True,
    }
    return {SOLVER: json.dumps(about), **{f"{FOLDER}/{name}.mzn": text for name, text in texts.items()}}
