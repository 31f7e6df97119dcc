"""What the project claims of itself, measured. Each module is a command: `python -m benchmarks.X`."""
