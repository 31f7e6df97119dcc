"""How fast and how small: every target as a ratio within one run. See `__main__.py`."""
