"""The fit of bench/stick_slip.yaml done with SciPy: least_squares over solve_ivp(LSODA), or over
odeint, of a block that sticks and slips on a plate under the bristle of Gonthier 2007, 3.28-3.42.
Rows are cut at troughs of the force; time and force of each are unknowns with the priors that
contactfit has. Derivatives are differences, taken cleverly: a trough moves its own rows alone, so
that all of one kind are shifted at once, and a Jacobian takes seven runs of the record in all.

Arguments are pairs of a plate's speed [mm/s] and a record. Prints stick-slip<tab>SECONDS<tab>TAU_DW
<tab>REMARK, and stick-slip-odeint<tab>... .
"""

import math
import sys
import time

import numpy as np
import scipy
from scipy.integrate import odeint, solve_ivp
from scipy.optimize import least_squares

LOAD, MASS, SPRING = 10.0, 1.0, 50.0
S0, S1, S2 = 1e4, 30.0, 0.1
RATE, COSINE, SINE = 1.7, 0.003, 0.004  # of the plate's ripple
NOISE = 0.015
TIME_SD = 0.05 * 2 * math.pi * math.sqrt(MASS / SPRING)
FORCE_SD = 0.05  # of the force's range
RTOL = 1e-9  # chi^2 is contactfit's then; at 1e-8 0.7 too high by LSODA, at 1e-6 570


def plate(speed, t):
    w = 2 * math.pi * RATE
    c, s = math.cos(w * t), math.sin(w * t)
    return (speed * (1 + COSINE * c + SINE * s), speed * w * (SINE * c - COSINE * s))


def friction(v, z, dwell, mu_s, mu_c, v_s, tau):
    """Coefficient, and the rates of bristle and dwell."""
    size = abs(v)
    share = math.exp(-((size / v_s) ** 2))
    ratio = size / (0.01 * v_s)
    towards = mu_c * v * ((1.5 - 0.5 * ratio * ratio) / (0.01 * v_s) if ratio < 1 else 1 / size)
    dz = share * v + (1 - share) / S1 * (towards - S0 * z)
    q = S0 * z + S1 * dz
    most = mu_c + (mu_s - mu_c) * dwell
    if abs(q) > most:
        q = math.copysign(most, q)
        dz = (q - S0 * z) / S1
    pace = 1 / tau if share >= dwell else S0 / S1
    return q + S2 * v, dz, pace * (share - dwell)


def cycle(theta, speed, times, trough_s, trough_n, by_odeint):
    """The spring's force at times, from a trough on."""
    mu_s, mu_c, v_s, tau = np.exp(theta)
    v0 = plate(speed, trough_s)[0]
    start = [mu_c / S0, math.exp(-((v0 / v_s) ** 2)), trough_n / SPRING, v0]

    def rates(t, y):
        v, dv = plate(speed, t)
        mu, dz, ddwell = friction(y[3], y[0], y[1], mu_s, mu_c, v_s, tau)
        return [dz, ddwell, v - y[3], (SPRING * y[2] - LOAD * mu) / MASS + dv]

    atol = [RTOL * 1e-2 * mu_c / S0, RTOL, RTOL * 0.1 * LOAD / SPRING, RTOL * speed * 1e-1]
    seen = times > trough_s
    out = np.full(len(times), trough_n)
    if by_odeint:
        y = odeint(rates, start, np.concatenate([[trough_s], times[seen]]), tfirst=True, rtol=RTOL,
                   atol=atol, mxstep=100000)[1:, 2]
    else:
        y = solve_ivp(rates, (trough_s, times[-1]), start, "LSODA", times[seen], rtol=RTOL,
                      atol=atol).y[2]
    out[seen] = SPRING * y
    return out


def troughs(force, hysteresis):
    """Rows of the troughs, each told by a rise behind it and a fall before."""
    found, low, high, going = [], 0, 0, 0
    for i in range(1, len(force)):
        low = i if force[i] < force[low] else low
        high = i if force[i] > force[high] else high
        if going >= 0 and force[high] - force[i] > hysteresis:
            going, low = -1, i
        elif going <= 0 and force[i] - force[low] > hysteresis:
            if going < 0:
                found.append(low)
            going, high = 1, i
    return found


def vertex(times, force, at, span):
    near = [i for i in range(max(0, at - 60), min(len(force), at + 60))
            if force[i] < force[at] + 0.05 * span]
    c = np.polyfit(times[near] - times[at], force[near], 2)
    t = -c[1] / (2 * c[0])
    return times[at] + t, np.polyval(c, t)


def read(path, speed):
    rows = [line for line in open(path) if not line.startswith("#")][1:]
    times, force = np.array([[float(x) for x in line.split(",")] for line in rows]).T
    span = np.quantile(force, 0.99) - np.quantile(force, 0.01)
    found = [vertex(times, force, at, span) for at in troughs(force, 0.25 * span)]
    ends = [t for t, _ in found[1:]] + [math.inf]
    return [(speed, times[(times >= t) & (times < end)], force[(times >= t) & (times < end)], t, f,
             FORCE_SD * span) for (t, f), end in zip(found, ends)]


def fit(cycles, by_odeint):
    n = len(cycles)

    def predicted(x):
        return [cycle(x[:4], speed, times, t + x[4 + 2 * i], f + x[5 + 2 * i], by_odeint)
                for i, (speed, times, _, t, f, _) in enumerate(cycles)]

    def residuals(x):
        rows = [(y - c[2]) / NOISE for y, c in zip(predicted(x), cycles)]
        priors = [x[4 + 2 * i + k] / (TIME_SD, cycles[i][5])[k] for i in range(n) for k in (0, 1)]
        return np.concatenate(rows + [priors])

    def jacobian(x):
        here, rows = predicted(x), sum(len(c[1]) for c in cycles)
        out = np.zeros((rows + 2 * n, len(x)))
        for j in range(6):
            step = 1e-5 if j < 4 else 1e-5 * (1.0, 0.1)[j - 4]
            moved = np.array(x)
            moved[j if j < 4 else slice(j, None, 2)] += step
            first = 0
            for i, (a, b) in enumerate(zip(predicted(moved), here)):
                column = j if j < 4 else j + 2 * i
                out[first:first + len(a), column] = (a - b) / (NOISE * step)
                first += len(a)
        for i in range(n):
            out[rows + 2 * i, 4 + 2 * i] = 1 / TIME_SD
            out[rows + 2 * i + 1, 5 + 2 * i] = 1 / cycles[i][5]
        return out

    start = np.concatenate([np.log([0.16, 0.11, 2e-3, 0.2]), np.zeros(2 * n)])
    return least_squares(residuals, start, jacobian, method="lm", x_scale="jac")


def main():
    words = sys.argv[1:]
    cycles = [c for speed, path in zip(words[::2], words[1::2]) for c in read(path, 1e-3 * float(speed))]
    for key, by_odeint in (("stick-slip", False), ("stick-slip-odeint", True)):
        begun = time.perf_counter()
        found = fit(cycles, by_odeint)
        seconds = time.perf_counter() - begun
        print(f"{key}\t{seconds:.6g}\t{math.exp(found.x[3]):.9g}\tSciPy {scipy.__version__}, "
              f"{'odeint' if by_odeint else 'LSODA'}, rtol {RTOL:g}, chi^2 {2 * found.cost:.1f}, "
              f"{found.nfev} + {found.njev} evaluations")


main()
