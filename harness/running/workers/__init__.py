"""A worker, its guard, its pool, its limits, and what passes between it and its parent."""
