"""Results of others, read from files into a journal of instances that are known by name alone."""
