"""Readers of boards: each streams puzzles from a Source, or translates to lines of boards."""
