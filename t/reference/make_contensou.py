#!/usr/bin/python3
"""Coulomb friction of a disc that slides and spins, to some 1e-13: writes contensou.csv.

By polar coordinates about the centre of rotation, d = v/w from the disc's, in which the velocity is
across the ray: no elliptic integral. The pressure is (1 - r^2)^power with an integral of 1. Each ray
is summed by Gauss and Legendre over the angle of the chord that it cuts, the rays too where the
centre is outside the disc, with the angle's sine as the circle's; else they are periodic.
"""
from math import asin, cos, fsum, pi, sin, sqrt


def gauss(n):
    """Nodes and weights of Gauss and Legendre on (-1, 1)."""
    out = []
    for k in range(n):
        x = cos(pi * (k + 0.75) / (n + 0.5))
        for _ in range(8):
            a, b = 1.0, x
            for m in range(2, n + 1):
                a, b = b, ((2 * m - 1) * x * b - (m - 1) * a) / m
            slope = n * (x * b - a) / (x * x - 1)
            x -= b / slope
        out.append((x, 2 / ((1 - x * x) * slope**2)))
    return out


RULE = gauss(100)


def ray(power, d, phi):
    """Force and torque of the ray d e_x + s (cos phi, sin phi)."""
    middle, half = -d * cos(phi), sqrt(1 - (d * sin(phi))**2)
    low = asin(max(-1, -middle / half)) if d < 1 else -pi / 2
    force, torque = [], []
    for x, g in RULE:
        t = low + (pi / 2 - low) * (x + 1) / 2
        s = middle + half * sin(t)
        p = (power + 1) / pi * (half * cos(t))**(2 * power) * s * half * cos(t)
        p *= g * (pi / 2 - low) / 2
        force.append(p * cos(phi))
        torque.append(p * (s + d * cos(phi)))
    return fsum(force), fsum(torque)


def shares(power, v, w):
    d = v / w
    rays = []
    if d < 1:
        n = 1000
        rays = [(2 * pi / n, ray(power, d, 2 * pi * k / n)) for k in range(n)]
    else:
        for x, g in RULE:
            theta = x * pi / 2
            phi = asin(sin(theta) / d)
            rays.append((g * pi / 2 * cos(theta) / (d * cos(phi)), ray(power, d, pi + phi)))
    return [abs(fsum(g * both[k] for g, both in rays)) for k in (0, 1)]


def main():
    with open("t/reference/contensou.csv", "w") as out:
        out.write("# Friction of a disc that slides and spins, by make_contensou.py\n"
                  "power,slip,rim,force,torque\n")
        for power in (0, 0.5, 1):
            for v, w in ((0.125, 1), (0.5, 1), (0.875, 1), (1, 0.75), (1, 0.25)):
                out.write("%g,%g,%g,%.15g,%.15g\n" % (power, v, w, *shares(power, v, w)))


if __name__ == "__main__":
    main()
