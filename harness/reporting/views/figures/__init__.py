"""Curves of figures: what plots, the page and tables take them from."""
