"""Work that takes too much, for a process of its own, which has to be able to import it."""

import os
import time

from spieltisch.game import Invalid


def work(kind):
    if kind == "time":
        time.sleep(60)
    if kind == "memory":
        return len(bytearray(4 * 2**30))
    if kind == "dies":
        os._exit(3)
    raise Invalid("there is no {thing}", thing=kind)


def count(n, tell):
    for number in range(1, n + 1):
        tell(number)
        time.sleep(0.01)
    return "counted"
