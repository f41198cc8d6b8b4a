"""What bench.c times, done with SciPy: lines KEY<tab>SECONDS<tab>VALUE<tab>REMARK.

One impact of `azad-featherstone`, scaled: z'' = -(z^1.5 + beta z^0.5 z'), z(0) = 0, z'(0) = 1, until
the force is zero again. The right-hand side is as light as Python allows, and of SciPy's
integrators the fastest is shown. The damper's work rides along once, outside the clock, to see that
the energy balance closes.
"""

import math
import sys

import numpy as np
import scipy
from scipy.integrate import solve_ivp
from scipy.optimize import least_squares

from timing import timed

RTOL = 1e-8
MASS, K = 0.4536, 1.2e7


def impact(beta, method, work=False):
    """Restitution and energy residual of one scaled impact."""

    def rate(_, y):
        z, u = y[0], y[1]
        root = math.sqrt(z) if z > 0 else 0.0
        force = root * (z + beta * u)
        return (u, -force, beta * root * u * u) if work else (u, -force)

    def force_zero(_, y):
        return y[0] + beta * y[1]

    force_zero.terminal = True
    force_zero.direction = -1
    start = [0.0, 1.0, 0.0] if work else [0.0, 1.0]
    run = solve_ivp(rate, (0, 20), start, method=method, rtol=RTOL, atol=1e-10, events=force_zero)
    end = run.y_events[0][0]
    residual = math.nan
    if work:
        residual = 1 - end[1] ** 2 - 0.8 * end[0] ** 2.5 - 2 * end[2]
    return -end[1], residual


def beta_of(lam, speed):
    return lam * speed**0.2 / (K**0.6 * MASS**0.4)


def main():
    beta = float(sys.argv[1])
    lam_true = float(sys.argv[2])
    speed = np.array([float(x) for x in sys.argv[3].split(",")])
    e = np.array([float(x) for x in sys.argv[4].split(",")])
    sigma = float(sys.argv[5])

    methods = ("RK45", "DOP853", "LSODA")
    seconds = {m: timed(lambda m=m: impact(beta, m)) for m in methods}
    method = min(seconds, key=seconds.get)
    value, residual = impact(beta, method, work=True)
    remark = f"SciPy {scipy.__version__}, {method}, energy residual {residual:.0e}"
    print(f"impact\t{seconds[method]:.9g}\t{value:.15g}\t{remark}")

    def residuals(theta):
        lam = math.exp(theta[0])
        return [(impact(beta_of(lam, v), method)[0] - x) / sigma for v, x in zip(speed, e)]

    fit = None

    def run():
        nonlocal fit
        fit = least_squares(residuals, [math.log(lam_true * 3)])

    once = timed(run, 0)
    print(f"fit\t{once:.9g}\t{math.exp(fit.x[0]):.9g}\tleast_squares, {fit.nfev} steps")


main()
