/* Running a slider: its start, its scales, and its states at the times that are asked for. */

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/by_age.h"
#include "experiment/slider_parts.h"

struct run {
    struct cf_slider_work work;
    struct cf_slider_samples samples;
};

int cf_slider_check(const struct cf_slider *s, struct cf_error *err)
{
    const struct cf_slide c = {.normal_N = 1, .state = (double[CF_FRICTION_STATES]){0}};
    struct cf_friction_parts parts;
    bool moves = s->drive != CF_SLIDER_BY_DISPLACEMENT;

    if (s->number[CF_SLIDER_MASS] > 0)
        return CF_OK;
    if (moves || s->seen == CF_SLIDER_ACCELERATION)
        return cf_fail(err, CF_EINPUT,
                       "a block that forces move needs its mass (apparatus: {mass: 1 kg})");
    s->law->parts(s->p, &c, &parts);
    if (cf_slider_gives_way(s) && !(s->number[CF_SLIDER_DAMPING] > 0) && !(parts.viscous_N_s_m > 0))
        return cf_fail(err, CF_EINPUT,
                       "in a frame that gives way a block without mass has no speed of its own, "
                       "where neither the frame nor %s has viscous damping: state one of them "
                       "(apparatus: {mass: 1 kg} or {damping: 10 N s/m})",
                       s->law->name);
    return CF_OK;
}

/* ---- start */

/* The frame in balance with friction: u of its spring's force, and how it changes. */
static double stretch(const struct cf_slider *s, double force_N)
{
    double k = s->number[CF_SLIDER_STIFFNESS], half = s->number[CF_SLIDER_BACKLASH] / 2;
    return force_N >= 0 ? force_N / k + half : force_N / (k * s->number[CF_SLIDER_RATIO]) - half;
}

static double vary_stretch(const struct cf_slider *s, double force_N, double dforce_N,
                           size_t number)
{
    double k = s->number[CF_SLIDER_STIFFNESS], ratio = s->number[CF_SLIDER_RATIO];
    double side = force_N >= 0 ? k : k * ratio, du = dforce_N / side;

    if (number == CF_SLIDER_STIFFNESS)
        du -= force_N / side / k;
    else if (number == CF_SLIDER_RATIO && force_N < 0)
        du -= force_N / side / ratio;
    else if (number == CF_SLIDER_BACKLASH)
        du += force_N >= 0 ? 0.5 : -0.5;
    return du;
}

/* How far the frame is stretched as the block moves with the drive. */
static void put_place(struct cf_slider_work *w, double y[], double s[])
{
    const struct cf_slider *slider = w->s;
    struct cf_slider rigid = *slider;
    struct cf_slider_columns columns = {w->ncolumn, w->column};
    struct cf_slider_work stiff;
    struct cf_slider_now now;
    struct cf_slider_change change[CF_SLIDER_COLUMNS];
    double of_friction[CF_SLIDER_COLUMNS * CF_SLIDER_STATES] = {0};

    rigid.number[CF_SLIDER_STIFFNESS] = 0;
    rigid.number[CF_SLIDER_BANDWIDTH] = 0;
    cf_slider_layout(&stiff, &rigid, &columns);
    for (size_t c = 0; s && c < w->ncolumn; c++)
        memcpy(of_friction + c * stiff.n, s + c * w->n, w->nfriction * sizeof *s);
    cf_slider_look(&stiff, slider->from_s, y, &now);
    y[w->place] = stretch(slider, now.friction_N);
    if (w->velocity != CF_SLIDER_NONE)
        y[w->velocity] = now.driven[1];
    if (!s)
        return;
    cf_slider_vary(&stiff, &now, of_friction, change);
    for (size_t c = 0; c < w->ncolumn; c++)
        s[c * w->n + w->place] = vary_stretch(slider, now.friction_N, change[c].friction_N,
                                              w->column[c] - slider->law->nparam);
}

/* Springs pressed by this part of their deflection do not slide: there stiffness alone shows. */
static const double BARELY = 1e-6;

/* The deflection, alike in all springs, at which they hold start_N under the load of the start; s:
 * NULL, or of each column what makes it stay at that force. */
