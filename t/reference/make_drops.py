#!/usr/bin/env python3
"""Reference table of the two dropped spheres, to 20 digits: prints t/reference/drops.csv.

    m z'' = m g - (k z^1.5 + lambda z^0.5 z'),   z > 0 compression, released at rest at a height

The 66 g sphere of Azad & Featherstone 2014, section II-C, and the 154 g sphere of theirs of 2010,
section 2.2. Contacts are Taylor series of order 40 with 50 decimal digits, as in make_impact.py,
in units of each impact's own Z, T and v, with the weight: y = sqrt(z), ds = dt/y,

    dy/ds = w/2,   dw/ds = gamma y - y^2 (y^2 + beta w),   dt/ds = y,   gamma = g Z/v^2

until the force first returns to 0; from there on it flies, in closed form, up through z = 0 and
back. A sphere that turns to sink again while the force lasts stays in contact for ever: that
impact's end is empty. Everything is computed at two step sizes and printed only if both agree to
1e-24.

    python3 t/reference/make_drops.py > t/reference/drops.csv        (a minute)
"""

from decimal import Decimal as D

from make_impact import ORDER, Impact, product, value, zero

SPHERES = [("66g", "0.066", "1", "10", "1e10", "1e5"),
           ("154g", "0.154", "0.1", "9.81", "8.5e6", "3.1e3")]


def root(x, n):
    """x^(1/n)"""
    return (x.ln() / n).exp()


class Landing(Impact):
    """One scaled contact under its weight."""

    def __init__(self, beta, gamma, fineness):
        super().__init__((1.5, 0.5, 2), beta, fineness)
        self.gamma = gamma

    def expand(self, y0, w0, t0):
        y, w, t, square, push = [y0], [w0], [t0], [], []
        for j in range(ORDER):
            square.append(product(y, y, j))
            push.append(square[j] + self.beta * w[j])
            y.append(w[j] / (2 * (j + 1)))
            w.append((self.gamma * y[j] - product(square, push, j)) / (j + 1))
            t.append(y[j] / (j + 1))
        return y, w, t

    def force(self, y, w):
        return y * (y * y + self.beta * w)

    def slope(self, y, w):
        """y dF/dt"""
        a = self.gamma - self.force(y, w)
        return w * (3 * y * y + self.beta * w) / 2 + self.beta * y * y * a

    def run(self):
        """peak (y, t), peak of force and its t, end (y, w, t) or None"""
        y0, w0, t0 = D(0), D(1), D(0)
        peak, most = None, (D(0), D(0))
        while True:
            y, w, t = self.expand(y0, w0, t0)
            h = self.step * self.radius(y, w)

            def push(s):
                return value(y, s) ** 2 + self.beta * value(w, s)

            end = None
            if w0 > 0 and value(w, h) <= 0:
                if peak:
                    return peak, most, None
                s = zero(lambda s: value(w, s), D(0), h)
                peak = value(y, s), value(t, s)
            if peak and value(w, h) < 0 and push(h) <= 0:
                end = zero(push, D(0), h)
            last = end if end is not None else h
            for i in range(20):
                a, b = last * i / 20, last * (i + 1) / 20
                at = [self.slope(value(y, s), value(w, s)) for s in (a, b)]
                if at[0] > 0 >= at[1]:
                    s = zero(lambda s: self.slope(value(y, s), value(w, s)), a, b)
                    most = max(most, (self.force(value(y, s), value(w, s)), value(t, s)))
            if end is not None:
                return peak, most, (value(y, end), value(w, end), value(t, end))
            y0, w0, t0 = value(y, h), value(w, h), value(t, h)


def bounces(m, height, g, k, lam, fineness):
    """rows of touch, approach, peaks of depth and of force with their times, end, depth and speed
    then, apex"""
    v = (2 * g * height).sqrt()
    time = v / g
    rows = []
    while True:
        Z = root(m * v * v / k, D("2.5"))
        T = Z / v
        beta = lam / k * v / Z
        peak, most, end = Landing(beta, g * Z / v ** 2, fineness).run()
        row = [time, v, peak[0] ** 2 * Z, time + peak[1] * T, most[0] * m * v * v / Z,
               time + most[1] * T]
        rows.append(row)
        if end is None:
            return rows
        z, w = end[0] ** 2 * Z, -end[1] * v
        square = w * w - 2 * g * z
        if square <= 0:
            raise SystemExit("comes back before it is out")
        row += [time + end[2] * T, z, w, square / (2 * g)]
        up = square.sqrt()
        time = row[6] + (w + up) / g  # rises from z at w, comes back to 0 at -up
        v = up


def main():
    print("# Two dropped spheres of Azad & Featherstone, impact by impact, until they stay in contact.")
    print("# Made by t/reference/make_drops.py: Taylor series of order 40 with 50 digits, every value")
    print("# at two step sizes that agree to 1e-24.")
    print("sphere,touch_s,approach_m_s,depth_m,deepest_s,force_N,strongest_s,end_s,end_depth_m,"
          "end_speed_m_s,apex_m")
    for name, *numbers in SPHERES:
        numbers = [D(x) for x in numbers]
        first, second = (bounces(*numbers, fineness) for fineness in ("0.07", "0.05"))
        for one, two in zip(first, second, strict=True):
            for x, y in zip(one, two, strict=True):
                if abs(x - y) > D("1e-24") * abs(y):
                    raise SystemExit(f"{name}: {x} and {y} disagree")
            cells = [f"{x:.19e}" for x in two] + [""] * (10 - len(two))
            print(",".join([name] + cells), flush=True)


if __name__ == "__main__":
    main()
