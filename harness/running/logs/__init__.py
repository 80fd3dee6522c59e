"""Output of programs: kept as compressed files, and numbers read out of it."""
