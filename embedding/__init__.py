"""Find, verify and run an embedding model."""
