#!/usr/bin/python3
"""The double pendulum of Gonthier 2007, section 5.1.3, by SciPy: writes pendulum.csv (its first
impacts) and pendulum_loss.csv (the energy that one impact takes, Figs. 5.20-5.21).

Two links in a plane, absolute angles q1, q2 from where they hang, rates w1, w2; the end of the
second meets a floor. Lagrange's equations with the contact's force (f_x, f_z) at the end:

    A q1'' + B c q2'' = -B s w2^2 - (m1 c1 + m2 l1) g sin q1 + l1 (f_x cos q1 + f_z sin q1)
    B c q1'' + C q2'' =  B s w1^2 - m2 c2 g sin q2           + l2 (f_x cos q2 + f_z sin q2)

    A = J1 + m1 c1^2 + m2 l1^2,  B = m2 l1 c2,  C = J2 + m2 c2^2,  c, s = cos, sin (q1 - q2)

Normal force k z^1.5 (1 + a z'), a = d/(e v_i), (1 + d/e)/(1 - d) = exp(d (1 + 1/e)); friction by
the seven-parameter bristle, in one dimension. Every number is computed by two solvers at two
tolerances (LSODA 1e-10, DOP853 1e-12), which must agree to TIMES and LOSSES.

The loss by Poisson's rigid law is exact: along the normal impulse p the end's velocity u changes by
W (f, 1), W = G M^-1 G^T, f = -+mu while it slides, and what holds it, or mu, once it has stopped;
compression ends at u_z = 0, the impact at (1 + e) times that impulse. The angle and the rate of the
second link are relative to the first, as the source's figure has them: taken as absolute, case (a)
loses 54.9 % at e = 1 and mu = 0.5, not 36.5 %.
"""
import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

G = 9.81
TIMES, LOSSES = 1e-7, 1e-4  # s, points
TABLE_5_3 = dict(sigma_0=1e5, sigma_1=np.sqrt(1e5), v_s=0.1, tau_dw=0.75)


def damping(e):
    """d(e)"""
    if e == 1:
        return 0.0
    return brentq(lambda d: np.log1p(d / e) - np.log1p(-d) - d * (1 + 1 / e), 1e-12, 1 - 1e-12,
                  xtol=1e-15)


class Pendulum:
    def __init__(self, m, l, c, J, floor, k, e, mu_s, mu_c):
        self.m, self.l, self.c, self.J, self.floor, self.k, self.e = m, l, c, J, floor, k, e
        self.mu_s, self.mu_c = mu_s, mu_c
        self.A, self.B, self.C = (J[0] + m[0] * c[0] ** 2 + m[1] * l[0] ** 2, m[1] * l[0] * c[1],
                                  J[1] + m[1] * c[1] ** 2)

    def mass(self, q):
        x = self.B * np.cos(q[0] - q[1])
        return np.array([[self.A, x], [x, self.C]])

    def lever(self, q):
        return np.array([self.l * np.cos(q), self.l * np.sin(q)])

    def end(self, y):
        """depth and velocity of the end"""
        return self.floor + np.dot(self.l, np.cos(y[:2])), self.lever(y[:2]) @ y[2:4]

    def accelerate(self, y, force):
        (q1, q2, w1, w2), m, l, c = y[:4], self.m, self.l, self.c
        s = self.B * np.sin(q1 - q2)
        push = np.array([-s * w2 * w2 - (m[0] * c[0] + m[1] * l[0]) * G * np.sin(q1),
                         s * w1 * w1 - m[1] * c[1] * G * np.sin(q2)])
        return np.linalg.solve(self.mass(y[:2]), push + self.lever(y[:2]).T @ force)

    def kinetic(self, y):
        return 0.5 * y[2:4] @ self.mass(y[:2]) @ y[2:4]

    def energy(self, y):
        m, l, c = self.m, self.l, self.c
        return self.kinetic(y) - G * ((m[0] * c[0] + m[1] * l[0]) * np.cos(y[0])
                                      + m[1] * c[1] * np.cos(y[1]))

    def free(self, t, y):
        return np.concatenate([y[2:4], self.accelerate(y, np.zeros(2))])

    def rub(self, v, z, sdw):
        """friction over normal force, z', sdw'"""
        p = TABLE_5_3
        s = np.exp(-(v / p["v_s"]) ** 2)
        e = abs(v) / (p["v_s"] / 100)
        along = np.sign(v) if e >= 1 else np.sign(v) * e * (1.5 - 0.5 * e * e)
        rate = s * v + (1 - s) * (self.mu_c * along - p["sigma_0"] * z) / p["sigma_1"]
        most = self.mu_c + (self.mu_s - self.mu_c) * sdw
        q = p["sigma_0"] * z + p["sigma_1"] * rate
        if abs(q) > most:
            q = np.sign(q) * most
            rate = (q - p["sigma_0"] * z) / p["sigma_1"]
        tau = p["tau_dw"] if s >= sdw else p["sigma_1"] / p["sigma_0"]
        return -q, rate, (s - sdw) / tau

    def touch(self, t, y, a):
        depth, v = self.end(y)
        f_n = max(0.0, self.k * max(depth, 0.0) ** 1.5 * (1 - a * v[1]))
        mu, z, sdw = self.rub(v[0], y[4], y[5])
        return np.concatenate([y[2:4], self.accelerate(y, np.array([mu * f_n, f_n])), [z, sdw]])

    def down(self, t, y):
        return self.end(y)[0]
    down.terminal, down.direction = True, 1

    def up(self, t, y, a):
        return self.end(y)[0] if t > self.since else 1.0
    up.terminal, up.direction = True, -1

    def go(self, y, until, how):
        """impacts: (time, state at touch, time of the end, state then)"""
        t, seen = 0.0, []
        y = np.array(y)
        while t < until and len(seen) < 12:
            run = solve_ivp(self.free, (t, until), y, events=self.down, max_step=0.01, **how)
            t, y = run.t[-1], run.y[:, -1]
            if run.status != 1:
                break
            v = -self.end(y)[1][1]
            a, first = damping(self.e) / (self.e * max(v, 1e-3)), (t, y.copy())
            self.since = t + 1e-5
            run = solve_ivp(self.touch, (t, until), np.concatenate([y, [0, 0]]), events=self.up,
                            args=(a,), max_step=2e-5, **how)
            t, y = run.t[-1], run.y[:4, -1]
            seen.append(first + (t, y))
        return seen


