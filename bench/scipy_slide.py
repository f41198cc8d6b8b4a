"""What bench/motion.c times, done with SciPy's LSODA: a block on a moving plate, held by a spring,
for 60 s (Gonthier 2007, section 5.1.2, with the bristle of his eqs. 3.28-3.42), in the plane.

Prints slide<tab>SECONDS<tab>ERROR<tab>REMARK and slide-10, the same at rtol 1e-10. Standard input
has the true force of the spring [N] at times in equal steps, one a line, from 0 to the end; the
error is the largest from it. The right-hand side is as light as Python allows; slide-vectors is the
one that people write, in NumPy's vectors, at rtol 1e-6. Where energy goes rides along once, outside
the clock, to see that the energy balance closes.
"""

import math
import sys
import time

import numpy as np
import scipy
from scipy.integrate import solve_ivp

V = 0.05 * math.sqrt(0.5)  # of the plate, along x and along y
SPRING, MASS, LOAD, END = 2.0, 1.0, 10.0, 60.0
MU_S, MU_C, S0, S1, S2, V_S, DWELL = 0.15, 0.1, 1e4, math.sqrt(1e5) / 10, 0.01, 0.001, 2.0
V_E = 0.01 * V_S


def friction(vx, vy, bx, by, dwell):
    """Force, bristle's rate and dwell's at a slip v."""
    size = math.hypot(vx, vy)
    share = math.exp(-((size / V_S) ** 2))
    ratio = size / V_E
    towards = MU_C * ((1.5 - 0.5 * ratio * ratio) / V_E if ratio < 1 else 1 / size)
    part = (1 - share) / S1
    dx = share * vx + part * (towards * vx - S0 * bx)
    dy = share * vy + part * (towards * vy - S0 * by)
    qx, qy = S0 * bx + S1 * dx, S0 * by + S1 * dy
    most, q = MU_C + (MU_S - MU_C) * dwell, math.hypot(qx, qy)
    if q > most:
        qx, qy = qx * most / q, qy * most / q
        dx, dy = (qx - S0 * bx) / S1, (qy - S0 * by) / S1
    pace = 1 / DWELL if share >= dwell else S0 / S1
    return -LOAD * (qx + S2 * vx), -LOAD * (qy + S2 * vy), dx, dy, pace * (share - dwell)


def rate(_, state):
    x, y, vx, vy, bx, by, dwell = state.tolist()
    fx, fy, dx, dy, dwell = friction(vx - V, vy - V, bx, by, dwell)
    return (vx, vy, (fx - SPRING * x) / MASS, (fy - SPRING * y) / MASS, dx, dy, dwell)


PLATE = np.array([V, V])


def rate_in_vectors(_, state):
    r, v, z, dwell = state[0:2], state[2:4], state[4:6], state[6]
    slip = v - PLATE
    size = np.linalg.norm(slip)
    share = np.exp(-((size / V_S) ** 2))
    ratio = size / V_E
    towards = slip / V_E * (1.5 - 0.5 * ratio**2) if ratio < 1 else slip / size
    dz = share * slip + (1 - share) * (MU_C * towards / S1 - S0 / S1 * z)
    q = S0 * z + S1 * dz
    most = MU_C + (MU_S - MU_C) * dwell
    if np.linalg.norm(q) > most:
        q = most * q / np.linalg.norm(q)
        dz = (q - S0 * z) / S1
    pace = 1 / DWELL if share >= dwell else S0 / S1
    force = -LOAD * (q + S2 * slip)
    return np.concatenate((v, (force - SPRING * r) / MASS, dz, [pace * (share - dwell)]))


def rate_with_work(_, state):
    x, y, vx, vy, bx, by, dwell = state.tolist()[:7]
    fx, fy, dx, dy, dwell = friction(vx - V, vy - V, bx, by, dwell)
    lost = -fx * (vx - V) - fy * (vy - V) - LOAD * S0 * (bx * dx + by * dy)
    return (vx, vy, (fx - SPRING * x) / MASS, (fy - SPRING * y) / MASS, dx, dy, dwell, lost,
            V * (fx + fy))


START = [0.0, 0.0, V, V, 0.0, 0.0, 1.0]


def run(rtol, right=rate, **more):
    return solve_ivp(right, (0, END), START, method="LSODA", rtol=rtol, atol=rtol * 1e-3, **more)


def report(key, rtol, truth, least, right=rate):
    best, spent, n = math.inf, 0.0, 0
    while spent < least or n < 2:
        begin = time.perf_counter()
        done = run(rtol, right)
        once = time.perf_counter() - begin
        best, spent, n = min(best, once), spent + once, n + 1
    times = np.linspace(0, END, len(truth))
    place = run(rtol, right, t_eval=times).y
    error = np.max(np.abs(SPRING * np.hypot(place[0], place[1]) - truth))
    balance = solve_ivp(rate_with_work, (0, END), START + [0.0, 0.0], method="LSODA", rtol=rtol,
                      atol=rtol * 1e-3).y[:, -1]
    spring, moving, bristle = (sum(balance[i : i + 2] ** 2) for i in (0, 2, 4))
    now = 0.5 * (MASS * moving + SPRING * spring + LOAD * S0 * bristle)
    residual = (now + balance[7] - balance[8] - MASS * V**2) / (2 * abs(balance[8]))
    print(f"{key}\t{best:.9g}\t{error:.9g}\tSciPy {scipy.__version__}, LSODA at rtol {rtol:.0e}: "
          f"{done.t.size - 1} steps, energy residual {abs(residual):.0e}")


def main():
    truth = np.array([float(x) for x in sys.stdin])
    report("slide-6", 1e-6, truth, 0.5)
    report("slide-vectors", 1e-6, truth, 0.5, rate_in_vectors)
    report("slide-10", 1e-10, truth, 0.5)


main()
