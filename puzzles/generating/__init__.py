"""Seeded generator of corpora: boards, graphs, and the recipes and text of the shipped corpora."""
