"""Parameters of python-sat's solvers, which its `configure` sets: options of our backends.

CaDiCaL ignores unknown names and cuts values to their bounds without a word, so both are stated here, from its
`options.hpp`. Names and values of Ergo and Glucose 4.2.1 are those of python-sat's documentation.
"""

from backends.contract.options import LARGEST_INT, Option

SWITCHES = """
block bump bumpreason compact condition cover decompose elim forcephase inprocessing instantiate lucky minimize phase
probe reduce rephase restart reverse score shuffle stabilize stabilizeonly subsume ternary transred vivify walk
"""
CADICAL = (
    *(Option(name, "int", (0, 1)) for name in SWITCHES.split()),
    Option("chrono", "int", (0, 1, 2)),
    Option("elimrounds", "int", least=1, most=512),
    Option("reduceint", "int", least=10, most=10**6),
    Option("reducetarget", "int", least=10, most=100),
    Option("rephaseint", "int", least=1, most=2 * 10**9),
    Option("restartint", "int", least=1, most=2 * 10**9),
    Option("restartmargin", "int", least=0, most=100),
    Option("seed", "int", least=0, most=2 * 10**9),
    Option("shrink", "int", (0, 1, 2, 3)),
    Option("target", "int", (0, 1, 2)),
)
GLUCOSE42 = (
    Option("rnd-seed", "int", least=1, most=LARGEST_INT),
    Option("rnd-freq", "float", least=0, most=1),
    Option("rnd-init-act", "bool"),
    Option("rnd-pol", "bool"),
    Option("rnd-first-descent", "bool"),
)
ERGO = (
    Option("emulate", "text", ("m2.0", "m2.2", "g3", "g4.2")),
    Option("cla-decay", "float", least=0.001, most=1),
    Option("var-decay", "float", least=0.001, most=1),
    Option("restart-policy", "text", ("geom", "luby", "arif", "gluc")),
    Option("restart-first", "int", least=1, most=LARGEST_INT),
    Option("restart-inc", "float", least=1),
    Option("min-learnts", "int", least=0, most=LARGEST_INT),
    Option("ccmin-mode", "int", (0, 1, 2)),
    Option("phase-saving", "int", (0, 1, 2)),
    Option("jw-mode", "text", ("none", "act", "pol-soft", "pol-hard", "full-soft", "full-hard")),
    Option("keep-bin", "bool"),
    Option("lcm", "bool"),
    Option("reducedb-policy", "text", ("standard", "aggressive")),
    Option("reduce-by", "float", least=0, most=1),
    Option("glucose-bump", "bool"),
)
OPTIONS = {
    **dict.fromkeys(("cadical153", "cadical195", "cadical300"), CADICAL),
    "glucose42": GLUCOSE42,
    "ergo": ERGO,
}
