"""Work that uses too much, in a module that another process can import."""

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
