# Two spheres meet in ESyS-Particle, with an export of contactfit: arguments are the folder of
# contactfit_export.py, R1, R2, m1, m2, v, h, gap and the number of steps; e goes to "seen" in that
# folder. It shares nothing with what writes or predicts.
import sys
from esys.lsm import *
from esys.lsm.util import *

folder = sys.argv[1]
R1, R2, m1, m2, v, h, gap = [float(x) for x in sys.argv[2:9]]
sys.path.insert(0, folder)
from contactfit_export import contactfit_pair_1

class Log(Runnable):
    def __init__(self, sim):
        Runnable.__init__(self)
        self.sim = sim
        self.left = int(sys.argv[9])
    def run(self):
        self.left -= 1
        if self.left:
            return
        a, b = sorted(self.sim.getParticleList(), key=lambda p: p.getId())
        out = open(folder + '/seen', 'w')
        out.write('%.9g\n' % ((a.getLinearVelocity()[0] - b.getLinearVelocity()[0])/v))
        out.close()

L = R1 + R2
sim = LsmMpi(numWorkerProcesses=1, mpiDimList=[1, 1, 1])
sim.initNeighbourSearch(particleType='NRotSphere', gridSpacing=5*max(R1, R2), verletDist=0.2*R1)
sim.setNumTimeSteps(int(sys.argv[9]))
sim.setTimeStepSize(h)
sim.setSpatialDomain(BoundingBox(Vec3(-40*L, -40*L, -40*L), Vec3(40*L, 40*L, 40*L)))
a = NRotSphere(id=0, posn=Vec3(L + gap, 0, 0), radius=R1, mass=m1)
a.setLinearVelocity(Vec3(-v, 0, 0))
sim.createParticle(a)
sim.createParticle(NRotSphere(id=1, posn=Vec3(0, 0, 0), radius=R2, mass=m2))
sim.createInteractionGroup(contactfit_pair_1())
log = Log(sim) # sim does not keep it
sim.addPostTimeStepRunnable(log)
sim.run()
