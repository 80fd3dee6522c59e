"""Results of a journal aggregated, summarised, compared and drawn as tables."""
