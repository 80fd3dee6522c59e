"""Solvers behind one protocol: a session is opened on a formula and answers one Ask per puzzle."""
