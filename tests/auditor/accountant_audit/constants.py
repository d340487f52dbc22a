"""Accountants that compute nothing, and so start at once: constants, a hang, a death, other parameters."""

# ruff: noqa: D103 - the names say what each does

import math
import os
import time


def zero(epsilon, mu):
    return 0.0


def one(epsilon, mu):
    return 1.0


def infinite(epsilon, mu):
    return math.inf


def hangs(epsilon, mu):
    time.sleep(1000)


def dies(epsilon, mu):
    os._exit(1)


def takes_something_else(x):
    return x
