"""What the project claims of itself, measured. Run a module: `python -m benchmarks.performance`."""
