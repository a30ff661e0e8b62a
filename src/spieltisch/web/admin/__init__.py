"""The host's page, and what watches the server: is it there, is it ready, how is it doing."""
