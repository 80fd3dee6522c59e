"""A worker, its guard, its pool, its limits, the processes below it, and what passes between it and its parent."""
