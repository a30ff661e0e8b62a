"""Messages to a service manager: systemd, or another one with its protocol (sd_notify(3))."""

import contextlib
import os
import socket
import time
from math import inf


class ServiceManager:
    """The service manager that started the server, or nobody if the environment names none."""

    def __init__(self) -> None:
        self._address = os.environ.get("NOTIFY_SOCKET", "")
        watched = os.environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        patience = int(os.environ.get("WATCHDOG_USEC", "0")) / 1e6 if watched else 0.0
        self.every = patience / 2 or inf  # seconds between signs of life
        self._told = 0.0

    def tell(self, state: str) -> None:
        """Send a state such as READY=1 or STOPPING=1. Errors do not stop the server."""
        if not self._address or not hasattr(socket, "AF_UNIX"):
            return
        address = f"\0{self._address[1:]}" if self._address.startswith("@") else self._address
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.sendto(state.encode(), address)

    def alive(self) -> None:
        """Send a watchdog a sign of life, as often as it expects one."""
        now = time.monotonic()
        if now - self._told >= self.every:
            self._told = now
            self.tell("WATCHDOG=1")
