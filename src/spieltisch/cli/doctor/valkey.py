"""Checks a Valkey or Redis through which servers tell each other of moves: `spieltisch doctor --wake`.

It changes nothing, and sends one message to a channel that nobody else hears.
"""

import secrets
import time
from collections.abc import Generator
from contextlib import closing
from typing import Any

from spieltisch.cli.doctor.findings import Finding
from spieltisch.cli.output import _, reason
from spieltisch.cluster.notify import SOON, no_address
from spieltisch.extras import needed

with needed():
    import redis
    from redis.backoff import NoBackoff
    from redis.retry import Retry

FULL = 0.9  # share of its memory limit


def look_over(address: str) -> Generator[Finding]:
    """Check the Valkey or Redis at this address, even while servers use it. Passwords are not shown."""
    try:
        client = redis.Redis.from_url(
            address, socket_timeout=SOON, socket_connect_timeout=SOON, decode_responses=True,
            retry=Retry(NoBackoff(), 0),
        )  # fmt: skip
    except ValueError:  # its text may contain the address
        yield Finding("bad", f"{reason(no_address())}.")
        return
    with closing(client):
        try:
            client.ping()
            yield _hints(client)
            yield _memory(client.info())
        except redis.AuthenticationError:
            yield Finding("bad", _("Valkey rejects this name and password. Check the address given with --wake."))
        except redis.ResponseError as error:
            yield Finding("bad", _("Valkey refuses commands that the servers need: {error}", error=_line(error)))
        except (redis.RedisError, OSError) as error:
            yield Finding("bad", _(
                "Valkey does not answer: {error}. Until it does, each server looks for changes only every two seconds.",
                error=_line(error),
            ))  # fmt: skip


def _line(error: Exception) -> str:
    return " ".join(str(error).split()).rstrip(".")[:200] or type(error).__name__


def _hints(client: "redis.Redis") -> Finding:
    """Whether a message from one connection reaches another."""
    channel = f"spieltisch {secrets.token_hex(8)}"
    with closing(client.pubsub(ignore_subscribe_messages=True)) as ear:
        ear.subscribe(channel)
        deadline, sent = time.monotonic() + SOON, False
        while (left := deadline - time.monotonic()) > 0:
            if ear.get_message(timeout=min(left, 0.1)) is not None:
                return Finding("good", _("Servers notify each other at once through Valkey."))
            if ear.subscribed and not sent:
                client.publish(channel, "")
                sent = True
    return Finding(
        "bad", _("Messages through Valkey get lost, so each server looks for changes only every two seconds.")
    )


def _memory(said: Any) -> Finding:
    """How full it is, and what it does when it is full."""
    version = said.get("valkey_version") or said.get("redis_version", "?")
    most, used = said.get("maxmemory") or 0, said.get("used_memory", 0)
    policy = said.get("maxmemory_policy", "?")
    told = {"version": version, "used": f"{used / 1e6:.1f}", "most": f"{most / 1e6:.1f}", "policy": policy}
    if not most:
        return Finding("good", _("Valkey {version} uses {used} MB, without a limit.", **told))
    if used > FULL * most:
        return Finding("odd", _(
            "Valkey {version} is full ({used} of {most} MB, maxmemory-policy {policy}). Notifications still get"
            " through, but other programs’ data may be refused or dropped.", **told
        ))  # fmt: skip
    return Finding("good", _("Valkey {version} uses {used} of {most} MB (maxmemory-policy {policy}).", **told))
