"""The version of the program, which the distribution takes from here."""

VERSION = "0.1.0"
