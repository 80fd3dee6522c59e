"""The words that all other rooms speak: contenders, outcomes, settings, hosts, errors."""
