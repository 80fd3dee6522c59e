"""Two checkers of pseudo-Boolean proofs, of VeriPB's versions 1, 2 and 3, which share no rule.

columns   the machine: compiled loops over 64-bit numbers (`words`, `columns`, `stack`, `propagation`, `steps`),
          and the rules that pause them (`machine`, `strengthened`, `preorders`, `paused`)
exact     Python integers of any size, which also take over where 64 bits do not hold a number
"""
