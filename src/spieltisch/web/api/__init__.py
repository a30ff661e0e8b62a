"""What programs may use, described as OpenAPI.

Never here: a page for people.
"""
