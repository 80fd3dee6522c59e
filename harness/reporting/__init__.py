"""Aggregate, summarise and compare the results of journals, and format them as tables."""
