/* Two balls on one floor in MuJoCo, with the export of a fit of each: the argument is a file of MJCF, in
 * which the balls are the only joints, slides along z; then the speed of approach and the number of
 * steps. It prints the e of each. It shares nothing with what writes or predicts. */

#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    char error[1000] = "";
    mjModel *model = argc == 4 ? mj_loadXML(argv[1], NULL, error, sizeof error) : NULL;
    if (!model || model->nv != 2) {
        fprintf(stderr, "%s\n", error);
        return 1;
    }
    mjData *data = mj_makeData(model);
    double speed = atof(argv[2]);
    data->qvel[0] = data->qvel[1] = -speed;
    for (long i = 0, n = atol(argv[3]); i < n; i++)
        mj_step(model, data);
    printf("%.9g %.9g\n", data->qvel[0] / speed, data->qvel[1] / speed);
    mj_deleteData(data);
    mj_deleteModel(model);
    return 0;
}
