"""Exports of a finding: files for other tools, scripts, suggested commands."""
