#!/usr/bin/python3
"""Two spheres, by mpmath with 90 digits: writes volume_pairs.csv.

The lens is summed by quadrature over discs across the line of the centres, from the centre of body
j, each disc that of the sphere which is narrower there. Derivatives: differences over a step of
1e-25 of the depth, as body i is moved and turned about the origin. A normal is taken as it is
printed and then made a unit vector; depths are exact.
"""
import mpmath as mp

mp.mp.dps = 90


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def metrics(ri, rj, ci, cj):
    """V, p_c, J_xx, J_yy, J_zz, J_yz, J_zx, J_xy."""
    p = [a - b for a, b in zip(ci, cj)]
    D = mp.sqrt(dot(p, p))
    n = [x / D for x in p]
    low, high = D - ri, rj
    meet = (D * D + rj * rj - ri * ri) / (2 * D)

    def over(f):
        return (mp.quad(lambda z: f(z, ri * ri - (z - D)**2), [low, meet])
                + mp.quad(lambda z: f(z, rj * rj - z * z), [meet, high]))
    V = mp.pi * over(lambda z, s: s)
    z = mp.pi * over(lambda z, s: s * z) / V
    along = mp.pi * over(lambda t, s: s * (t - z)**2)
    wide = mp.pi / 4 * over(lambda t, s: s * s)
    # J = (wide + along) 1 + (wide - along) n n^T
    J = lambda a, b: (a == b) * (wide + along) + (wide - along) * n[a] * n[b]
    return [V, *[c + z * x for c, x in zip(cj, n)],
            J(0, 0), J(1, 1), J(2, 2), J(1, 2), J(2, 0), J(0, 1)]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def with_derivatives(of_centre, ci, d):
    """The metrics by the centre of body i, then their derivatives by each component of its twist."""
    h = d * mp.mpf(10)**-25
    by = []
    for t in range(6):
        e = [mp.mpf(int(k == t % 3)) for k in range(3)]
        u = e if t < 3 else cross(e, ci)
        up = of_centre([c + h * x for c, x in zip(ci, u)])
        down = of_centre([c - h * x for c, x in zip(ci, u)])
        by += [(a - b) / (2 * h) for a, b in zip(up, down)]
    return of_centre(ci) + by


def print_row(out, inputs, numbers):
    out.write(",".join("%.17g" % x for x in inputs) + ","
              + ",".join(mp.nstr(x, 17) for x in numbers) + "\n")


def row(ri, rj, ci, n, d):
    ri, rj, d = mp.mpf(ri), mp.mpf(rj), mp.mpf(d)
    ci, n = [mp.mpf(x) for x in ci], [mp.mpf(x) for x in n]
    size = mp.sqrt(dot(n, n))
    cj = [c - x / size * (ri + rj - d) for c, x in zip(ci, n)]
    return with_derivatives(lambda c: metrics(ri, rj, c, cj), ci, d)


RADII = [(0.37, 0.37), (0.05, 0.08), (0.9, 0.11), (0.2, 30.0)]
NORMALS = [(0, 0, 1), (0.3, -0.2, 1), (-1, 0.6, 0.05)]
SHARES = (1e-9, 1e-5, 0.03, 0.7, 1.6, 1.99)


def main():
    with open("t/reference/volume_pairs.csv", "w") as out:
        out.write("# Two spheres, by make_volume_pairs.py (mpmath): their lens, SI; then the same ten"
                  " by each component of the twist of body i\n"
                  "R_i,R_j,c_x,c_y,c_z,n_x,n_y,n_z,depth,V,x,y,z,J_xx,J_yy,J_zz,J_yz,J_zx,J_xy,by\n")
        for ri, rj in RADII:
            for k, n in enumerate(NORMALS):
                for share in SHARES:
                    a, b = (rj, ri) if k == 2 else (ri, rj)
                    ci = (0.2, -0.1, 0.15)
                    d = share * min(a, b)
                    print_row(out, (a, b, *ci, *n, d), row(a, b, ci, n, d))


if __name__ == "__main__":
    main()
