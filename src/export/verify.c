/* The drops of --verify and their table. */

#include "export/verify.h"
#include "core/decimal.h"
#include "core/output.h"
#include "core/process.h"

#include <math.h>

#include "export/built.h"
#include "export/predict.h"
#include "export/run.h"

/* Steps in a contact where the user names no step; the gap from which the sphere comes, in
 * contact depths; and how long one run may take. */
static const double steps_a_contact = 1000, gap_a_depth = 1e-3, timeout_s = 60;

static void set_speeds(const struct cf_mapping *m, size_t n, struct cf_verification *out)
{
    double v = m->question.speed_m_s;
    double low, high;

    if (!cf_export_range(&m->question, m->material, &low, &high) || !(low < v && v < high)) {
        low = v / 2;
        high = 2 * v;
    }
    double last = (double) (n - 1), place = last * log(v / low) / log(high / low);
    out->n = n;
    out->design = (size_t) fmin(fmax(round(place), 1), last - 1);
    for (size_t i = 0; i < n; i++)
        out->drop[i].speed_m_s = low * pow(high / low, (double) i / last);
    out->drop[0].speed_m_s = low;
    out->drop[n - 1].speed_m_s = high;
    out->drop[out->design].speed_m_s = v;
}

/* A length and a time of the contact; a bounce by restitution has neither, any small ones do. */
static void sizes(const struct cf_mapping *m, const struct cf_seen *asked, double speed,
                  double *gap, double *dt)
{
    const double bounce_gap = 1e-4, bounce_dt = 1e-4; /* of the radius; s */
    bool real = isfinite(asked->depth_m);

    *gap = real ? gap_a_depth * asked->depth_m : bounce_gap * m->material->radius_m;
    if (!isnan(m->question.dt_s))
        *dt = m->question.dt_s;
    else
        *dt = real ? asked->duration_s / steps_a_contact : bounce_dt;
    (void) speed;
}

/* Does it stay on the surface, for its speed is below that from which the target bounces? */
static bool is_still(const struct cf_mapping *m, double speed_m_s)
{
    return m->twin.still_m_s >= speed_m_s && m->target->pushed_out > 0;
}

/* Steps of the run, with a margin after the last that counts. Where the force ends before the depth
 * does, the ball still has its way out. */
static int count_steps(const struct cf_mapping *m, const struct cf_seen *twin, struct cf_drop *drop,
                       struct cf_error *err)
{
    const double margin = 4, most = 5e6;
    bool stays = is_still(m, drop->speed_m_s);
    double time = twin->time_s;

    if (m->twin.scheme == CF_SCHEME_CONTINUOUS)
        time += drop->gap_m / drop->speed_m_s + twin->depth_m / (twin->e * drop->speed_m_s);
    double steps = ceil(time / drop->dt_s) + margin + (stays ? 1 / m->target->pushed_out : 0);
    if (!(twin->left || stays) || !(steps <= most))
        return cf_fail(err, CF_EINPUT,
                       "--verify: at %.4g m/s and dt = %.3g s the bounce does not end within %g "
                       "steps",
                       drop->speed_m_s, drop->dt_s, most);
    drop->steps = (long) steps;
    return CF_OK;
}

static int one(const struct cf_mapping *m, const char *folder, struct cf_curves *curves,
               struct cf_drop_result *out, struct cf_error *err)
{
    double speed = out->speed_m_s;
    const struct cf_material *material = m->material;
    struct cf_drop drop = {.speed_m_s = speed, .folder = folder, .timeout_s = timeout_s};

    int status = cf_restitution_at(curves, material->law, material->p, material->mass_kg, speed,
                                   &out->e_fit, err);
    if (!status)
        status = cf_predict_seen(m, speed, curves, &out->asked, err);
    if (status)
        return status;
    sizes(m, &out->asked, speed, &drop.gap_m, &drop.dt_s);
    out->dt_s = drop.dt_s;
    out->twin = out->asked;
    if (!m->target->shape)
        status = cf_twin_run(&m->twin, curves, speed, drop.dt_s, drop.gap_m, &out->twin, err);
    if (!status)
        status = count_steps(m, &out->twin, &drop, err);
    if (!status)
        status = m->target->drop(m, &drop, &out->seen, err);
    if (status)
        return status;
    out->predicted = fabs(out->seen.e - out->twin.e) <=
                     m->target->tolerance_e + (is_still(m, speed) ? m->target->pushed_out : 0);
    if (m->target->tolerance_depth > 0)
        out->predicted = out->predicted && fabs(out->seen.depth_m / out->twin.depth_m - 1) <=
                                               m->target->tolerance_depth;
    out->good = out->predicted && fabs(out->seen.e - out->e_fit) <= m->prediction.bound_e;
    return CF_OK;
}

/* To most targets the pair is the sphere of its m* and R* on a fixed plane: the same equation.
 * Where a target meets two spheres in another way, they are two, equal, one of them held. */
static struct cf_material as_drop(const struct cf_target *target,
                                  const struct cf_material *material)
{
    struct cf_material drop = *material;
    bool spheres = target->built && target->built->two_spheres && cf_export_two_spheres(material);

    if (spheres) {
        drop.body[0] = (struct cf_export_body){
            .name = "ball", .mass_kg = material->mass_kg, .radius_m = 2 * material->radius_m};
        drop.body[1] = (struct cf_export_body){.name = "sphere",
                                               .fixed = true,
                                               .mass_kg = (double) INFINITY,
                                               .radius_m = 2 * material->radius_m};
        return drop;
    }
    drop.body[0] = (struct cf_export_body){
        .name = "ball", .mass_kg = material->mass_kg, .radius_m = material->radius_m};
    drop.body[1] = (struct cf_export_body){.name = "plane",
                                           .plane = true,
                                           .fixed = true,
                                           .mass_kg = (double) INFINITY,
                                           .radius_m = (double) INFINITY};
    return drop;
}

