"""Cookies of this server: http-only, for its own pages, kept for 90 days."""

from litestar.datastructures import Cookie

AGE = 90 * 24 * 3600  # seconds
NAME = "spieltisch_name"  # the name a person plays under
LANGUAGE = "spieltisch_lang"
TRIES = "spieltisch_tries"  # sent a wrong code
TERMS = "spieltisch_terms"  # grammar terms and case order, separated by a dot


class Cookies:
    """Makes cookies for the sub-path `base` ("" for none)."""

    def __init__(self, base: str) -> None:
        self._path = base or "/"

    def keep(self, name: str, value: str, *, secure: bool) -> Cookie:
        """Return a cookie with this value. `secure`: browsers send it over encrypted connections only."""
        return Cookie(name, value=value, path=self._path, max_age=AGE, httponly=True, secure=secure, samesite="lax")

    def until_closed(self, name: str, value: str, *, secure: bool) -> Cookie:
        """Return a cookie that browsers forget when they close."""
        return Cookie(name, value=value, path=self._path, httponly=True, secure=secure, samesite="lax")

    def drop(self, name: str) -> Cookie:
        """Return a cookie that removes the one of this name."""
        return Cookie(name, value="", path=self._path, max_age=0, httponly=True, samesite="lax")
