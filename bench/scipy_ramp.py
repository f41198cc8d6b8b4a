"""The fit of fits/presliding_loops.yaml done with SciPy: least_squares over solve_ivp(LSODA), with
derivatives by its own differences, of the bristle (Gonthier 2007, 3.28-3.42) along a line on the
smoothed drive, from values a tenth off.

Standard input is data/presliding_reciprocating_8cycles.csv. Prints ramp<tab>SECONDS<tab>SIGMA_0<tab>
REMARK.
"""

import math
import sys
import time

import numpy as np
import scipy
from scipy.integrate import solve_ivp
from scipy.interpolate import make_smoothing_spline
from scipy.optimize import least_squares

S1, V_S, DWELL = 10.0, 0.01, 0.1
V_E = 0.01 * V_S
CUTOFF = 20.0  # of the drive [Hz]
RTOL = 1e-6


def smoothed(times, values):
    """The cubic smoothing spline that passes 1/(1 + (f/CUTOFF)^4)."""
    step = (times[-1] - times[0]) / (len(times) - 1)
    return make_smoothing_spline(times, values, lam=1 / (step * (2 * math.pi * CUTOFF) ** 4))


def friction(v, z, dwell, mu, s0):
    """Coefficient, and the rates of bristle and dwell."""
    size = abs(v)
    share = math.exp(-((size / V_S) ** 2))
    ratio = size / V_E
    towards = mu * v * ((1.5 - 0.5 * ratio * ratio) / V_E if ratio < 1 else 1 / size)
    dz = share * v + (1 - share) / S1 * (towards - s0 * z)
    q = s0 * z + S1 * dz
    if abs(q) > mu:
        q = math.copysign(mu, q)
        dz = (q - s0 * z) / S1
    pace = 1 / DWELL if share >= dwell else s0 / S1
    return q, dz, pace * (share - dwell)


def main():
    lines = [line for line in sys.stdin if not line.startswith("#")][1:]
    times, load, place, force = np.array([[float(x) for x in line.split(",")] for line in lines]).T
    force = -force
    begun = time.perf_counter()
    speed = smoothed(times, place).derivative()
    pressed = smoothed(times, load)
    v_at, load_at = speed(times), pressed(times)

    def forces(theta):
        mu, s0, bias = math.exp(theta[0]), math.exp(theta[1]), theta[2]

        def rate(t, state):
            _, dz, ddwell = friction(float(speed(t)), state[0], state[1], mu, s0)
            return dz, ddwell

        start = [(force[0] - bias) / (s0 * load_at[0]), 1.0]
        run = solve_ivp(rate, (times[0], times[-1]), start, "LSODA", times, rtol=RTOL,
                        atol=[RTOL * 1e-3 * mu / s0, RTOL], max_step=0.1)
        shown = [n * friction(v, z, d, mu, s0)[0] for n, v, z, d in zip(load_at, v_at, *run.y)]
        return np.array(shown) + bias

    start = [math.log(0.51), math.log(6500), 0.0]
    fit = least_squares(lambda theta: forces(theta) - force, start, x_scale="jac", method="lm",
                        diff_step=1e-4)
    seconds = time.perf_counter() - begun
    rms = math.sqrt(2 * fit.cost / len(force))
    print(f"ramp\t{seconds:.6g}\t{math.exp(fit.x[1]):.9g}\tSciPy {scipy.__version__}, LSODA, rtol "
          f"{RTOL:g}, {fit.nfev} runs, mu_s {math.exp(fit.x[0]):.4f}, rms {1e3 * rms:.2f} mN")


main()
