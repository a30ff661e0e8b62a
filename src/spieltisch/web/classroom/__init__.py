"""A class in the browser: routes, commands, views, socket, templates and styles of one feature.

What a class is and how pupils are dealt to tables stands in `spieltisch.classroom`, which knows no request.
"""
