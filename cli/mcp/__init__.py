"""The Model Context Protocol server: the same answers for agents, as one more front end."""
