// Impacts in MuJoCo, with exports of contactfit, which are included as a user would: the argument
// is a file of lines as impacts.hpp has them. It shares nothing with what writes or predicts.
#include "impacts.hpp"
#include <mujoco/mujoco.h>
// The integrator of the user's model, which the export leaves as it is.
#ifndef INTEGRATOR
#    define INTEGRATOR "Euler"
#endif

static std::string body(double z, double R, double m)
{
    char text[400];
    snprintf(text, sizeof text,
             "<body pos='0 0 %.17g'><joint type='slide' axis='0 0 1'/>"
             "<geom class='contactfit_1' type='sphere' size='%.17g' mass='%.17g'/></body>",
             z, R, m);
    return text;
}

static std::string scene(const pair &p, double gap)
{
    char text[400];
    std::string other = p.m2 > 0 ? body(-p.R2, p.R2, p.m2) : "";
    if (p.R2 == 0)
        other = "<geom class='contactfit_1' type='plane' size='1 1 .1'/>";
    else if (p.m2 == 0) {
        snprintf(text, sizeof text,
                 "<geom class='contactfit_1' type='sphere' size='%.17g' pos='0 0 %.17g'/>", p.R2,
                 -p.R2);
        other = text;
    }
    snprintf(text, sizeof text,
             "<option timestep='%.17g' integrator='" INTEGRATOR "' gravity='0 0 %.17g'/>", p.h,
             -p.g);
    std::string include = p.file.substr(p.file.rfind('/') + 1);
    return std::string("<mujoco>") + text + "<include file='" + include + "'/><worldbody>" +
           body(p.R1 + gap, p.R1, p.m1) + other + "</worldbody></mujoco>";
}

static double impact(int, const pair &p, double gap)
{
    std::string path = p.file.substr(0, p.file.rfind('/') + 1) + "scene.xml";
    std::ofstream(path) << scene(p, gap);
    char why[1000] = "";
    mjModel *model = mj_loadXML(path.c_str(), nullptr, why, sizeof why);
    if (!model) {
        std::cerr << why << "\n";
        exit(1);
    }
    mjData *data = mj_makeData(model);
    data->qvel[0] = -p.rate_at(gap);
    bool free = p.m2 > 0;
    double e = see(
        p, [&] { mj_step(model, data); },
        [&] { return -gap - data->qpos[0] + (free ? data->qpos[1] : 0); },
        [&] { return (free ? data->qvel[1] : 0) - data->qvel[0]; });
    mj_deleteData(data);
    mj_deleteModel(model);
    return e;
}

int main(int, char **arg)
{
    return run_impacts(arg[1], impact);
}
