"""Options of clingo that take a value and change the search or the preprocessing, as on its command line.

Values with commas are left to `--configuration`, which names a set of options.
"""

from backends.contract.options import Option

OPTIONS = (
    Option("--configuration", "text", ("auto", "frumpy", "jumpy", "tweety", "handy", "crafty", "trendy")),
    Option("--contraction", "int", least=0, most=10**6),
    Option("--counter-restarts", "int", least=0, most=10**6),
    Option("--del-estimate", "int", (0, 1, 2, 3)),
    Option("--del-glue", "int", tuple(range(16))),
    Option("--del-init", "float", least=0.001, most=10**6),
    Option("--deletion", "text", ("no", "basic", "sort", "ipSort", "ipHeap")),
    Option("--enum-mode", "text", ("auto", "bt", "record")),
    Option("--eq", "int", least=-1, most=10**6),
    Option("--heuristic", "text", ("Berkmin", "Vmtf", "Vsids", "Domain", "Unit", "None")),
    Option("--init-watches", "text", ("rnd", "first", "least")),
    Option("--lookahead", "text", ("no", "atom", "body", "hybrid")),
    Option("--loops", "text", ("common", "distinct", "shared", "no")),
    Option("--opt-heuristic", "text", ("0", "1", "2", "3")),
    Option("--opt-strategy", "text", ("bb", "usc")),
    Option("--opt-usc-shrink", "text", ("0", "lin", "inv", "bin", "rgs", "exp", "min")),
    Option("--otfs", "int", (0, 1, 2)),
    Option("--parallel-mode", "int", least=1, most=64),
    Option("--partial-check", "int", least=0, most=100),
    Option("--rand-freq", "float", least=0, most=1),
    Option("--rand-prob", "int", least=0, most=10**6),
    Option("--reset-restarts", "text", ("no", "repeat", "disable")),
    Option("--reverse-arcs", "int", (0, 1, 2, 3)),
    Option("--sat-prepro", "text", ("no", "1", "2", "3")),
    Option("--save-progress", "int", least=0, most=10**6),
    Option("--score-other", "text", ("auto", "no", "loop", "all")),
    Option("--score-res", "text", ("auto", "min", "set", "multiset")),
    Option("--seed", "int", least=0, most=2**32 - 1),
    Option("--share", "text", ("no", "auto", "problem", "learnt", "all")),
    Option("--sign-def", "text", ("asp", "pos", "neg", "rnd")),
    Option("--strengthen", "text", ("no", "local", "recursive")),
    Option("--trans-ext", "text", ("no", "all", "choice", "card", "weight", "scc", "integ", "dynamic")),
    Option("--update-lbd", "text", ("no", "less", "glucose", "pseudo")),
    Option("--update-mode", "text", ("propagate", "conflict")),
)
