"""One analyser for notes and queries."""
