"""nginx and Caddy, configured as in docs/hosting.md, in front of a server on this machine, with a certificate."""

import contextlib
import os
import re
import shutil
import socket
import subprocess
import time
from pathlib import Path

PAGE = (Path(__file__).parents[2] / "docs" / "hosting.md").read_text(encoding="utf-8")
FOUND = {
    name: shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin")
    for name in ("nginx", "caddy", "openssl", "pgbouncer")
}
NGINX = """
pid {folder}/nginx.pid;
error_log {folder}/error.log;
daemon off;
worker_processes 1;
{user}
events {{ worker_connections 64; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/f;
    uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
{servers}
}}
"""
CADDY = """
{{
    admin off
    auto_https disable_redirects
}}
{sites}
"""


def block(language):
    """The page's only block in this language."""
    (found,) = re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    return found


def options():
    """The page's file with the options."""
    (found,) = re.findall(r"<!-- file: spieltisch.toml -->\n```toml\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    return found


def certificate(folder):
    """A self-signed certificate for localhost."""
    subprocess.run(
        [FOUND["openssl"], "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost", "-keyout", folder / "key.pem", "-out", folder / "cert.pem"],
        check=True, capture_output=True,
    )  # fmt: skip
    return folder / "cert.pem"


def nginx(folder, outer, inner, text=None):
    text = (text or block("nginx")).replace("listen 443", f"listen 127.0.0.1:{outer}").replace(":8000", f":{inner}")
    text = text.replace("/etc/ssl/tisch.example.pem", f"{folder}/cert.pem")
    text = text.replace("/etc/ssl/tisch.example.key", f"{folder}/key.pem")
    user = "user root;" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(NGINX.format(folder=folder, user=user, servers=text))
    return [FOUND["nginx"], "-c", folder / "nginx.conf", "-p", folder]


def caddy(folder, outer, inner, text=None):
    text = (text or block("caddy")).replace("reverse_proxy 127.0.0.1:8000", f"reverse_proxy 127.0.0.1:{inner}")
    text = text.replace("tisch.example {", f"https://localhost:{outer} {{\n    tls {folder}/cert.pem {folder}/key.pem")
    (folder / "Caddyfile").write_text(CADDY.format(sites=text))
    return [FOUND["caddy"], "run", "--config", folder / "Caddyfile", "--adapter", "caddyfile"]


PROXIES = {"nginx": nginx, "caddy": caddy}


@contextlib.contextmanager
def running(command, outer, folder):
    """Run the proxy, and yield once it accepts connections."""
    env = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with (folder / "proxy.log").open("wb") as log:
        process = subprocess.Popen(command, env=env, stdout=log, stderr=log)
        try:
            for _ in range(1200):
                with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", outer), 1):
                    break
                assert process.poll() is None, (folder / "proxy.log").read_text()
                time.sleep(0.05)
            yield
        finally:
            process.terminate()
            process.wait(60)
