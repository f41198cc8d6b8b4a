# Impacts in Yade, with exports of contactfit. CASES is a file of lines "EXPORT R1 R2 m1 m2 v h g gap...",
# R2 = 0 a plane, m2 = 0 held, g = 0, and SEEN the file that e goes to, a line each. It shares nothing with
# what writes or predicts.
from yade import *
import math
import os

def impact(export, R1, R2, m1, m2, v, h, gap, most):
    space = {}
    exec(open(export).read(), space)
    O.reset()
    for name, mass, radius in (('a', m1, R1), ('b', m2, R2)):
        density = mass/(4/3*math.pi*radius**3) if radius and mass else 1e3
        O.materials.append(space['contactfit_material_1'](density, name))
    ball = O.bodies.append(utils.sphere((0, 0, R1 + gap), R1, material=O.materials[0]))
    other = O.bodies.append(utils.sphere((0, 0, -R2), R2, material=O.materials[1], fixed=not m2)
                            if R2 else utils.wall(0, axis=2, sense=1, material=O.materials[1]))
    top, low = O.bodies[ball].state, O.bodies[other].state
    top.vel = (0, 0, -v)
    O.engines = [ForceResetter(),
                 InsertionSortCollider([Bo1_Sphere_Aabb(), Bo1_Wall_Aabb()], verletDist=R1),
                 InteractionLoop([Ig2_Sphere_Sphere_ScGeom(), Ig2_Wall_Sphere_ScGeom()],
                                 [space['contactfit_physics_1'](0, 1)],
                                 [Law2_ScGeom_MindlinPhys_Mindlin()]),
                 NewtonIntegrator(damping=0)]
    O.dt = h
    for n in range(most):
        O.run(500, True) # no force after the contact: its end need not be met to the step
        if top.vel[2] - low.vel[2] > 0 and top.pos[2] - low.pos[2] > R1 + R2:
            return '%.9g' % ((top.vel[2] - low.vel[2])/v)
    return 'stays'

with open(os.environ['SEEN'], 'w') as seen:
    for line in open(os.environ['CASES']):
        export, *numbers = line.split()
        R1, R2, m1, m2, v, h, _, *gaps = [float(x) for x in numbers]
        seen.write(' '.join(impact(export, R1, R2, m1, m2, v, h, gap, 1000) for gap in gaps) + '\n')
        seen.flush()
