"""Readers, one file per format: each streams puzzles from a Source. Entry point: puzzles.formats."""
