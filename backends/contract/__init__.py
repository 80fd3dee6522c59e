"""The contract between backends and their callers: asks and answers, options, the registry, conformance."""
