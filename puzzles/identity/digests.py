"""Digests that identify an instance, for tables: by content, by GBD's text, up to renaming."""

from typing import Any

from puzzles.problem import Instance, Problem
from puzzles.problem.content import digest_of


def instance_digest(instance: Instance[Any]) -> str:
    """Return the digest of problem and domains: that of the problem where all domains are open."""
    problem: Problem = instance.problem
    if instance.domains == problem.open:
        return problem.digest
    return digest_of([problem.digest, *map(hex, instance.domains)])


def ids_of(instance: Instance[Any]) -> tuple[str, str, str]:
    """Return the digests by content, of GBD and up to renaming; '-' where there is none. Raises BadInput, OSError."""
    from puzzles.identity.gbd import HASHED, NoHash, gbdhash
    from puzzles.identity.refinement import renamed_digest

    source, gbd = instance.source, "-"
    if source is not None and source.format in HASHED:
        try:
            gbd = gbdhash(source.path, source.format)
        except NoHash as e:
            gbd = f"- ({e})"
    return instance_digest(instance), gbd, renamed_digest(instance)
