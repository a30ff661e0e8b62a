"""A table in the browser: its pages, what people do there, the live socket, and the JSON for programs.

How a running game looks to one viewer stands in `core.view`, since the past, classes and the home page show tables,
too.
"""
