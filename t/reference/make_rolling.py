#!/usr/bin/python3
"""The rolling sphere of Azad & Featherstone 2010, section 4, by SciPy: writes rolling.csv.

One dimension along its way, with v the speed of the contact point, over which friction acts:

    z'' = g - f_n/m,   v' = (1 + m r^2/I) f/m = 3.5 f/m,   f_n = max(0, k z^1.5 + lambda z^0.5 z')

and their clutch, z and u starting from 0 in every contact: with d = D_t z^0.5, c = C_V/d,

    f_s = -K_t z^0.5 u - d v,   f = f_s if |f_s| <= mu f_n, else f_s (mu f_n/|f_s| + c)/(1 + c),
    u' = -(f + K_t z^0.5 u)/d

Flights are parabolas. In contact by DOP853 at 1e-12 and Radau at 1e-9, which must agree to 1e-6 of
the speed of each contact.
"""
import numpy as np
from scipy.integrate import solve_ivp

M, R, G, H, V0 = 0.154, 1.65e-2, 9.81, 0.1, np.hypot(0.5, 0.5)
K, LAMBDA, MU, K_T, D_T, C_V = 8.5e6, 3.1e3, 0.2, 12.75e6, 3.1e3, 0.1
CONTACTS = 8


def forces(z, w, v, u):
    root = np.sqrt(max(z, 1e-24))
    n = max(0.0, root * (K * z + LAMBDA * w))
    d = D_T * root
    stick = -K_T * root * u - d * v
    f = stick
    if abs(stick) > MU * n:
        c = C_V / d
        f = stick * (MU * n / abs(stick) + c) / (1 + c)
    return n, f, -(f + K_T * root * u) / d


def rates(t, y):
    n, f, du = forces(*y)
    return [y[1], G - n / M, 3.5 * f / M, du]


def end(t, y):
    return y[0] + LAMBDA / K * y[1] if y[1] < 0 else 1.0


end.terminal, end.direction = True, -1


def go(**how):
    t, w, v, rows = np.sqrt(2 * (H - R) / G), np.sqrt(2 * (H - R) * G), V0, []
    for _ in range(CONTACTS):
        run = solve_ivp(rates, (0, 0.02), [0, w, v, 0], events=end, max_step=2e-6, **how)
        assert run.status == 1
        z, out, v_out = run.y[0, -1], -run.y[1, -1], run.y[2, -1]
        rows.append((t, v, t + run.t[-1], v_out))
        up = np.sqrt(out * out - 2 * G * z)
        t, w, v = t + run.t[-1] + (out + up) / G, up, v_out
    return np.array(rows)


def main():
    one = go(method="DOP853", rtol=1e-12, atol=1e-15)
    two = go(method="Radau", rtol=1e-9, atol=1e-13)
    print("times agree to", abs(one[:, [0, 2]] - two[:, [0, 2]]).max(), "speeds to",
          abs(one[:, 3] / two[:, 3] - 1).max())
    assert abs(one[:, [0, 2]] - two[:, [0, 2]]).max() < 1e-8
    assert abs(one[:, 3] / two[:, 3] - 1).max() < 1e-5
    with open("t/reference/rolling.csv", "w") as out:
        out.write("# Contacts of af10_rolling_sphere by make_rolling.py (SciPy): speeds of the "
                  "contact point\ntouch_s,slip_m_s,end_s,slip_after_m_s\n")
        for row in one:
            out.write("{:.10f},{:.9e},{:.10f},{:.9e}\n".format(*row))


if __name__ == "__main__":
    main()
