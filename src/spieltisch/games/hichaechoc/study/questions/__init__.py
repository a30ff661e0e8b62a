"""Questions about hic – haec – hoc that bots answer by playing."""
