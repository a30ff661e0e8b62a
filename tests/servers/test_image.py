"""`deploy/Containerfile`, built by buildah upon a root from Debian's mirror, and run as an engine would run it.

No registry is asked and no engine is needed: bubblewrap runs what was built, with a root that cannot be written, one
volume and the user of the image. It takes minutes and needs root and the network: `pytest -m whole` runs it.
"""

import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import httpx
import pytest

from ports import free_port
from servers import machines
from spieltisch import paths

ROOT = Path(__file__).parents[2]
BASE = "docker.io/library/debian:trixie-slim"
MOST = 200  # megabytes

pytestmark = machines.needs("buildah", "mmdebstrap", "bwrap", "setpriv")


def storage(folder):
    return ["buildah", "--storage-driver", "vfs", "--root", folder / "store", "--runroot", folder / "run"]


def said(*words):
    done = subprocess.run(words, check=False, stdout=subprocess.PIPE, text=True)
    assert done.returncode == 0, f"{words}\n{done.stdout}"
    return done.stdout.strip()


def base(folder):
    """An image instead of Debian's own, so that nothing is pulled."""
    archive = machines.debootstrap(folder / "base.tar")
    buildah = storage(folder)
    container = said(*buildah, "from", "scratch")
    said(*buildah, "add", "--quiet", container, archive, "/")
    said(*buildah, "commit", "--quiet", "--rm", container, BASE)


@pytest.fixture(scope="module")
def image():
    """The unpacked root of the image, and what the image says of itself."""
    with machines.open_folder() as folder:
        yield built(folder)
        for words in (("rm", "--all"), ("rmi", "--all", "--force")):
            said(*storage(folder), *words)


def built(folder):
    base(folder)
    buildah = storage(folder)
    words = [
        "--pull-never",
        "--isolation",
        "chroot",
        "--format",
        "docker",
        "--build-arg",
        "SPIELTISCH_VERSION=0.3.0.dev1",
    ]
    lent = {"/etc/ssl/certs/ca-certificates.crt": "/mnt/lent.crt", folder / "pip.conf": "/etc/pip.conf"}
    (folder / "pip.conf").write_text("[global]\ncert = /mnt/lent.crt\n")  # an index of this machine's may have its own
    certificates = [word for here, there in lent.items() for word in ("--volume", f"{here}:{there}:ro")]
    said(
        *buildah, "bud", *words, *certificates, "--file", ROOT / "deploy" / "Containerfile", "--tag", "spieltisch", ROOT
    )
    config = json.loads(said(*buildah, "inspect", "--type", "image", "spieltisch"))["Docker"]["config"]
    container = said(*buildah, "from", "--pull-never", "spieltisch")
    root = folder / "root"
    mounted = said(*buildah, "mount", container)
    devices = os.path.join(mounted, "dev")  # noqa: PTH118 - as copytree names it; reading /dev/full never ends
    shutil.copytree(mounted, root, symlinks=True, ignore=lambda folder, names: names if folder == devices else ())
    return root, config


def inside(root, config, volume, command):
    """The words that run a command in the image: its root cannot be written, all but its volume is gone afterwards."""
    user, group = (root / "etc/passwd").read_text().split(f"\n{config['User']}:x:")[1].split(":")[:2]
    (place,) = config["Volumes"]
    env = [word for one in config["Env"] for word in ("--setenv", *one.split("=", 1))]
    return machines.inside(
        int(user), int(group), *env, "--ro-bind", str(root), "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp",
        "--bind", str(volume), place, *command,
    )  # fmt: skip


def test_the_image_is_small_has_no_compiler_and_is_not_for_root(image):
    root, config = image
    used = int(said("du", "--summarize", "--block-size=1MB", root).split()[0])
    assert used <= MOST
    assert config["User"] not in {"", "0", "root"}
    assert not [*root.glob("usr/bin/*gcc*"), *root.glob("usr/bin/pip*"), *root.glob("opt/spieltisch/bin/pip*")]
    assert not (root / "source").exists()


@pytest.fixture
def volume():
    with machines.open_folder() as folder:
        shutil.chown(folder, 10001, 10001)
        yield folder


def test_the_image_serves_with_a_root_that_cannot_be_written(image, volume):
    root, config = image
    port = str(free_port())
    serve, (kind, *check) = [*config["Entrypoint"], *config["Cmd"]], config["Healthcheck"]["Test"]
    words, healthy = (
        inside(root, config, volume, [word.replace("8000", port) for word in command]) for command in (serve, check)
    )
    assert kind == "CMD"
    assert subprocess.run(healthy, check=False, capture_output=True).returncode != 0
    codes, origin = [], f"http://127.0.0.1:{port}"
    for _ in range(2):  # what was written lies in the volume
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as server:
            try:
                deadline = time.monotonic() + 60
                while subprocess.run(healthy, check=False, capture_output=True).returncode:
                    assert server.poll() is None, server.stdout.read().decode()
                    assert time.monotonic() < deadline
                    time.sleep(0.2)
                with httpx.Client(base_url=origin, timeout=30) as ada:
                    if not codes:
                        sent = ada.post("/play", data={"game": "adaman"}, headers={"origin": origin})
                        codes.append(sent.headers["location"])
                    assert ada.get(codes[0]).status_code == 200
            finally:
                server.send_signal(signal.SIGTERM)
                server.wait(60)
    assert {file.name for file in volume.iterdir()} >= {paths.SECRET, paths.TABLES}
