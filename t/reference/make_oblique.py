#!/usr/bin/python3
"""Oblique contacts of a ball with a plane by plain Runge-Kutta steps: prints the table of oblique.c.

The equations in time, as the papers have them, with v the slip and u the clutch's spring:

    z'' = -f_n/m,   v' = 3.5 f/m,   f_n = max(0, k z^1.5 + lambda z^0.5 z')
    f_s = -k_t z^0.5 u - d v,   d = d_t z^0.5,   u' = -(f + k_t z^0.5 u)/d
    f = f_s if |f_s| <= mu f_n, else f_s (mu f_n/|f_s| + c)/(1 + c),   c = c_v/d

Azad & Featherstone 2010, 19-32. Steps are equal in s with t = s^2, small where the force has its
root; twice as many must agree. No package is needed.
"""
from math import cos, radians, sin, sqrt

M, V = 2.5e-4, 3.9
K, LAMBDA, MU, K_T, D_T, C_V = 4e9, 3e3, 0.1, 4e9, 1.5e3, 0.02


def forces(z, w, v, u):
    root = sqrt(max(z, 1e-24))
    n = max(0.0, root * (K * z + LAMBDA * w))
    d = D_T * root
    stick = -K_T * root * u - d * v
    f = stick
    if abs(stick) > MU * n:
        c = C_V / d
        f = stick * (MU * n / abs(stick) + c) / (1 + c)
    return n, f, -(f + K_T * root * u) / d


def rates(s, y):
    z, w, v, u = y
    n, f, du = forces(z, w, v, u)
    h = 2 * s
    return (h * w, -h * n / M, h * 3.5 * f / M, h * du)


def contact(angle, steps):
    """e, e_t and duration [us]."""
    v_n, v_t = V * cos(radians(angle)), V * sin(radians(angle))
    y, s, ds = (0.0, v_n, v_t, 0.0), 0.0, sqrt(16e-6) / steps
    while True:
        a = rates(s, y)
        b = rates(s + ds / 2, [p + ds / 2 * q for p, q in zip(y, a)])
        c = rates(s + ds / 2, [p + ds / 2 * q for p, q in zip(y, b)])
        d = rates(s + ds, [p + ds * q for p, q in zip(y, c)])
        after = [p + ds / 6 * (i + 2 * j + 2 * k + l) for p, i, j, k, l in zip(y, a, b, c, d)]
        if s > 0 and K * after[0] + LAMBDA * after[1] < 0:  # the force has ended
            before, now = K * y[0] + LAMBDA * y[1], K * after[0] + LAMBDA * after[1]
            share = before / (before - now)
            end = [p + share * (q - p) for p, q in zip(y, after)]
            return -end[1] / v_n, 1 - 2 / 7 * (v_t - end[2]) / v_t, 1e6 * (s + share * ds) ** 2
        y, s = after, s + ds


for angle in (3, 12, 22, 35):
    rough, fine = contact(angle, 100000), contact(angle, 200000)
    assert all(abs(a / b - 1) < 1e-8 for a, b in zip(rough, fine)), (rough, fine)
    print("    {%g, %.12g, %.12g, %.12g}," % ((angle,) + fine))
