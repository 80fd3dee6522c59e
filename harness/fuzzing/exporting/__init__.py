"""What a finding becomes: files for other tools, scripts, suggestions."""
