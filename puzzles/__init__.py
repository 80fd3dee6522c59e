"""Problems, boards, puzzles and corpora, and the independent check of a solution."""
