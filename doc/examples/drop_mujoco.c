/* The bounces of a ball in MuJoCo, with the contact that contactfit wrote for its time step.
 *
 *     contactfit export --to mujoco golf_ball_bounces.json --dt 1ms --keep step --gravity 9.81 \
 *         -o contact.xml
 *     cc drop_mujoco.c -o drop_mujoco -lmujoco -lm          (apt-get install libmujoco-dev)
 *     ./drop_mujoco drop_mujoco.xml 0.021
 *
 * prints the speed of each touch and e, from the tops of the flights before and after it.
 */

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>

int main(int n, char **argument)
{
    char message[1000] = "";
    mjModel *model = n == 3 ? mj_loadXML(argument[1], NULL, message, sizeof message) : NULL;

    if (!model) {
        fprintf(stderr, "drop_mujoco: %s\n", n == 3 ? message : "MODEL.xml and a radius are wanted");
        return 1;
    }
    mjData *data = mj_makeData(model);
    double radius = atof(argument[2]), gravity = -model->opt.gravity[2];
    double top = data->qpos[2] - radius;

    for (int i = 0, bounces = 0; i < 60000 && bounces < 12; i++) {
        double rising = data->qvel[2];
        mj_step(model, data);
        if (rising > 0 && data->qvel[2] <= 0) {
            double next = data->qpos[2] - radius;
            printf("%.4f m/s: e = %.4f\n", sqrt(2 * gravity * top), sqrt(next / top));
            top = next;
            bounces++;
        }
    }
    mj_deleteData(data);
    mj_deleteModel(model);
    return 0;
}
