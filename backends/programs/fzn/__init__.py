"""Programs that read FlatZinc, as MiniZinc's solvers do: the file that is written, and the answers."""
