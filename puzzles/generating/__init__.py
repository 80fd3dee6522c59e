"""Corpora made by a seeded generator: boards, graphs, recipes of the corpora that ship, and their files."""
