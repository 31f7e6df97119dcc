"""The version of the parser, for those who need not load it."""

# Raised when a change to parsing makes another note of the same bytes: unchanged notes are read
# again.
PARSER_VERSION = 3
