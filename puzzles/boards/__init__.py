"""Boards: layouts and their families, boards with cages or sums, and how they are drawn."""
