"""Addresses as pictures."""

import functools
import io

import segno


@functools.lru_cache(64)
def qr(address: str) -> str:
    """An address as a QR code, in SVG."""
    out = io.BytesIO()
    segno.make(address, error="m").save(
        out, kind="svg", border=2, light="#fff", dark="#111", xmldecl=False, svgclass="qr", omitsize=True
    )
    return out.getvalue().decode()
