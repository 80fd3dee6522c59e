"""A worker, its guard, its pool, its limits, the processes below it, and the data between it and its parent."""
