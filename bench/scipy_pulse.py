"""The fit of fits/synthetic_force_pulses.yaml done with SciPy: least_squares over solve_ivp(LSODA),
derivatives by its own differences, one run an impact, from values a tenth off.

Standard input is data/synthetic_force_pulses.csv. Prints pulse<tab>SECONDS<tab>N<tab>REMARK.
"""

import sys
import time

import numpy as np
import scipy
from scipy.integrate import solve_ivp
from scipy.optimize import least_squares

MASS, RIG, HEAD, DAMPING = 0.1, 2e8, 0.02, 200.0
W = 2 * np.pi * 2e4  # of the sensor, of order 2
PIVOT = 1.8e-4
RTOL = 1e-8


def rates(_, y, k, lam, n, p):
    z, zdot, x, v, shown, shown_rate = y
    force = max(0.0, k * z**n + lam * z**p * zdot) if z > 0 else 0.0
    felt = RIG * x + DAMPING * v
    head = (force - felt) / HEAD
    slow = W * (W * (felt - shown) - np.sqrt(2) * shown_rate)
    return zdot, -force / MASS - head, v, head, shown_rate, slow


def shown(law, speed, times):
    """What the sensor shows at times since touch, which ascend; 0 before it."""
    after = times > 0
    out = np.zeros_like(times)
    start = (0, speed, 0, 0, 0, 0)
    atol = 1e-10 * np.array([1e-4, 1, 1e-5, 1, 1e3, 1e8])
    run = solve_ivp(rates, (0, times[-1]), start, "LSODA", times[after], args=law, rtol=RTOL,
                    atol=atol)
    out[after] = run.y[4]
    return out


def main():
    lines = [line for line in sys.stdin if not line.startswith("#")][1:]
    table = np.array([[float(cell) for cell in line.split(",")] for line in lines])
    impacts = [table[table[:, 0] == i] for i in np.unique(table[:, 0])]
    first = [i[np.argmax(i[:, 3] > 0.05 * i[:, 3].max()), 2] for i in impacts]

    def residuals(theta):
        n, p = theta[2:4]
        law = (np.exp(theta[0]) / PIVOT**n, np.exp(theta[1]) / PIVOT**p, n, p)
        out = []
        for impact, begin, touch in zip(impacts, first, theta[5:]):
            times = impact[:, 2] - begin - 1e-6 * touch
            force = shown(law, impact[0, 1], times) + theta[4]
            out.append((impact[:, 3] - force) / impact[:, 4])
        return np.concatenate(out)

    begun = time.perf_counter()
    start = [np.log(1.1 * 483), np.log(0.9 * 67), 1.6, 0.55, 0, 0, 0, 0]
    fit = least_squares(residuals, start, x_scale="jac", method="lm")
    seconds = time.perf_counter() - begun
    print(f"pulse\t{seconds:.6g}\t{fit.x[2]:.9g}\t"
          f"SciPy {scipy.__version__}, LSODA, rtol {RTOL:g}, {fit.nfev} runs of all impacts, "
          f"chi^2 {2 * fit.cost:.1f}")


main()
