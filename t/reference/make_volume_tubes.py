#!/usr/bin/python3
"""A sphere and a cylinder, or the solid around a bore, by mpmath with 90 digits: writes
volume_tubes.csv.

Cut across the normal, at v from the centre of the sphere, it is a disc and the surface a strip
along the axis, |y| < Y: what they have in common, or what the disc has outside the strip, is of
elementary functions; the sum over v is by quadrature. Derivatives: differences, as for two
spheres. A normal is taken as it is printed, less its part along the axis, and then made a unit
vector; depths are exact.
"""
import mpmath as mp

from make_volume_pairs import cross, dot, print_row, with_derivatives

mp.mp.dps = 90


def unit(a):
    size = mp.sqrt(dot(a, a))
    return [x / size for x in a]


def strip(square, Y):
    """Integrals of 1, x^2, y^2 over what a disc of radius^2 has in |y| < Y, x along the strip."""
    r2 = square
    if Y * Y >= r2:
        return mp.pi * r2, mp.pi * r2**2 / 4, mp.pi * r2**2 / 4
    root, angle = mp.sqrt(r2 - Y * Y), mp.asin(Y / mp.sqrt(r2))
    return (2 * (Y * root + r2 * angle),
            (Y * (5 * r2 - 2 * Y * Y) * root + 3 * r2**2 * angle) / 6,
            (Y * (2 * Y * Y - r2) * root + r2**2 * angle) / 2)


def metrics(hollow, R, r, axis, foot, c):
    """V, p_c, J_xx, J_yy, J_zz, J_yz, J_zx, J_xy; foot: a point of the axis."""
    p = [a - b for a, b in zip(c, foot)]
    p = [a - dot(p, axis) * b for a, b in zip(p, axis)]
    e = mp.sqrt(dot(p, p))
    n = [x / e for x in p]          # away from the axis
    side = cross(n, axis)
    meet = (r * r - R * R - e * e) / (2 * e)  # the strip is as wide as the disc
    if hollow:
        low, high = max(-R, meet), R
        cuts = [low] + [v for v in (r - e,) if low < v < high] + [high]
    else:
        low, high = max(-R, -e - r), min(R, r - e)
        cuts = [low] + [v for v in (meet,) if low < v < high] + [high]

    def section(v):
        square, Y2 = R * R - v * v, r * r - (v + e)**2
        square = max(square, mp.mpf(0))
        Y = mp.sqrt(Y2) if Y2 > 0 else mp.mpf(0)
        inner = strip(square, Y)
        if not hollow:
            return inner
        whole = mp.pi * square, mp.pi * square**2 / 4, mp.pi * square**2 / 4
        return [a - b for a, b in zip(whole, inner)]

    over = lambda f: mp.quad(f, cuts)
    V = over(lambda v: section(v)[0])
    v0 = over(lambda v: v * section(v)[0]) / V
    nn = over(lambda v: (v - v0)**2 * section(v)[0])
    aa = over(lambda v: section(v)[1])
    ss = over(lambda v: section(v)[2])
    total = nn + aa + ss
    J = lambda i, j: ((i == j) * total - nn * n[i] * n[j] - aa * axis[i] * axis[j]
                      - ss * side[i] * side[j])
    return [V, *[a + v0 * b for a, b in zip(c, n)],
            J(0, 0), J(1, 1), J(2, 2), J(1, 2), J(2, 0), J(0, 1)]


def row(hollow, R, r, axis, c, n, d):
    R, r, d = mp.mpf(R), mp.mpf(r), mp.mpf(d)
    axis, n, c = [[mp.mpf(x) for x in a] for a in (axis, n, c)]
    axis = unit(axis)
    n = unit([a - dot(n, axis) * b for a, b in zip(n, axis)])
    e = r - R + d if hollow else R + r - d
    foot = [a + (e if hollow else -e) * b for a, b in zip(c, n)]
    return with_derivatives(lambda x: metrics(hollow, R, r, axis, foot, x), c, d)


POSES = [((0, 0, 1), (1, 0, 0)), ((0.3, -0.2, 1), (-1, 0.6, 0.05)), ((1, 0.4, -0.3), (0.2, 1, 0.7))]
SHARES = (1e-9, 1e-5, 0.03, 0.7, 1.3, 1.95)
BORES = [(0.37, 1.1), (0.2, 0.2), (0.05, 30.0), (0.36, 0.37)]
CYLINDERS = [(0.37, 1.1), (0.2, 0.2), (0.37, 0.05), (0.05, 30.0)]


def main():
    with open("t/reference/volume_tubes.csv", "w") as out:
        out.write("# A sphere and a cylinder (0) or the solid around a bore (1), by"
                  " make_volume_tubes.py (mpmath): what they share, SI; then the same ten by each"
                  " component of the twist of the sphere\n"
                  "bore,R,r,a_x,a_y,a_z,c_x,c_y,c_z,n_x,n_y,n_z,depth,"
                  "V,x,y,z,J_xx,J_yy,J_zz,J_yz,J_zx,J_xy,by\n")
        for hollow, pairs in ((1, BORES), (0, CYLINDERS)):
            for k, (R, r) in enumerate(pairs):
                for share in SHARES:
                    axis, n = POSES[(k + SHARES.index(share)) % 3]
                    most = 2 * R if hollow else min(2 * R, R + r)
                    d, c = share * most / 2, (0.2, -0.1, 0.15)
                    print_row(out, (hollow, R, r, *axis, *c, *n, d),
                              row(hollow, R, r, axis, c, n, d))


if __name__ == "__main__":
    main()
