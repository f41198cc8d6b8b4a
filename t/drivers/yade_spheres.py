# Two spheres meet in Yade, with exports of contactfit. CASES is a file of lines "EXPORT R1 R2 m1 m2
# v h gap", and SEEN the file that e goes to, a line each. It shares nothing with what writes or
# predicts.
from yade import *
import math
import os

seen = open(os.environ['SEEN'], 'w')
for line in open(os.environ['CASES']):
    export, *numbers = line.split()
    R1, R2, m1, m2, v, h, gap = [float(x) for x in numbers]
    space = {}
    exec(open(export).read(), space)
    O.reset()
    for name, mass, radius in (('a', m1, R1), ('b', m2, R2)):
        density = mass/(4/3*math.pi*radius**3)
        O.materials.append(space['contactfit_material_1'](density, name))
    bodies = [O.bodies.append(utils.sphere((0, 0, R1 + R2 + gap), R1, material=O.materials[0])),
              O.bodies.append(utils.sphere((0, 0, 0), R2, material=O.materials[1]))]
    top, low = [O.bodies[b].state for b in bodies]
    top.vel = (0, 0, -v)
    O.engines = [ForceResetter(),
                 InsertionSortCollider([Bo1_Sphere_Aabb()], verletDist=R1),
                 InteractionLoop([Ig2_Sphere_Sphere_ScGeom()], [space['contactfit_physics_1'](0, 1)],
                                 [Law2_ScGeom_MindlinPhys_Mindlin()]),
                 NewtonIntegrator(damping=0)]
    O.dt = h
    for n in range(20000):
        O.step()
        if top.vel[2] - low.vel[2] > 0 and top.pos[2] - low.pos[2] > R1 + R2:
            break
    seen.write('%.9g\n' % ((top.vel[2] - low.vel[2])/v))
    seen.flush()
