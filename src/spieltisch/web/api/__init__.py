"""What programs use: JSON below `/api`, described as OpenAPI by the framework.

Never here: a page for people.
"""
