"""A server that tells how long each callback held its event loop. `bench/routes.py` starts it and asks it.

It is the product's own server on asyncio's loop: callbacks of uvloop cannot be measured from Python.
"""

import asyncio
import gc
import os
import threading
import time
from pathlib import Path

import litestar


class Watch:
    """Measures callbacks in seconds of the loop thread's processor time, without the garbage collector."""

    def __init__(self):
        self._collected = self._began = 0.0
        self._clear()

    def begin(self):
        """Measure every callback from now on."""
        run, clock = asyncio.events.Handle._run, time.thread_time

        def timed(handle):
            begun, collected = clock(), self._collected
            run(handle)
            spent = clock() - begun - (self._collected - collected)
            self._sum += spent
            if spent > self._longest:
                self._longest, self._what = spent, _name(handle)

        asyncio.events.Handle._run = timed
        gc.callbacks.append(self._collects)

    def _collects(self, phase, _info):
        if threading.current_thread() is not threading.main_thread():
            return
        if phase == "start":
            self._began = time.thread_time()
        else:
            self._collected += time.thread_time() - self._began

    def reached(self, scope):
        """Note the route of a request."""
        method = "SOCKET" if scope["type"] == "websocket" else scope.get("method")
        self._routes.append(f"{method} {scope.get('path_template')}")

    def _clear(self):
        self._routes, self._longest, self._sum, self._what = [], 0.0, 0.0, ""
        self._process = time.process_time()

    def take(self):
        """The longest callback since the last call, the sum of all, the time of other threads, the routes reached."""
        threads = max(0.0, time.process_time() - self._process - self._sum)
        found = {"longest": self._longest, "sum": self._sum, "threads": threads}
        found |= {"what": self._what, "routes": self._routes}
        self._clear()
        return found


def _name(handle):
    """The coroutine of a callback's task, or its function."""
    owner = getattr(handle._callback, "__self__", None)
    if isinstance(owner, asyncio.Task):
        return getattr(owner.get_coro(), "__qualname__", "?")
    return getattr(handle._callback, "__qualname__", "?")


def serve(line, port, folder):
    """Serve until the process is killed. `line` takes "routes", for the routing table, and "take", for the figures."""
    os.setsid()  # so that its helpers are killed with it
    watch, apps = Watch(), []
    made, called = litestar.Litestar.__init__, litestar.Litestar.__call__

    def noted(app, *given, **more):
        made(app, *given, **more)
        apps.append(app)

    async def routed(app, scope, receive, send):
        try:
            await called(app, scope, receive, send)
        finally:
            if scope["type"] != "lifespan":
                watch.reached(scope)

    litestar.Litestar.__init__, litestar.Litestar.__call__ = noted, routed
    watch.begin()

    def answer():
        while True:
            try:
                asked = line.recv()
            except EOFError:
                return
            while asked == "routes" and not apps:
                time.sleep(0.1)
            line.send(_routes(apps[0]) if asked == "routes" else watch.take())

    threading.Thread(target=answer, daemon=True).start()
    from spieltisch.web.server import serve as product  # after the constructor was wrapped

    product._loop = lambda: None
    product.serve("127.0.0.1", port, Path(folder), open_browser=False, limits=False)


def _routes(app):
    """Every route of the application, as "GET /decks"."""
    found = [(method, one.path_format) for one in app.routes for method in getattr(one, "methods", None) or {"SOCKET"}]
    return sorted(f"{method} {path}" for method, path in found if method != "OPTIONS")  # the framework answers these
