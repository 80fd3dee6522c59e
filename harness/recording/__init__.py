"""Recording of query scripts: `record` runs a program whose solvers write what they are asked."""
