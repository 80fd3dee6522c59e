"""Search for wrong answers, shrink failing cases, replay them: `fuzz`, `shrink`, `replay`."""
