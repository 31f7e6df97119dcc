"""Measure how well the right notes are found, and choose weights from what was measured."""
