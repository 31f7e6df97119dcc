"""A coverage-guided fuzzer over all that strangers' files and a user's typing can feed to kb.

`python -m tests.fuzz TARGET --minutes 60` runs one; `checks_*` hold what must be true of every
input, which the tests of the suite try on inputs of their own.
"""