HOW = [dict(method="LSODA", rtol=1e-10, atol=1e-14), dict(method="DOP853", rtol=1e-12, atol=1e-15)]


def impacts():
    d = np.pi / 180
    with open("t/reference/pendulum.csv", "w") as out:
        out.write("# First impacts of g07_double_pendulum by make_pendulum.py (SciPy)\n"
                  "touch_s,approach_m_s,slip_m_s,end_s,phi_1_rad,phi_2_rad\n")
        runs = []
        for how in HOW:
            p = Pendulum(np.array([5, 2.]), np.array([.5, .25]), np.array([.5, .25]), np.zeros(2),
                         -0.61, 1e9, 0.9, 0.15, 0.12)
            runs.append((p, p.go([45 * d, 45 * d, -120 * d, 10 * d], 10, how)))
        worst = max(abs(x[0] - y[0]) for x, y in zip(runs[0][1], runs[1][1]))
        print("impact times agree to", worst)
        assert worst < TIMES
        p, seen = runs[1]
        for t, y, end, _ in seen:
            v = p.end(y)[1]
            out.write(f"{t:.9f},{-v[1]:.8f},{v[0]:.8f},{end:.9f},{y[0]:.9f},{y[1] - y[0]:.9f}\n")


def poisson(p, q, w, e, mu):
    M, lever = p.mass(q), p.lever(q)
    back = np.linalg.solve(M, lever.T)
    W, u, P, target = lever @ back, lever @ w, np.zeros(2), None
    while True:
        holds = -W[0, 1] / W[0, 0]
        f = -mu * np.sign(u[0]) if u[0] != 0 else np.clip(holds, -mu, mu)
        rate, steps = W @ np.array([f, 1]), []
        if u[0] * rate[0] < 0:
            steps.append((-u[0] / rate[0], "stop"))
        steps.append((-u[1] / rate[1], "turn") if target is None else (target - P[1], "end"))
        h, why = min(steps)
        u, P = u + rate * h, P + np.array([f, 1]) * h
        if why == "stop" or (u[0] != 0 and abs(u[0]) < 1e-14):
            u[0] = 0
        if why == "turn":
            u[1], target = 0, (1 + e) * P[1]
        if why == "end":
            after = w + back @ P
            return 100 * (1 - after @ M @ after / (w @ M @ w))


CASES = {"a": ((18, 12), 1.8170820), "b": ((0, 20.7), 1.9354441)}


def losses():
    with open("t/reference/pendulum_loss.csv", "w") as out:
        out.write("# Energy lost in one impact, percent of the kinetic energy, by make_pendulum.py\n"
                  "case,e,mu,law,poisson\n")
        for case, (phi, floor) in CASES.items():
            q = np.radians([phi[0], phi[0] + phi[1]])
            w = np.array([-1., -2.])
            for e in (0.5, 1.0):
                for mu in (0.02, 0.1, 0.3, 0.5, 0.7, 1):
                    p = Pendulum(np.full(2, 2.), np.ones(2), np.full(2, .5), np.full(2, 1 / 6),
                                 -floor, 1e9, e, mu, mu)
                    start = np.concatenate([q, w])
                    lost = []
                    for how in HOW:
                        seen = p.go(start, 0.01, how)[:1]
                        lost.append(100 * (p.energy(start) - p.energy(seen[0][3]))
                                    / p.kinetic(start))
                    print(case, e, mu, lost)
                    assert abs(lost[0] - lost[1]) < LOSSES
                    out.write(f"{case},{e:g},{mu:g},{lost[1]:.5f},{poisson(p, q, w, e, mu):.5f}\n")


if __name__ == "__main__":
    losses()
    impacts()
