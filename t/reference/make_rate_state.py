#!/usr/bin/python3
"""Rate- and state-dependent friction in 60 digits, for t/rate_state.c: prints its table.

mu = a asinh(|v|/(2 v_0) exp((mu_0 + b psi)/a)), straight from its definition: a number of 60 digits
has an exponent large enough for any a. Derivatives are those of that formula, by mpmath's diff.
"""
from mpmath import asinh, diff, exp, mp, mpf

mp.dps = 60
ROWS = [  # mu_0, a, v_0, b, v, psi
    (0.61, 0.0089, 3.0154e-6, 0.0093, 1.003e-5, -1.2),
    (0.61, 0.0089, 3.0154e-6, 0.0093, 1.7e-11, 9.3),
    (0.6, 1e-5, 1e-6, 0.012, 3.3e-6, -1.19),
    (0.6, 1e-9, 1e-6, 0.012, 2.9e-7, 1.24),
    (0.37, 0.05, 1e-3, 0.02, 7.3, -8.9),
    (0.23, 0.05, 1e-3, 0.02, 1.3e-5, 2.1),
    (0.11, 0.05, 1e-3, -0.01, 1.1e-7, 3.7),
    (0.02, 0.05, 1e-3, 0.01, 4.7e-4, 0.3),
    (1e-6, 1, 1e-3, 0.5, 6.1e-5, -2.3),
    (0.6, 0.01, 1e-12, 0.012, 1e3, -34.5),
]


def mu(mu_0, a, v_0, b, v, psi):
    return a * asinh(v / (2 * v_0) * exp((mu_0 + b * psi) / a))


for row in ROWS:
    x = [mpf(value) for value in row]
    out = [mu(*x)] + [diff(mu, x, tuple(int(i == j) for i in range(6))) for j in (1, 4, 5)]
    print('    {{' + ', '.join('%.17g' % value for value in row) + '},\n     {'
          + ', '.join(mp.nstr(value, 20, min_fixed=0, max_fixed=0) for value in out) + '}},')
