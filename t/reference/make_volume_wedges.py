#!/usr/bin/python3
"""A sphere and an endless wedge, by mpmath with 80 digits: writes volume_wedges.csv.

Cut across the edge, at x along it from the centre of the sphere, the sphere is a disc and the wedge
an angle about the edge. By Green's theorem, from the edge, the sides of the angle add nothing, and
what is left is elementary functions of the arcs of the disc that are inside; the sum over x is by
quadrature. Derivatives: differences, as for two spheres. Normals are taken as they are printed and
then made unit vectors, that over an edge less its part along the edge; depths and distances from
the edge are exact.
"""
import mpmath as mp

from make_volume_pairs import cross, dot, print_row, with_derivatives

mp.mp.dps = 80


def unit(a):
    size = mp.sqrt(dot(a, a))
    return [x / size for x in a]


def trig(t):
    """Primitives of cos^m sin^n, m + n <= 3."""
    c, s = mp.cos(t), mp.sin(t)
    return {(0, 0): t, (1, 0): s, (0, 1): -c, (2, 0): (t + s * c) / 2, (0, 2): (t - s * c) / 2,
            (1, 1): s * s / 2, (3, 0): s - s**3 / 3, (0, 3): c**3 / 3 - c,
            (2, 1): -c**3 / 3, (1, 2): s**3 / 3}


def times(p, q):
    r = {}
    for (a, b), u in p.items():
        for (c, d), v in q.items():
            r[a + c, b + d] = r.get((a + c, b + d), 0) + u * v
    return r


def arc(c, rho, begin, end):
    """From `begin` to `end`: the share of the integrals of 1, x, y, x^2, y^2, x y."""
    x = {(0, 0): c[0], (1, 0): rho}
    y = {(0, 0): c[1], (0, 1): rho}
    speed = {(0, 0): rho * rho, (1, 0): rho * c[0], (0, 1): rho * c[1]}
    first, last = trig(begin), trig(end)
    table = {k: last[k] - first[k] for k in first}
    over = lambda f, k: sum(v * table[i] for i, v in times(f, speed).items()) / (k + 2)
    one = {(0, 0): mp.mpf(1)}
    return [over(one, 0), over(x, 1), over(y, 1),
            over(times(x, x), 2), over(times(y, y), 2), over(times(x, y), 2)]


def disc(c, rho, sides, normals):
    """The moments about the edge of a disc in the angle between two sides."""
    angles = []
    for t in sides:
        along = dot(c, t)
        square = rho * rho - (dot(c, c) - along * along)
        if square > 0:
            for sign in (-1, 1):
                u = along + sign * mp.sqrt(square)
                if u > 0:
                    angles.append(mp.atan2(u * t[1] - c[1], u * t[0] - c[0]))
    angles.sort()
    if angles:
        pairs = list(zip(angles, angles[1:] + [angles[0] + 2 * mp.pi]))
    else:
        pairs = [(mp.mpf(0), 2 * mp.pi)]
    total = [mp.mpf(0)] * 6
    for begin, end in pairs:
        middle = (begin + end) / 2
        at = [c[0] + rho * mp.cos(middle), c[1] + rho * mp.sin(middle)]
        if all(dot(at, n) < 0 for n in normals):
            total = [a + b for a, b in zip(total, arc(c, rho, begin, end))]
    return total


