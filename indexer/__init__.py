"""Walk a vault, parse its notes, and write the index."""
