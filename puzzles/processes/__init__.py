"""Processes that run foreign code: their environment, and the guards above them."""
