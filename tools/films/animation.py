"""Joins pictures of one size to an animated WebP: https://developers.google.com/speed/webp/docs/riff_container

Each picture after the first has only the rectangle that changed. The browser encodes them.
"""

import struct
from collections.abc import Iterable
from typing import NamedTuple

FOREVER = 0


class Frame(NamedTuple):
    """A lossy WebP file, its position (even numbers), and its duration in ms."""

    webp: bytes
    x: int
    y: int
    width: int
    height: int
    ms: int


def chunk(name: bytes, body: bytes) -> bytes:
    return name + struct.pack("<I", len(body)) + body + b"\0" * (len(body) % 2)


def three(number: int) -> bytes:
    return struct.pack("<I", number)[:3]


def image(webp: bytes) -> bytes:
    """The chunk with the picture of a still file, without the container that a browser adds."""
    at = 12
    while at < len(webp):
        name, size = webp[at : at + 4], struct.unpack("<I", webp[at + 4 : at + 8])[0]
        if name == b"VP8 ":
            return webp[at : at + 8 + size + size % 2]
        at += 8 + size + size % 2
    raise ValueError("no lossy picture in it")


def animated(frames: Iterable[Frame], width: int, height: int) -> bytes:
    """The animation, in an endless loop."""
    body = chunk(b"VP8X", b"\x02\0\0\0" + three(width - 1) + three(height - 1))
    body += chunk(b"ANIM", b"\0\0\0\0" + struct.pack("<H", FOREVER))
    for one in frames:
        place = three(one.x // 2) + three(one.y // 2) + three(one.width - 1) + three(one.height - 1)
        body += chunk(b"ANMF", place + three(one.ms) + b"\x02" + image(one.webp))  # painted over the last frame
    return b"RIFF" + struct.pack("<I", len(body) + 4) + b"WEBP" + body
