"""How well the right notes are found, on judged test collections.

usage: python -m benchmarks.quality [--only NAME,NAME] [--no-model] [--fast] [--write FILE]
"""
