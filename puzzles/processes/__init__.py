"""Processes that run foreign code: their environment, the guards above them, what they started."""