static double held(const struct cf_slider_work *w, double s[])
{
    const struct cf_slider *slider = w->s;
    struct cf_slide c = {.normal_N = slider->number[CF_SLIDER_LOAD],
                         .state = (double[CF_FRICTION_STATES]){0}};
    struct cf_friction_parts parts;
    double load[3], state[CF_FRICTION_STATES] = {0}, sum = 0, z, force[2 * CF_SLIDER_COLUMNS],
                    rate[CF_SLIDER_COLUMNS * CF_FRICTION_STATES];

    if (slider->piece && slider->piece->load) {
        cf_smoothing_at(slider->piece->load, slider->from_s, load);
        c.normal_N = load[0];
    }
    slider->law->parts(slider->p, &c, &parts);
    for (size_t i = 0; i < slider->law->nvector; i++)
        sum += parts.stiffness_N_m[i];
    z = sum > 0 ? slider->start_N / sum : 0;
    if (!s || z == 0)
        return z;
    for (size_t i = 0; i < slider->law->nstate; i++)
        state[i] = i >= 2 * slider->law->nvector ? slider->law->rested ? slider->law->rested[i] : 0
                   : i % 2 == 0                  ? z * BARELY
                                                 : 0;
    c.state = state;
    cf_friction_vary(slider->law, slider->p, &c, w->ncolumn, w->d + CF_FRICTION_COLUMNS, force,
                     rate);
    for (size_t k = 0; k < w->ncolumn; k++)
        s[k] = force[2 * k] / sum / BARELY;
    return z;
}

/* s: NULL, or zeros. */
static void begin(struct cf_slider_work *w, double y[], double s[])
{
    const struct cf_slider *slider = w->s;
    size_t deflection = slider->law->nparam + CF_SLIDER_DEFLECTION,
           speed = slider->law->nparam + CF_SLIDER_SPEED;
    struct cf_slider_change change[CF_SLIDER_COLUMNS];
    struct cf_slider_now now;
    double moves[CF_SLIDER_COLUMNS] = {0},
           z = slider->number[CF_SLIDER_DEFLECTION] + held(w, s ? moves : NULL);

    for (size_t i = 0; i < w->nfriction; i++) {
        bool vector = w->of[i] < 2 * slider->law->nvector;
        y[i] = vector ? z : slider->law->rested ? slider->law->rested[w->of[i]] : 0;
        for (size_t c = 0; s && vector && c < w->ncolumn; c++)
            s[c * w->n + i] = moves[c] + (w->column[c] == deflection);
    }
    if (w->place != CF_SLIDER_NONE && slider->drive == CF_SLIDER_BY_DISPLACEMENT)
        put_place(w, y, s);
    else if (w->velocity != CF_SLIDER_NONE) {
        y[w->velocity] = slider->number[CF_SLIDER_SPEED];
        for (size_t c = 0; s && c < w->ncolumn; c++)
            s[c * w->n + w->velocity] = w->column[c] == speed;
    }
    if (w->sensor == CF_SLIDER_NONE || slider->drive == CF_SLIDER_LEFT_ALONE)
        return; /* the sensor has seen a block at rest */
    cf_slider_look(w, slider->from_s, y, &now);
    y[w->sensor] = now.seen;
    if (!s)
        return;
    cf_slider_vary(w, &now, s, change);
    for (size_t c = 0; c < w->ncolumn; c++)
        s[c * w->n + w->sensor] = change[c].seen;
}

/* ---- samples */

static void stepped(void *observer, const struct cf_ode_dense *dense)
{
    struct run *r = observer;
    struct cf_slider_samples *to = &r->samples;
    double from, until, y[CF_SLIDER_STATES], dydt[CF_SLIDER_STATES],
        s[CF_SLIDER_COLUMNS * CF_SLIDER_STATES];
    size_t all[CF_SLIDER_STATES];

    for (size_t i = 0; i < r->work.n; i++)
        all[i] = i;
    cf_ode_dense_span(dense, &from, &until);
    for (; to->next < to->n && to->time_s[to->by_age[to->next]] <= until; to->next++) {
        size_t sample = to->by_age[to->next];
        double t = to->time_s[sample];
        cf_ode_dense_states_at(dense, t, r->work.n, all, y, dydt, s);
        cf_slider_note(&r->work, to, sample, t, y, dydt, s);
    }
}

