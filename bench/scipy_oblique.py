"""What bench.c times of one oblique contact, done with SciPy: a line KEY<tab>SECONDS<tab>VALUE
<tab>REMARK, the value being the tangential restitution.

The equations of t/reference/make_oblique.py in time, with the right-hand side as light as Python
allows; of SciPy's integrators the fastest is shown.
"""

import math

import scipy
from scipy.integrate import solve_ivp

from timing import timed

M, V, ANGLE = 2.5e-4, 3.9, math.radians(22)
K, LAMBDA, MU, K_T, D_T, C_V = 4e9, 3e3, 0.1, 4e9, 1.5e3, 0.02
RTOL = 1e-8


def rate(_, state):
    z, w, v, u = state.tolist()
    root = math.sqrt(z) if z > 1e-24 else 1e-12
    n = max(0.0, root * (K * z + LAMBDA * w))
    d = D_T * root
    stick = -K_T * root * u - d * v
    f = stick
    if abs(stick) > MU * n:
        c = C_V / d
        f = stick * (MU * n / abs(stick) + c) / (1 + c)
    return (w, -n / M, 3.5 * f / M, -(f + K_T * root * u) / d)


def ended(_, state):
    return K * state[0] + LAMBDA * state[1]


ended.terminal = True
ended.direction = -1


def contact(method):
    v_n, v_t = V * math.cos(ANGLE), V * math.sin(ANGLE)
    scale = [1e-5, v_n, v_n, 1e-6]
    run = solve_ivp(rate, (0, 1e-4), [0.0, v_n, v_t, 0.0], method=method, rtol=RTOL,
                    atol=[RTOL * s for s in scale], events=ended)
    return 1 - 2 / 7 * (v_t - run.y_events[0][0][2]) / v_t


times = {m: timed(lambda m=m: contact(m)) for m in ("RK45", "DOP853", "LSODA")}
method = min(times, key=times.get)
value = contact(method)
for key, contacts, what in (("oblique", 1, ""),
                            ("oblique-slopes", 7, ", 7 contacts, for differences")):
    print("%s\t%.9g\t%.15g\tSciPy %s, %s at rtol %g%s" % (
        key, contacts * times[method], value, scipy.__version__, method, RTOL, what))
