"""Views: pure functions from frames to tables, lines of text and the curves of figures."""
