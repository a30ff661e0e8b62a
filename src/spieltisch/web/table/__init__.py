"""A table in the browser: its pages, what people do there, the live socket, and the JSON for programs.

How a running game looks to one viewer stands in `view`, which the past and classes need, too.
"""