/* Is e held at this speed? What is not the fit's law is no more than asked for elsewhere. */
static bool is_held(const struct cf_mapping *m, double speed_m_s)
{
    const struct cf_outlook *p = &m->prediction;

    return m->exactness != CF_EXACTNESS_CONSTANT_E || speed_m_s == m->question.speed_m_s ||
           (speed_m_s >= p->slowest_m_s && speed_m_s <= p->fastest_m_s);
}

static int cannot_run(const struct cf_target *target, struct cf_error *err)
{
    char others[512] = "";
    size_t used = 0;

    for (const struct cf_target *const *t = cf_targets; *t && used < sizeof others; t++)
        if ((*t)->drop)
            used += (size_t) snprintf(others + used, sizeof others - used, "%s%s", used ? ", " : "",
                                      (*t)->name);
    return cf_fail(err, CF_EINPUT, "--verify: %s cannot be run: must be one of %s", target->name,
                   others);
}

int cf_export_verify(const struct cf_mapping *m, size_t n, struct cf_curves *curves,
                     struct cf_verification *out, struct cf_error *err)
{
    struct cf_held_signals held;
    char *folder;

    *out = (struct cf_verification){.predicted = true, .good = true};
    if (!m->target->drop)
        return cannot_run(m->target, err);
    if (!(m->material->mass_kg > 0 && m->material->radius_m > 0 && isfinite(m->material->radius_m)))
        return cf_fail(err, CF_EINPUT,
                       "%s: --verify drops a sphere, and mass or radius of the pair is not known: "
                       "give --mass and --radius",
                       m->material->name);
    const struct cf_material material = as_drop(m->target, m->material);
    struct cf_mapping as_run = *m;
    as_run.material = &material;
    as_run.question.any_missing = true; /* one ball, which meets no other */
    m = &as_run;
    set_speeds(m, n, out);
    /* a signal ends what runs, and this process once its folder is gone */
    cf_signals_hold(&held);
    int status = cf_run_folder(&folder, err);
    if (status) {
        cf_signals_release(&held);
        return status;
    }
    if (m->target->prepare)
        status = m->target->prepare(m, folder, err);
    for (size_t i = 0; i < n && !status; i++) {
        struct cf_drop_result *drop = &out->drop[i];
        status = one(m, folder, curves, drop, err);
        out->predicted = out->predicted && drop->predicted;
        if (is_held(m, drop->speed_m_s))
            out->good = out->good && drop->good;
    }
    cf_run_folder_remove(folder);
    cf_signals_release(&held);
    return status;
}

/* A bounce by restitution has no depth and no duration. */
static void number(double value, FILE *out)
{
    if (isnan(value))
        fprintf(out, " %10s", "-");
    else
        fprintf(out, " %10.4g", value);
}

void cf_verification_print(const struct cf_mapping *m, const struct cf_verification *v, FILE *out)
{
    fprintf(out, "# %s, %s, run by %s: e within %.2g of the fit is good\n", m->material->name,
            cf_mapping_exactness(m), m->target->title, m->prediction.bound_e);
    fprintf(out, "%9s %9s %8s %8s %8s %8s %10s %10s %10s %10s  %s\n", "speed", "dt", "e", "e", "e",
            "e", "depth", "depth", "duration", "duration", "");
    fprintf(out, "%9s %9s %8s %8s %8s %8s %10s %10s %10s %10s  %s\n", "m/s", "s", "fit", "asked",
            "twin", "seen", "asked, m", "seen, m", "asked, s", "seen, s", "verdict");
    for (size_t i = 0; i < v->n; i++) {
        const struct cf_drop_result *d = &v->drop[i];
        fprintf(out, "%9.4g %9.3g %8.5f %8.5f %8.5f %8.5f", d->speed_m_s, d->dt_s, d->e_fit,
                d->asked.e, d->twin.e, d->seen.e);
        number(d->asked.depth_m, out);
        number(d->seen.depth_m, out);
        number(d->asked.duration_s, out);
        number(d->seen.duration_s, out);
        fprintf(out, "  %s\n",
                !d->predicted ? "NOT AS PREDICTED"
                : d->good     ? "good"
                              : "as predicted, off the fit");
    }
}

void cf_verification_data(const struct cf_mapping *m, const struct cf_verification *v, FILE *out)
{
    fprintf(out,
            "# " CF_OUTPUT_MARK "\n"
            "# synthetic: drops run by %s with the export of %s, no measurements\n"
            "# effective mass %.9g kg, effective radius %.9g m\n"
            "speed_m_s,restitution,duration_s,depth_m\n",
            m->target->title, m->material->name, m->material->mass_kg, m->material->radius_m);
    for (size_t i = 0; i < v->n; i++) {
        const struct cf_drop_result *d = &v->drop[i];
        const double cell[] = {d->speed_m_s, d->seen.e, d->seen.duration_s, d->seen.depth_m};
        for (size_t j = 0; j < sizeof cell / sizeof *cell; j++) {
            cf_decimal_put(cell[j], out);
            putc(j + 1 < sizeof cell / sizeof *cell ? ',' : '\n', out);
        }
    }
}
