#!/usr/bin/env python3
"""Reference table of scaled impacts, to 25 digits: prints t/reference/impact.csv.

    z'' = -(z^n + beta z^p z'),   z(0) = 0,   z'(0) = 1,   until the force first returns to 0

Taylor series of order 40 with 50 decimal digits in y = z^(1/q), ds = dt/y^(q-1), which make the
equation polynomial:

    dy/ds = w/q,   dw/ds = -y^a (y^b + beta w),   dt/ds = y^(q-1)

Events are zeros of the series themselves. de/dbeta is a central difference of two such runs, its
step 1e-13 of beta, so that its own error is near 1e-26. Every value is computed at two step sizes
and printed only if both agree to 1e-27 (de/dbeta: 1e-24). Nothing but Python's own decimal is used.

    python3 t/reference/make_impact.py > t/reference/impact.csv        (some minutes)
"""

from decimal import Decimal as D, getcontext

getcontext().prec = 50
ORDER = 40
LAWS = [(1.5, 1.5, 2), (1.5, 1.0, 2), (1.5, 0.5, 2), (1.5, 0.25, 4), (1.0, 0.0, 1)]
BETAS = ["1e-4", "3e-4", "1e-3", "3e-3", "1e-2", "3e-2", "0.1", "0.2", "0.4", "0.7", "1",
         "1.5", "2.5", "5", "10", "20", "50", "100"]


def product(x, y, j):
    return sum((x[i] * y[j - i] for i in range(j + 1)), D(0))


def value(c, s):
    total = D(0)
    for a in reversed(c):
        total = total * s + a
    return total


def power(x, k):
    return x ** k if k else D(1)  # Decimal has no 0^0


def zero(f, lo, hi):
    """Bisect f(lo) > 0 >= f(hi) down, then secants."""
    for _ in range(12):
        mid = (lo + hi) / 2
        if f(mid) > 0:
            lo = mid
        else:
            hi = mid
    a, b = lo, hi
    fa, fb = f(a), f(b)
    for _ in range(20):
        if fa == fb:
            break
        a, fa, b = b, fb, b - fb * (b - a) / (fb - fa)
        fb = f(b)
        if abs(b - a) < D("1e-46") * abs(b):
            break
    return b


class Impact:
    def __init__(self, law, beta, fineness):
        n, p, self.q = law
        self.n, self.p, self.beta = D(n), D(p), beta
        self.a = int(self.q * (p + 1)) - 1
        self.b = int(self.q * (n - p))
        self.step = D(fineness)

    def expand(self, y0, w0, t0):
        q, a, b, beta = self.q, self.a, self.b, self.beta
        top = max(a, b, q - 1, 1)
        y, w, t = [y0], [w0], [t0]
        powers = [[D(1)] + [D(0)] * ORDER] + [[] for _ in range(top)]
        push = []
        for j in range(ORDER):
            powers[1].append(y[j])
            for k in range(2, top + 1):
                powers[k].append(product(powers[1], powers[k - 1], j))
            push.append(powers[b][j] + beta * w[j])
            y.append(w[j] / (q * (j + 1)))
            w.append(-product(powers[a], push, j) / (j + 1))
            t.append(powers[q - 1][j] / (j + 1))
        return y, w, t

    def radius(self, *series):
        """The least radius over which terms of the upper half stay below the leading ones."""
        radius = D(1)
        for c in series:
            for _ in range(3):
                size = max(abs(c[0]), abs(c[1]) * radius, abs(c[2]) * radius ** 2)
                found = [(size / abs(c[j])).ln() / j for j in range(ORDER // 2, ORDER + 1) if c[j]]
                if found:
                    radius = min(radius, min(found).exp())
        return radius

    def force(self, y, w):
        return power(y, self.a + 1 - self.q) * (power(y, self.b) + self.beta * w)

    def run(self):
        beta, n, p, q = self.beta, self.n, self.p, self.q
        y0, w0, t0 = D(0), D(1), D(0)
        phi = beta if p == 0 else D(0)
        zeta = None
        while True:
            y, w, t = self.expand(y0, w0, t0)
            h = self.step * self.radius(y, w)

            def speed(s):
                return value(w, s)

            def rate(s):
                """dF/dt z^(1-p), the sign of which is that of dF/dt"""
                Y, W = value(y, s), value(w, s)
                return (W * (n * power(Y, self.b) + beta * p * W)
                        - beta * power(Y, self.a + 1) * (power(Y, self.b) + beta * W))

            def push(s):
                return value(y, s) if self.b == 0 else power(value(y, s), self.b) + beta * value(w, s)

            if w0 > 0 and speed(h) <= 0:
                zeta = value(y, zero(speed, D(0), h)) ** q
            end = None
            if speed(h) < 0:
                if value(y, h) <= 0:
                    end = zero(lambda s: value(y, s), D(0), h)
                if self.b > 0 and (end is not None or push(h) <= 0):
                    end = zero(push, D(0), end if end is not None else h)
            # peaks of force, looked for at 20 places in each step
            last = end if end is not None else h
            for i in range(20):
                u, v = last * i / 20, last * (i + 1) / 20
                if rate(u) > 0 >= rate(v):
                    s = zero(rate, u, v)
                    phi = max(phi, self.force(value(y, s), value(w, s)))
            if end is not None:
                return -value(w, end), value(t, end), zeta, phi
            y0, w0, t0 = value(y, h), value(w, h), value(t, h)


def answers(law, beta, fineness):
    h = beta * D("1e-13")
    e, tau, zeta, phi = Impact(law, beta, fineness).run()
    above, below = (Impact(law, b, fineness).run()[0] for b in (beta + h, beta - h))
    return e, (above - below) / (2 * h), tau, zeta, phi


def row(law, beta):
    first, second = answers(law, beta, "0.07"), answers(law, beta, "0.05")
    for i, (x, y) in enumerate(zip(first, second)):
        if abs(x - y) > D("1e-24" if i == 1 else "1e-27") * max(abs(y), D("1e-3")):
            raise SystemExit(f"{law} beta {beta}: {x} and {y} disagree")
    return ",".join(f"{x:.24e}" for x in second)


def main():
    print("# Scaled impacts z'' = -(z^n + beta z^p z') from z' = 1 to the force's first return to 0:")
    print("# restitution, its derivative by beta, duration, peak compression, peak force.")
    print("# Made by t/reference/make_impact.py: Taylor series of order 40 with 50 digits, every")
    print("# value at two step sizes that agree to 1e-27 (de_dbeta: 1e-24).")
    print("n,p,beta,e,de_dbeta,tau,zeta,phi")
    for law in LAWS:
        for beta in BETAS:
            print(f"{law[0]:g},{law[1]:g},{beta},{row(law, D(beta))}", flush=True)


if __name__ == "__main__":
    main()