/* The samples that are not behind the start: as at it, and not moving; a block that is left alone
 * then was at rest before. */
static void before(struct run *r, const double y[], const double s[])
{
    const double rest[CF_SLIDER_STATES] = {0};
    struct cf_slider_samples *to = &r->samples;
    double from = r->work.s->from_s;
    bool rested = r->work.s->drive == CF_SLIDER_LEFT_ALONE;

    for (; to->next < to->n && to->time_s[to->by_age[to->next]] <= from; to->next++) {
        size_t sample = to->by_age[to->next];
        cf_slider_note(&r->work, to, sample, from, y, rest, s);
        if (rested && to->time_s[sample] < from) {
            to->y[sample] = 0;
            for (size_t c = 0; to->by && c < r->work.ncolumn; c++)
                to->by[sample * r->work.ncolumn + c] = 0;
        }
        if (to->by_time)
            to->by_time[sample] = 0;
    }
}

/* By the stepper, within a tolerance. */
static int integrate(struct run *r, double tolerance, size_t max_steps, double y[], double s[],
                     struct cf_error *err)
{
    struct cf_slider_work *w = &r->work;
    const struct cf_slider_samples *to = &r->samples;
    double t = w->s->from_s, scale[CF_SLIDER_STATES];
    struct cf_ode_system system = {.n = w->n,
                                   .ncolumn = to->by ? w->ncolumn : 0,
                                   .rates = cf_slider_rates,
                                   .variation = cf_slider_variation};
    struct cf_ode_options options = {.method = CF_ODE_AUTO,
                                     .tolerance = tolerance,
                                     .scale = scale,
                                     .max_steps = max_steps,
                                     .step = stepped,
                                     .observer = r};
    struct cf_ode_result result;
    struct cf_ode *ode = cf_ode_alloc(w->n, system.ncolumn);
    int status;

    if (!ode)
        return cf_fail(err, CF_ENOMEM, "no memory to integrate a slider");
    cf_slider_scales(w, scale);
    status = cf_ode_run(ode, &system, w, &options, &t, y, s, to->time_s[to->by_age[to->n - 1]],
                        &result, err);
    cf_ode_free(ode);
    return status;
}

static int run(struct run *r, double tolerance, size_t max_steps, struct cf_error *err)
{
    double y[CF_SLIDER_STATES] = {0}, s[CF_SLIDER_COLUMNS * CF_SLIDER_STATES] = {0};

    begin(&r->work, y, r->samples.by ? s : NULL);
    before(r, y, s);
    if (r->samples.next == r->samples.n)
        return CF_OK;
    return tolerance > 0 ? integrate(r, tolerance, max_steps, y, s, err)
                         : cf_slider_grid(&r->work, &r->samples, y, s, err);
}

int cf_slider_run(const struct cf_slider *s, size_t n, const double time_s[],
                  const struct cf_slider_columns *columns, double tolerance, size_t max_steps,
                  double y[], double by[], double by_time[], struct cf_error *err)
{
    static const struct cf_slider_columns none = {0, NULL};
    struct run *r = calloc(1, sizeof *r);
    double *shown = malloc((n + 1) * sizeof *shown);
    size_t *by_age = malloc((n + 1) * sizeof *by_age);
    int status = cf_slider_check(s, err);

    if (!status && (!r || !shown || !by_age))
        status = cf_fail(err, CF_ENOMEM, "no memory for %zu samples of a slider", n);
    if (!status) {
        cf_slider_layout(&r->work, s, by ? columns : &none);
        for (size_t i = 0; i < n; i++)
            shown[i] = fmin(time_s[i] - s->number[CF_SLIDER_DELAY],
                            s->piece ? s->piece->to_s : (double) INFINITY);
        cf_by_age(n, shown, by_age);
        r->samples = (struct cf_slider_samples){
            .n = n, .time_s = shown, .by_age = by_age, .y = y, .by = by, .by_time = by_time};
        status = run(r, tolerance, max_steps, err);
    }
    free(r);
    free(shown);
    free(by_age);
    return status;
}
