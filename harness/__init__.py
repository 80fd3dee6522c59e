"""Plans, runs, judges, stores and reports."""
