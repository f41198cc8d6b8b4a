#!/usr/bin/python3
"""Forms cut by a half-space, by mpmath with 60 digits: writes volumes.csv.

None of it is cut as the library does it. Bodies of revolution: in each half-plane through the axis
the section is a polygon, over which rho times a quadratic is integrated exactly; then by quadrature
over the angle, between the angles where the polygon changes. Boxes: a box is a signed sum of eight
octants, and an octant under a plane is a simplex. Spheres: discs from the centre.

A normal is taken as it is printed and then made a unit vector; depths are exact.
"""
import itertools
import mpmath as mp

mp.mp.dps = 60
MONOMIALS = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (2, 0, 0), (0, 2, 0), (0, 0, 2),
             (0, 1, 1), (1, 0, 1), (1, 1, 0)]


def unit(n):
    n = [mp.mpf(x) for x in n]
    size = mp.sqrt(sum(x * x for x in n))
    return [x / size for x in n]


def sphere(size, n, d):
    (r,) = size
    a, b = -r, -r + min(d, 2 * r)
    area = [mp.quad(lambda z: z**k * mp.pi * (r * r - z * z), [a, b]) for k in range(3)]
    wide = mp.quad(lambda z: mp.pi / 4 * (r * r - z * z)**2, [a, b])
    m = {(0, 0, 0): area[0]}
    for i in range(3):
        e = tuple(int(k == i) for k in range(3))
        m[e] = area[1] * n[i]
    for i in range(3):
        for j in range(i, 3):
            e = tuple(int(k == i) + int(k == j) for k in range(3))
            m[e] = wide * ((i == j) - n[i] * n[j]) + area[2] * n[i] * n[j]
    return m, -r


def box(size, n, d):
    """Flipped so that the lowest corner is the origin and n > 0; a component that is 0 is 1e-25."""
    sign = [1 if x >= 0 else -1 for x in n]
    up = [max(abs(x), mp.mpf(10)**-25) for x in n]
    m = {e: mp.mpf(0) for e in MONOMIALS}
    with mp.workdps(300):
        for corner in itertools.product((0, 1), repeat=3):
            s = [c * L for c, L in zip(corner, size)]
            rest = d - sum(a * b for a, b in zip(up, s))
            if rest <= 0:
                continue
            leg = [rest / a for a in up]
            volume = leg[0] * leg[1] * leg[2] / 6 * (-1)**sum(corner)
            for e in MONOMIALS:
                # products of (s_i + leg_i t_i); over the unit simplex E t = 1/4, E t_i t_j = 1/20
                # (1/10 for i = j)
                which = [i for i in range(3) for _ in range(e[i])]
                if not which:
                    value = 1
                elif len(which) == 1:
                    value = s[which[0]] + leg[which[0]] / 4
                else:
                    i, j = which
                    value = (s[i] * s[j] + (s[i] * leg[j] + s[j] * leg[i]) / 4
                             + leg[i] * leg[j] / (10 if i == j else 20))
                m[e] += volume * value
        # back: x = sign (x' - L/2)
        out = {}
        for e in MONOMIALS:
            which = [i for i in range(3) for _ in range(e[i])]
            one = lambda i: tuple(int(k == i) for k in range(3))
            if not which:
                out[e] = m[e]
            elif len(which) == 1:
                i = which[0]
                out[e] = sign[i] * (m[e] - size[i] / 2 * m[0, 0, 0])
            else:
                i, j = which
                out[e] = sign[i] * sign[j] * (m[e] - size[j] / 2 * m[one(i)]
                                              - size[i] / 2 * m[one(j)]
                                              + size[i] * size[j] / 4 * m[0, 0, 0])
    return out, -sum(a * L / 2 for a, L in zip(up, size))


def clip(polygon, a, b, h):
    """Points (rho, t) of a polygon with a rho + b t < h."""
    out = []
    for p, q in zip(polygon, polygon[1:] + polygon[:1]):
        fp, fq = h - a * p[0] - b * p[1], h - a * q[0] - b * q[1]
        if fp > 0:
            out.append(p)
        if (fp > 0) != (fq > 0):
            out.append(tuple(x + fp / (fp - fq) * (y - x) for x, y in zip(p, q)))
    return out


def over_polygon(polygon):
    """Integrals of rho^(k + 1) t^l, k + l <= 2: the rule that is exact for cubics."""
    total = {}
    for q, r in zip(polygon[1:], polygon[2:]):
        p = polygon[0]
        area = abs((q[0] - p[0]) * (r[1] - p[1]) - (r[0] - p[0]) * (q[1] - p[1])) / 2
        points = [(x, 3) for x in (p, q, r)]
        points += [(tuple((u + v) / 2 for u, v in zip(x, y)), 8) for x, y in ((p, q), (q, r), (r, p))]
        points += [(tuple(sum(u) / 3 for u in zip(p, q, r)), 27)]
        for k in range(3):
            for l in range(3 - k):
                total[k, l] = total.get((k, l), 0) + area / 60 * sum(
                    w * x[0]**(k + 1) * x[1]**l for x, w in points)
    return total


