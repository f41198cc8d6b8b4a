#!/usr/bin/python3
"""The balls of Gonthier 2007, section 5.1.3, by SciPy: writes balls.csv.

A ball that falls on a plane inclined by 20 deg, in the plane's own frame (down the slope, along it,
off it), and one that falls into a cylinder, in cylindrical coordinates x = rho cos phi, z = rho
sin phi, axis k = -y, its spin (a, b, c) along (e_rho, e_phi, e_k):

    rho'' = rho phi'^2 - g sin phi - N/m,   rho phi'' = -2 rho' phi' - g cos phi + f_phi/m,
    v_k' = f_k/m,   a' = phi' b,   b' = -r f_k/I - phi' a,   c' = r f_phi/I,
    slip (rho phi' + r c, v_k - r b),   depth rho + r - R

A cylinder is flat along its surface: the bristle's components along e_phi and e_k stay as the
normal turns. Normal force and friction as in make_pendulum.py, friction in two dimensions. Radau and
LSODA at 1e-10 must agree to AGREE. Rows are states at touches (kind 0) and at given times
(kind 1), in the world.
"""
import numpy as np
from scipy.integrate import solve_ivp

from make_pendulum import damping

M, R, G = 2.0, 0.1, 9.81
I = 0.4 * M * R * R
K, E, MU_S, MU_C, SIGMA_0, SIGMA_1, V_S, TAU_DW = 1e6, 0.5, 0.45, 0.4, 1e5, 1e4, 0.1, 0.01
AGREE = 2e-6
SLOPE = np.radians(20)


def rub(v, z, sdw):
    """friction over normal force, z', sdw'"""
    speed = np.hypot(*v)
    s = np.exp(-(speed / V_S) ** 2)
    e = speed / (V_S / 100)
    along = v / speed if e >= 1 else v / (V_S / 100) * (1.5 - 0.5 * e * e)
    rate = s * v + (1 - s) * (MU_C * along - SIGMA_0 * z) / SIGMA_1
    most = MU_C + (MU_S - MU_C) * sdw
    q = SIGMA_0 * z + SIGMA_1 * rate
    if np.hypot(*q) > most:
        q = q * most / np.hypot(*q)
        rate = (q - SIGMA_0 * z) / SIGMA_1
    return -q, rate, (s - sdw) / (TAU_DW if s >= sdw else SIGMA_1 / SIGMA_0)


class Incline:
    """y: place and velocity of the centre (down, along, off), spin, bristle, sdw"""
    WORLD = np.array([[np.cos(SLOPE), 0, np.sin(SLOPE)], [0, 1, 0],
                      [-np.sin(SLOPE), 0, np.cos(SLOPE)]])
    HEIGHT = 0.4

    def start(self):
        return np.concatenate([self.WORLD.T @ [0, 0, 2], self.WORLD.T @ [-1, 0.5, 0], np.zeros(3)])

    def gap(self, y):
        return y[2] - self.HEIGHT - R, y[5]

    def rates(self, t, y, a):
        f, tail = np.zeros(3), []
        if a is not None:
            slip = np.array([y[3] - R * y[7], y[4] + R * y[6]])
            gap, rate = self.gap(y)
            f[2] = max(0.0, K * max(-gap, 0) ** 1.5 * (1 - a * rate))
            mu, dz, ds = rub(slip, y[9:11], y[11])
            f[:2] = mu * f[2]
            tail = [*dz, ds]
        g = self.WORLD.T @ [0, 0, -G]
        return np.concatenate([y[3:6], g + f / M, [R * f[1] / I, -R * f[0] / I, 0], tail])

    def world(self, y):
        return np.concatenate([self.WORLD @ y[i:i + 3] for i in (0, 3, 6)])


class Cylinder:
    """y: rho, phi, k, rho', phi', v_k, a, b, c, bristle, sdw"""
    RADIUS = 1.0

    def __init__(self, along):
        self.along = along

    def start(self):
        return np.array([np.hypot(0.3, 0.5), np.arctan2(-0.5, 0.3), 0, 0, 0, -self.along, 0, 0, 0])

    def gap(self, y):
        return self.RADIUS - R - y[0], -y[3]

    def rates(self, t, y, a):
        rho, phi, _, drho, dphi, vk, sa, sb, sc = y[:9]
        N, f, tail = 0.0, np.zeros(2), []
        if a is not None:
            slip = np.array([rho * dphi + R * sc, vk - R * sb])
            gap, rate = self.gap(y)
            N = max(0.0, K * max(-gap, 0) ** 1.5 * (1 - a * rate))
            mu, dz, ds = rub(slip, y[9:11], y[11])
            f = mu * N
            tail = [*dz, ds]
        return np.array([drho, dphi, vk, rho * dphi ** 2 - G * np.sin(phi) - N / M,
                         (-2 * drho * dphi - G * np.cos(phi) + f[0] / M) / rho, f[1] / M,
                         dphi * sb, -R * f[1] / I - dphi * sa, R * f[0] / I, *tail])

    def world(self, y):
        rho, phi, k, drho, dphi, vk = y[:6]
        c, s = np.cos(phi), np.sin(phi)
        turn = np.array([[c, -s, 0], [0, 0, -1], [s, c, 0]])
        return np.concatenate([turn @ [rho, 0, k], turn @ [drho, rho * dphi, vk], turn @ y[6:9]])


def run(scene, times, how):
    t, y, rows, samples, a = 0.0, scene.start(), [], [], None

    def crossing(direction):
        def f(t, y, a):
            return scene.gap(y)[0]
        f.terminal, f.direction = True, direction
        return f

    while t < times[-1]:
        s = solve_ivp(scene.rates, (t, times[-1]), y, args=(a,), dense_output=True,
                      events=crossing(-1 if a is None else 1),
                      max_step=1e-2 if a is None else 2e-3, **how)
        samples += [(1, x, *scene.world(s.sol(x))) for x in times if t < x <= s.t[-1]]
        t, y = s.t[-1], s.y[:, -1]
        if s.status != 1:
            break
        if a is None:
            rows.append((0, t, *scene.world(y)))
            a = damping(E) / (E * max(-scene.gap(y)[1], 1e-3))
            y = np.concatenate([y, [0, 0, 0]])
        else:
            a, y = None, y[:9]
    return np.array(rows + samples)


SCENES = {"incline": (Incline(), [0.6, 1, 2, 3]), "cylinder_2d": (Cylinder(0), [0.3, 0.8, 1.4, 2]),
          "cylinder_3d": (Cylinder(0.3), [0.3, 0.8, 1.4, 2])}


def main():
    with open("t/reference/balls.csv", "w") as out:
        out.write("# States of balls by make_balls.py (SciPy): at touches (kind 0) and times\n"
                  "scene,kind,time_s,x_m,y_m,z_m,vx_m_s,vy_m_s,vz_m_s,wx_rad_s,wy_rad_s,wz_rad_s\n")
        for name, (scene, times) in SCENES.items():
            one = run(scene, times, dict(method="Radau", rtol=1e-10, atol=1e-13))
            two = run(scene, times, dict(method="LSODA", rtol=1e-10, atol=1e-13))
            print(name, "agree to", abs(one - two).max())
            assert abs(one - two).max() < AGREE
            for row in one:
                out.write(f"{name},{row[0]:g}," + ",".join(f"{x:.9f}" for x in row[1:]) + "\n")


if __name__ == "__main__":
    main()
