"""Statistics of times, differences and trajectories, as pure functions of arrays: nothing here reads a journal."""
