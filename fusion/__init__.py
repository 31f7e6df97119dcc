"""Run the streams, fuse their rankings, explain the result."""
