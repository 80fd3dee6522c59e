"""Static site of many journals: facts of each, comparisons of neighbours, and pages of both (docs/reference/site.md).

Facts are kept beside the pages as JSON, so that a further journal costs its own facts, one comparison and the pages
that name it.
"""
