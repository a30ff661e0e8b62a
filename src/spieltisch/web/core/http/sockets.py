"""Shared by all page sockets: close codes, and how they slow down on a busy server."""

UNREADABLE, NO_TABLE = 4400, 4404  # close codes: the page sent nonsense; the table does not exist (any more)
BEHIND = 64  # a page waits this many times the server's lag before it is drawn again
