"""What bounce.c times, done with SciPy: lines KEY<tab>SECONDS<tab>VALUE<tab>REMARK, the value being
the mean of the predicted ratios of intervals.

`bounce`: a force law, each contact integrated; the impact before an interval is solved for, because
the interval is its contact time and the flight behind it. `bounces`: an e(v) by NumPy's vectors.
Derivatives are not computed here.
"""

import math

import numpy as np
import scipy
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from timing import timed

G, M, K, LAMBDA = 9.80665, 0.0415, 2e8, 2000.0
STAMPS, FIRST, LOSS, THROWS = 12, 4.0, 0.86, 10000
RTOL = 1e-8


def rate(_, y):
    z, u = y[0], y[1]
    root = math.sqrt(z) if z > 0 else 0.0
    return (u, -root * (K * z + LAMBDA * u) / M)


def ended(_, y):
    return K * y[0] + LAMBDA * y[1]


ended.terminal = True
ended.direction = -1


def impact(v, method):
    """Rebound speed and contact time."""
    depth = (1.25 * M * v * v / K) ** 0.4
    run = solve_ivp(rate, (0, 20 * depth / v), [0.0, v], method=method, rtol=RTOL,
                    atol=[RTOL * depth, RTOL * v], events=ended)
    return -run.y_events[0][0][1], run.t_events[0][0]


def after(v, method):
    """Rebound speed, and the interval from this impact to the next."""
    u, contact = impact(v, method)
    return u, contact + 2 * u / G


def ratios(intervals, method):
    out = []
    for length in intervals:
        guess = length * G / 2
        before = brentq(lambda v: after(v, method)[1] - length, guess, 1.5 * guess, xtol=1e-9 * guess)
        out.append(after(after(before, method)[0], method)[1] / length)
    return np.mean(out)


def by_vectors(lengths):
    v = G / 2 * lengths
    return np.mean((0.9 - 0.02 * np.log(v)) * v * 2 / G / lengths)


one = 2 * FIRST / G * LOSS ** np.arange(1, STAMPS - 1)
times = {m: timed(lambda m=m: ratios(one, m)) for m in ("RK45", "DOP853", "LSODA")}
method = min(times, key=times.get)
print("bounce\t%.9g\t%.15g\tSciPy %s, %s at rtol %g, without derivatives" % (
    times[method], ratios(one, method), scipy.__version__, method, RTOL))
many = np.tile(one, THROWS)
print("bounces\t%.9g\t%.15g\tNumPy %s, without derivatives" % (
    timed(lambda: by_vectors(many)), by_vectors(many), np.__version__))
