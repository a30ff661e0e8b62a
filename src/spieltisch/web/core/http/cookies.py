"""The cookies of this server: http-only, for its own pages only, kept for some weeks."""

from litestar.datastructures import Cookie

AGE = 90 * 24 * 3600  # seconds that a browser keeps one
NAME = "spieltisch_name"  # what somebody calls themselves
LANGUAGE = "spieltisch_lang"
TRIES = "spieltisch_tries"  # sent a wrong code
TERMS = "spieltisch_terms"  # names and order of terms, with a point between them


class Cookies:
    """Makes cookies for the sub-path `base` ("" for none)."""

    def __init__(self, base: str) -> None:
        self._path = base or "/"

    def keep(self, name: str, value: str, *, secure: bool) -> Cookie:
        """A cookie with this value. `secure`: it is sent over encrypted connections only."""
        return Cookie(name, value=value, path=self._path, max_age=AGE, httponly=True, secure=secure, samesite="lax")

    def until_closed(self, name: str, value: str, *, secure: bool) -> Cookie:
        """A cookie that is gone when the browser is closed."""
        return Cookie(name, value=value, path=self._path, httponly=True, secure=secure, samesite="lax")

    def drop(self, name: str) -> Cookie:
        """A cookie that removes the one of this name."""
        return Cookie(name, value="", path=self._path, max_age=0, httponly=True, samesite="lax")
