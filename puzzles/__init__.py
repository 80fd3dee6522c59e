"""Boards, puzzles and corpora: what is to be solved, and the judge of a solution."""
