#!/usr/bin/python3
"""Robust fits of a straight line in ln v by SciPy, for t/robust.c: writes robust.csv.

e = a - b ln v with the scatter of t/fit.c and two wrong rows. The data are made up. With a given
sigma Huber's estimate is scipy.optimize.least_squares(loss='huber'); Student's maximises
scipy.stats.t. With an estimated sigma the two equations of the M-estimate and of its scale (Huber:
Proposal 2) are solved by scipy.optimize.root, all constants by numerical quadrature.
"""
import numpy as np
from scipy import integrate, optimize, stats

v = np.array([.11, .17, .26, .39, .55, .83, 1.2, 1.7, 2.4, 3.1, 4.3, 5.9, 7.7, 9.4])
scatter = np.array([-1.7, -3.6, -.6, -3.5, .3, 4.4, -2.6, 1.2, .3, -1.5, .5, 3.4, 4.3, 2.1])
x = np.log(v)
y = 0.82 - 0.03 * x + 0.001 * scatter
y[4] += 0.02
y[11] -= 0.03
X = np.column_stack([np.ones_like(x), x])
n, K, NU, SIGMA = len(y), 1.345, 4.0, 0.002


def normal_mean(f):
    return integrate.quad(lambda z: f(z) * stats.norm.pdf(z), -12, 12, points=[-K, K], limit=400,
                          epsabs=1e-14)[0]


def huber_rho(z):
    z = np.abs(z)
    return np.where(z <= K, z * z, 2 * K * z - K * K)


kappa = normal_mean(lambda z: min(1, K / max(abs(z), 1e-300)) * z * z)
huber_norm = 2 * integrate.quad(lambda z: np.exp(-huber_rho(z) / (2 * kappa)), 0, 80, points=[K],
                                limit=400, epsabs=1e-14)[0]
c = optimize.brentq(lambda s: normal_mean(lambda z: (NU + 1) * z * z / (NU * s * s + z * z)) - 1,
                    0.1, 2, xtol=1e-15)

density = {
    'huber': lambda z: -huber_rho(z) / (2 * kappa) - np.log(huber_norm),
    'student': lambda z: stats.t.logpdf(z / c, NU) - np.log(c),
}
weight = {
    'huber': lambda z: np.minimum(1, K / np.maximum(np.abs(z), 1e-300)) / kappa,
    'student': lambda z: (NU + 1) / (NU * c * c + z * z),
}
spread = normal_mean(lambda z: min(abs(z), K) ** 2)
scale = {
    'huber': lambda z: np.minimum(np.abs(z), K) ** 2 / spread,
    'student': lambda z: weight['student'](z) * z * z,
}
start = np.linalg.lstsq(X, y, rcond=None)[0]
rows = [('huber_c', kappa), ('student_c', c)]
for name in ('huber', 'student'):
    if name == 'huber':
        given = optimize.least_squares(lambda t: (y - X @ t) / SIGMA / K, start, loss='huber',
                                       xtol=1e-15, ftol=1e-15, gtol=1e-15).x
        given = optimize.root(lambda t: X.T @ (weight[name]((y - X @ t) / SIGMA) * (y - X @ t))
                              / SIGMA, given, tol=1e-14).x
    else:
        given = optimize.minimize(lambda t: -density[name]((y - X @ t) / SIGMA).sum(), start,
                                  method='Nelder-Mead',
                                  options={'xatol': 1e-12, 'fatol': 1e-14, 'maxiter': 10000}).x
        given = optimize.root(lambda t: X.T @ (weight[name]((y - X @ t) / SIGMA) * (y - X @ t))
                              / SIGMA, given, tol=1e-14).x
    cost = -2 * (density[name]((y - X @ given) / SIGMA) - np.log(SIGMA)).sum()
    rows += [(name + '_given_a', given[0]), (name + '_given_b', given[1]),
             (name + '_given_cost', cost)]

    def equations(t, name=name):
        z = (y - X @ t[:2]) / np.exp(t[2])
        w = weight[name](z)
        return np.append(X.T @ (w * z), scale[name](z).sum() - (n - 2))

    t = optimize.root(equations, np.append(start, np.log(0.003)), tol=1e-14).x
    r = y - X @ t[:2]
    best = optimize.minimize_scalar(lambda s: -2 * (density[name](r / np.exp(s)) - s).sum(),
                                    bracket=(np.log(1e-3), np.log(1e-2)), tol=1e-12)
    rows += [(name + '_estimated_a', t[0]), (name + '_estimated_b', t[1]),
             (name + '_estimated_sigma', np.exp(t[2])), (name + '_estimated_cost', best.fun)]

with open('robust.csv', 'w') as out:
    out.write('# made by make_robust.py (SciPy); made-up data\nname,value\n')
    for name, value in rows:
        out.write('%s,%.15g\n' % (name, value))
