"""Responses: a page, a redirect, a file to save."""

from litestar import Response

HTML = "text/html"


def page(html: str, status: int = 200, **headers: str) -> Response[object]:
    """Return a page. Header names are given with underscores."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response(html, media_type=HTML, status_code=status, headers=named)


def redirect(address: str) -> Response[object]:
    """Return a redirect to another address of this server, after a form."""
    return Response(None, status_code=303, headers={"location": address}, media_type="text/plain")


def attachment(name: str, content: bytes, media_type: str) -> Response[object]:
    """Return a file for the browser to save. No cache keeps it."""
    headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
    return Response(content, media_type=media_type, headers=headers)
