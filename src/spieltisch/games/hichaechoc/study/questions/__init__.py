"""Questions about hic – haec – hoc that are answered by letting bots play."""
