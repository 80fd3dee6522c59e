"""Solvers behind one protocol: a formula and a question go in, an answer comes out."""
