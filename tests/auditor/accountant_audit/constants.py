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


def laplace_threshold(delta_0, delta_inf, epsilon, delta):
    return delta_inf * (1 + math.log(delta_0 / (2 * delta)) / epsilon)


def takes_something_else(x):
    return x