def revolved(profile, n, d):
    """profile: corners (rho, t), a convex polygon with a side on the axis."""
    side = mp.sqrt(n[0]**2 + n[1]**2)
    turn = mp.atan2(n[1], n[0]) if side else mp.mpf(0)
    h = min(-side * rho + n[2] * t for rho, t in profile)
    level = h + d
    angles = {mp.mpf(0), mp.pi}
    for rho, t in profile:
        if rho * side > 0:
            c = (level - n[2] * t) / (rho * side)
            if -1 < c < 1:
                angles.add(mp.acos(c))
    angles = sorted(angles)

    def f(k, l, wave):
        def at(theta):
            polygon = clip(profile, side * mp.cos(theta), n[2], level)
            return wave(theta) * over_polygon(polygon).get((k, l), 0) if len(polygon) > 2 else 0
        return 2 * mp.quad(at, angles)

    one, cos, cos2, sin2 = (lambda x: 1), mp.cos, (lambda x: mp.cos(x)**2), (lambda x: mp.sin(x)**2)
    u = (mp.cos(turn), mp.sin(turn), mp.mpf(0))
    v = (-mp.sin(turn), mp.cos(turn), mp.mpf(0))
    w = (mp.mpf(0), mp.mpf(0), mp.mpf(1))
    V, U, W = f(0, 0, one), f(1, 0, cos), f(0, 1, one)
    UU, VV, WW, UW = f(2, 0, cos2), f(2, 0, sin2), f(0, 2, one), f(1, 1, cos)
    m = {(0, 0, 0): V}
    for i in range(3):
        m[tuple(int(k == i) for k in range(3))] = U * u[i] + W * w[i]
        for j in range(i, 3):
            m[tuple(int(k == i) + int(k == j) for k in range(3))] = (
                UU * u[i] * u[j] + VV * v[i] * v[j] + WW * w[i] * w[j]
                + UW * (u[i] * w[j] + w[i] * u[j]))
    return m, h


def cylinder(size, n, d):
    r, length = size
    return revolved([(mp.mpf(0), -length / 2), (r, -length / 2), (r, length / 2),
                     (mp.mpf(0), length / 2)], n, d)


def cone(size, n, d):
    r, height = size
    return revolved([(mp.mpf(0), mp.mpf(0)), (r, mp.mpf(0)), (mp.mpf(0), height)], n, d)


FORMS = {"sphere": sphere, "box": box, "cylinder": cylinder, "cone": cone}


def metrics(form, size, n, d):
    n, d = unit(n), mp.mpf(d)
    m, lowest = FORMS[form]([mp.mpf(x) for x in size], n, d)
    V = m[0, 0, 0]
    c = [m[tuple(int(k == i) for k in range(3))] / V for i in range(3)]
    C = [[m[tuple(int(k == i) + int(k == j) for k in range(3))] - V * c[i] * c[j]
          for j in range(3)] for i in range(3)]
    trace = sum(C[i][i] for i in range(3))
    J = [[(trace if i == j else 0) - C[i][j] for j in range(3)] for i in range(3)]
    below = lowest + d - sum(a * b for a, b in zip(n, c))
    return [V, *c, below, J[0][0], J[1][1], J[2][2], J[1][2], J[2][0], J[0][1]]


ATTITUDES = [(0, 0, 1), (0, 0, -1), (1, 0, 0), (0.6, 0.8, 0), (0.1, -0.2, 1), (0.3, 0.2, -1),
             (1, 0.5, -0.03), (-0.4, 0.7, 0.2), (1e-4, 0, 1), (1, 0, 1e-5), (0, 1e-7, -1)]
DEPTHS = (1e-9, 1e-5, 0.03, 0.4, 0.9, 1.3)
SIZES = {"sphere": [(0.37,)], "box": [(0.7, 0.4, 0.9)], "cylinder": [(0.31, 0.8), (0.9, 0.07)],
         "cone": [(0.4, 0.9), (0.9, 0.21)]}


def main():
    with open("t/reference/volumes.csv", "w") as out:
        out.write("# Forms cut by a half-space, by make_volumes.py (mpmath): their part within depth "
                  "of the lowest point, SI\n"
                  "form,a,b,c,n_x,n_y,n_z,depth,V,x,y,z,below,J_xx,J_yy,J_zz,J_yz,J_zx,J_xy\n")
        for form, sizes in SIZES.items():
            for size in sizes:
                for n in (ATTITUDES[4:6] if form == "sphere" else ATTITUDES):
                    for depth in DEPTHS:
                        d = float(depth * min(size) if depth < 1e-3 else depth)
                        got = metrics(form, size, n, d)
                        row = list(size) + [0.] * (3 - len(size)) + list(n) + [d]
                        out.write(form + "," + ",".join("%.17g" % x for x in row) + ","
                                  + ",".join(mp.nstr(x, 17) for x in got) + "\n")
                print(form, size, n, flush=True)


if __name__ == "__main__":
    main()
