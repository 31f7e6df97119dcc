"""The SQLite file: schema, connections, and the records the rooms pass around."""
