"""Open pages: a socket each, over which pictures go out and forms come in.

Never here: a page as a whole, a rule of who may do what.
"""
