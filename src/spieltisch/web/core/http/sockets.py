"""What all sockets of pages share: the codes with which they close, and how they slow down on a busy server."""

UNREADABLE, NO_TABLE = 4400, 4404  # close codes: the page sent nonsense; there is nothing (any more) to look at
BEHIND = 64  # a page waits this many times the server's lag before it is drawn again
