"""Findings: their files, names, exports, and suggestions from journals."""
