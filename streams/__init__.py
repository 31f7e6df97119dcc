"""The ranked streams: one module each, query to ranking."""
