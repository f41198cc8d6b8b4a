# Impacts of two spheres in ESyS-Particle, with an export of contactfit: arguments are the folder of
# contactfit_export.py, R1, R2, m1, m2 (0: held), v, h, the number of steps and the gaps, a pair for
# each. Their e go to "seen" in that folder. It shares nothing with what writes or predicts.
import sys
from esys.lsm import *
from esys.lsm.util import *

folder = sys.argv[1]
R1, R2, m1, m2, v, h = [float(x) for x in sys.argv[2:8]]
steps = int(sys.argv[8])
gaps = [float(x) for x in sys.argv[9:]]
sys.path.insert(0, folder)
from contactfit_export import contactfit_pair_1

class Log(Runnable):
    def __init__(self, sim):
        Runnable.__init__(self)
        self.sim = sim
        self.left = steps
    def run(self):
        self.left -= 1
        if self.left:
            return
        p = sorted(self.sim.getParticleList(), key=lambda p: p.getId())
        out = open(folder + '/seen', 'w')
        for a, b in zip(p[0::2], p[1::2]):
            apart = a.getPosn()[0] - b.getPosn()[0] > R1 + R2
            e = (a.getLinearVelocity()[0] - b.getLinearVelocity()[0])/v
            out.write('%.9g ' % e if apart and e > 0 else 'stays ')
        out.write('\n')
        out.close()

L = R1 + R2
far = 10*L*(len(gaps) + 4)
sim = LsmMpi(numWorkerProcesses=1, mpiDimList=[1, 1, 1])
sim.initNeighbourSearch(particleType='NRotSphere', gridSpacing=5*max(R1, R2),
                        verletDist=0.2*min(R1, R2))
sim.setNumTimeSteps(steps)
sim.setTimeStepSize(h)
sim.setSpatialDomain(BoundingBox(Vec3(-far, -far, -far), Vec3(far, far, far)))
for i, gap in enumerate(gaps):
    a = NRotSphere(id=2*i, posn=Vec3(L + gap, 10*L*i, 0), radius=R1, mass=m1)
    a.setLinearVelocity(Vec3(-v, 0, 0))
    sim.createParticle(a)
    b = NRotSphere(id=2*i + 1, posn=Vec3(0, 10*L*i, 0), radius=R2, mass=m2 or 1e9*m1)
    sim.createParticle(b)
sim.createInteractionGroup(contactfit_pair_1())
log = Log(sim) # sim does not keep it
sim.addPostTimeStepRunnable(log)
sim.run()
