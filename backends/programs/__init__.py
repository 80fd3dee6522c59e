"""External programs as backends: processes, the protocols of the competitions, sessions."""