def metrics(R, normals, foot, c):
    """V, p_c, J_xx, J_yy, J_zz, J_yz, J_zx, J_xy; foot: a point of the edge."""
    edge = unit(cross(*normals))
    ex = normals[0]
    ey = cross(edge, ex)
    flat = lambda a: [dot(a, ex), dot(a, ey)]
    p = [a - b for a, b in zip(c, foot)]
    p0 = flat(p)
    flats = [flat(n) for n in normals]
    sides = [flat(cross(normals[0], edge)), flat(cross(edge, normals[1]))]
    cuts = {mp.mpf(0), R}
    for square in [R * R - dot(p0, p0)] + [R * R - dot(p0, n)**2 for n in flats]:
        if square > 0:
            cuts.add(mp.sqrt(square))
    cuts = sorted(cuts)
    kept = {}

    def section(x):
        if x not in kept:
            square = R * R - x * x
            kept[x] = (disc(p0, mp.sqrt(square), sides, flats) if square > 0
                       else [mp.mpf(0)] * 6)
        return kept[x]

    over = lambda f: 2 * mp.quad(f, cuts)
    V = over(lambda x: section(x)[0])
    a, b = over(lambda x: section(x)[1]) / V, over(lambda x: section(x)[2]) / V
    aa = over(lambda x: section(x)[3]) - V * a * a
    bb = over(lambda x: section(x)[4]) - V * b * b
    ab = over(lambda x: section(x)[5]) - V * a * b
    ee = over(lambda x: x * x * section(x)[0])
    total = aa + bb + ee
    J = lambda i, j: ((i == j) * total - ee * edge[i] * edge[j] - aa * ex[i] * ex[j]
                      - bb * ey[i] * ey[j] - ab * (ex[i] * ey[j] + ey[i] * ex[j]))
    along = dot(p, edge)
    return [V, *[f + along * e + a * x + b * y for f, e, x, y in zip(foot, edge, ex, ey)],
            J(0, 0), J(1, 1), J(2, 2), J(1, 2), J(2, 0), J(0, 1)]


def row(R, n1, n2, c, face, n, inward, d):
    R, inward, d = mp.mpf(R), mp.mpf(inward), mp.mpf(d)
    n1, n2, n, c = [[mp.mpf(x) for x in a] for a in (n1, n2, n, c)]
    normals = [unit(n1), unit(n2)]
    edge = unit(cross(*normals))
    if face < 0:
        n = unit([a - dot(n, edge) * b for a, b in zip(n, edge)])
        foot = [a - (R - d) * b for a, b in zip(c, n)]
    else:
        n = normals[face]
        t = cross(n, edge) if face == 0 else cross(edge, n)
        foot = [a - (R - d) * b - inward * s for a, b, s in zip(c, n, t)]
    return with_derivatives(lambda x: metrics(R, normals, foot, x), c, d)


# A right angle, a blunt one, a sharp one, one next to flat and a blade.
WEDGES = [((0, 0, 1), (1, 0, 0)), ((0.3, -0.2, 1), (1, 0.1, 0.8)), ((-1, 0.6, 0.05), (0.9, 0.2, -0.3)),
          ((0.2, 0.1, 1), (0.2 + 1e-5, 0.1, 1)), ((0, 1, 0.2), (0, -1, -0.19))]
CENTRE = (0.2, -0.1, 0.15)
RADIUS = 0.37


def mixed(n1, n2, share):
    """A normal at a share between two, printed."""
    n1, n2 = [[float(x) / sum(y * y for y in a)**0.5 for x in a] for a in (n1, n2)]
    return [(1 - share) * a + share * b for a, b in zip(n1, n2)]


def cases():
    for n1, n2 in WEDGES:
        for d in (1e-9, 1e-5, 0.03, 0.7, 0.999):
            for share in (1e-4, 0.4):
                yield n1, n2, -1, mixed(n1, n2, share), 0, d * RADIUS
        # from the edge, as a share of the radius of the circle in the face
        for k, d in enumerate((1e-9, 1e-3, 0.7, 1.3, 1.95)):
            for share in (1e-3, 0.5, 1.05, 1.5):
                face = (k + int(share > 0.7)) % 2
                across = RADIUS * (d * (2 - d))**0.5
                yield n1, n2, face, (n1, n2)[face], share * across, d * RADIUS


def main():
    with open("t/reference/volume_wedges.csv", "w") as out:
        out.write("# A sphere and a wedge under two planes, touched on a face (0, 1) or on the edge"
                  " (-1), by make_volume_wedges.py (mpmath): what they share, SI; then the same ten by"
                  " each component of the twist of the sphere\n"
                  "R,n1_x,n1_y,n1_z,n2_x,n2_y,n2_z,c_x,c_y,c_z,face,n_x,n_y,n_z,inward,depth,"
                  "V,x,y,z,J_xx,J_yy,J_zz,J_yz,J_zx,J_xy,by\n")
        for n1, n2, face, n, inward, d in cases():
            print_row(out, (RADIUS, *n1, *n2, *CENTRE, face, *n, inward, d),
                      row(RADIUS, n1, n2, CENTRE, face, n, inward, d))
            out.flush()


if __name__ == "__main__":
    main()
