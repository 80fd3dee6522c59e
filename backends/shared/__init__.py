"""Parts that several backends share: enumeration, maps of literals, rows of zero-one programmes."""
