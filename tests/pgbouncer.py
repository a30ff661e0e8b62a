"""A real PgBouncer for tests, in front of a cluster; by a socket in its folder, or by TCP at its address."""

import socket
import subprocess
import time

import postgres
from ports import free_port
from servers.proxies import FOUND

NEEDED = "needs PgBouncer (Debian: apt install pgbouncer)"
# After a failed login it admits nobody for 15 seconds by default: docs/hosting.md.
SETTINGS = """
[databases]
* = host={cluster.folder}
[pgbouncer]
listen_addr = {cluster.address}
listen_port = {port}
unix_socket_dir = {cluster.folder}
auth_type = trust
auth_file = {cluster.folder}/users
pool_mode = {mode}
default_pool_size = 90
server_login_retry = 1
ignore_startup_parameters = extra_float_digits,options
logfile = {cluster.folder}/pooler.log
"""


def program():
    """The program; None if it is missing."""
    return FOUND["pgbouncer"]


class PgBouncer:
    """One pooler. It can be killed, and started again at the same address."""

    def __init__(self, cluster, mode="session"):
        self.cluster, self.port = cluster, free_port()
        self.socket = cluster.folder / f".s.PGSQL.{self.port}"
        self._settings, users = cluster.folder / "pooler.ini", cluster.folder / "users"
        users.write_text(f'"{cluster.user}" ""\n')
        self._settings.write_text(SETTINGS.format(cluster=cluster, port=self.port, mode=mode))
        for file in (users, self._settings):
            file.chmod(0o644)  # it runs as another user, and the server's command has narrowed the umask
        self.start()

    @property
    def address(self):
        """The database's address through the pooler."""
        return f"postgresql://{self.cluster.user}@/postgres?host={self.cluster.folder}&port={self.port}"

    def start(self):
        self.socket.unlink(missing_ok=True)
        said = self.cluster.folder / "pooler.said"
        with said.open("wb") as told:
            self._process = subprocess.Popen(
                [program(), "-q", self._settings], cwd=self.cluster.folder,
                stdout=subprocess.DEVNULL, stderr=told, **postgres._owner(),
            )  # fmt: skip
        deadline = time.monotonic() + 60
        with socket.socket(socket.AF_UNIX) as line:
            while line.connect_ex(str(self.socket)):
                assert self._process.poll() is None, said.read_text()
                assert time.monotonic() < deadline
                time.sleep(0.02)

    def kill(self):
        self._process.kill()
        self._process.wait()

    def close(self):
        self.kill()
