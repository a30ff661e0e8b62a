"""Practising what went wrong in one's games: the device keeps the list, the server makes the tasks."""
