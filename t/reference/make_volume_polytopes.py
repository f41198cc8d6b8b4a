#!/usr/bin/python3
"""Two tetrahedra, by mpmath with 60 digits: writes volume_polytopes.csv.

What they have in common is found from their eight planes, without clipping: each three planes meet
in a point, which is a vertex where it is over none of the others; the vertices of a plane are put
in order about their mean by their angle. The moments are sums over tetrahedra from the mean of all
vertices. Derivatives: differences over a step of 1e-25, as body i is moved and turned about the
origin.
"""
import itertools
import random

import mpmath as mp

from make_volume_pairs import cross, dot, print_row

mp.mp.dps = 60


def sub(a, b):
    return [x - y for x, y in zip(a, b)]


def mean(points):
    return [sum(p[k] for p in points) / len(points) for k in range(3)]


def planes(body):
    """(n, h): the inside is n.x <= h."""
    out = []
    for k in range(4):
        a, b, c = [body[m] for m in range(4) if m != k]
        n = cross(sub(b, a), sub(c, a))
        s = mp.sqrt(dot(n, n)) * (1 if dot(n, sub(body[k], a)) < 0 else -1)
        n = [x / s for x in n]
        out.append((n, dot(n, a)))
    return out


def vertices(of):
    """Of the body under these planes: (point, indices of its planes)."""
    out = []
    for three in itertools.combinations(range(len(of)), 3):
        (a, ha), (b, hb), (c, hc) = [of[k] for k in three]
        bc, ca, ab = cross(b, c), cross(c, a), cross(a, b)
        det = dot(a, bc)
        if abs(det) < mp.mpf(10)**-40:
            continue
        p = [(ha * x + hb * y + hc * z) / det for x, y, z in zip(bc, ca, ab)]
        if all(dot(n, p) <= h for k, (n, h) in enumerate(of) if k not in three):
            out.append((p, three))
    return out


def metrics(of):
    corners = vertices(of)
    if len(corners) < 4:
        return None
    middle = mean([p for p, _ in corners])
    V, S = mp.mpf(0), [mp.mpf(0)] * 3
    Q = [[mp.mpf(0)] * 3 for _ in range(3)]
    for k, (n, _) in enumerate(of):
        face = [sub(p, middle) for p, three in corners if k in three]
        if len(face) < 3:
            continue
        m = mean(face)
        u = sub(face[0], m)
        w = cross(n, u)
        face.sort(key=lambda p: mp.atan2(dot(w, sub(p, m)), dot(u, sub(p, m))))
        for a, b in zip(face, face[1:] + face[:1]):
            v = dot(m, cross(a, b)) / 6
            s = [x + y + z for x, y, z in zip(m, a, b)]
            V += v
            S = [x + v * y / 4 for x, y in zip(S, s)]
            for r in range(3):
                for c in range(3):
                    Q[r][c] += v / 20 * (s[r] * s[c] + m[r] * m[c] + a[r] * a[c] + b[r] * b[c])
    p = [x / V for x in S]
    C = [[Q[r][c] - V * p[r] * p[c] for c in range(3)] for r in range(3)]
    trace = C[0][0] + C[1][1] + C[2][2]
    J = lambda r, c: (r == c) * trace - C[r][c]
    return [V, *[x + y for x, y in zip(p, middle)],
            J(0, 0), J(1, 1), J(2, 2), J(1, 2), J(2, 0), J(0, 1)]


def row(i, j):
    at = metrics(planes(i) + planes(j))
    if not at:
        return None
    h = mp.mpf(10)**-25
    for t in range(6):
        e = [mp.mpf(int(k == t % 3)) for k in range(3)]
        pair = []
        for s in (h, -h):
            moved = [[x + s * y for x, y in zip(p, e if t < 3 else cross(e, p))] for p in i]
            pair.append(metrics(planes(moved) + planes(j)))
        at += [(a - b) / (2 * h) for a, b in zip(*pair)]
    return at


def numbers(body):
    return [x for p in body for x in p]


def main():
    draw = random.Random(19)
    with open("t/reference/volume_polytopes.csv", "w") as out:
        out.write("# Two tetrahedra, by make_volume_polytopes.py (mpmath): what they have in common,"
                  " SI; then the same ten by each component of the twist of body i\n"
                  + ",".join(b + str(v) + "_" + x for b in "ij" for v in "1234" for x in "xyz")
                  + ",V,x,y,z,J_xx,J_yy,J_zz,J_yz,J_zx,J_xy,by\n")
        rows = 0
        while rows < 40:
            # Of one size, and of a tenth of it. Wholly inside, V does not change: not taken.
            size = 0.1 if rows % 4 == 3 else 1
            i = [[draw.uniform(-1, 1) * size for _ in range(3)] for _ in range(4)]
            j = [[draw.uniform(-1, 1) for _ in range(3)] for _ in range(4)]
            want = row([[mp.mpf(x) for x in p] for p in i], [[mp.mpf(x) for x in p] for p in j])
            if want and max(abs(by) for by in want[10::10]) > 1e-6:
                print_row(out, numbers(i) + numbers(j), want)
                rows += 1


if __name__ == "__main__":
    main()
