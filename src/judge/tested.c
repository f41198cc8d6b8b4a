#include "judge/tested.h"

#include <math.h>

/* Rows within this factor of each other on a logarithmic axis lie at one place: what the laws here
 * predict goes with a power of some 0.2 of the speed, and so changes by less than 1 % in between.
 */
static const double one_place = 1.05;

/* Is there a number against which the fit could have failed? */
static bool has_freedom(struct cf_fit *fit)
{
    const struct cf_optimum *o = &fit->optimum;
    size_t n = o->problem.nobservation, fitted = o->rank.rank + o->problem.nlocal;

    if (o->dof > 0)
        return true;
    cf_add_finding(&fit->findings, CF_RULE_FREEDOM,
                   "%zu number%s fitted to %zu measured one%s, so that the law had to fit them",
                   fitted, fitted == 1 ? " was" : "s were", n, n == 1 ? "" : "s");
    cf_say(
        &fit->advice,
        "measure more: only measurements beyond those that its parameters need can test the law");
    return false;
}

/* The part of a protocol's axis on which something was measured. */
struct reach {
    double low, high;
    bool any, covered; /* at more than one place */
};

static struct reach reach_of(const struct cf_problem *q, const struct cf_protocol *protocol)
{
    struct reach r = {(double) INFINITY, -(double) INFINITY, false, false};

    for (size_t i = 0; i < q->nobservation; i++)
        if (q->spec->data[q->observation[i].data].protocol == protocol) {
            r.low = fmin(r.low, q->observation[i].abscissa);
            r.high = fmax(r.high, q->observation[i].abscissa);
        }
    r.any = r.low <= r.high;
    r.covered = r.any && (protocol->axis.linear ? r.high > r.low : r.high > one_place * r.low);
    return r;
}

static void say_place(struct cf_fit *fit, const struct cf_axis *axis, const struct reach *r)
{
    struct cf_finding *f;

    if (r->high > r->low)
        f = cf_add_finding(&fit->findings, CF_RULE_PLACE,
                           "all rows lie between %.3g and %.3g %s: how the law depends on the %s "
                           "was not tested",
                           r->low, r->high, axis->unit, axis->name);
    else
        f = cf_add_finding(&fit->findings, CF_RULE_PLACE,
                           "all rows lie at %.3g %s: how the law depends on the %s was not tested",
                           r->low, axis->unit, axis->name);
    f->at = r->low;
    f->size = r->high - r->low;
    f->unit = axis->unit;
    cf_say(&fit->advice, "measure at other %s, too", axis->plural);
}

/* Is it the first data set of its protocol? */
static bool is_first(const struct cf_spec *spec, size_t data)
{
    for (size_t i = 0; i < data; i++)
        if (spec->data[i].protocol == spec->data[data].protocol)
            return false;
    return true;
}

/* What one protocol leaves open another one tests: the law is one. */
static void judge_places(struct cf_fit *fit)
{
    const struct cf_problem *q = &fit->optimum.problem;
    const struct cf_spec *spec = q->spec;

    for (size_t i = 0; i < spec->ndata; i++)
        if (is_first(spec, i) && reach_of(q, spec->data[i].protocol).covered)
            return;
    for (size_t i = 0; i < spec->ndata; i++) {
        struct reach r = reach_of(q, spec->data[i].protocol);
        if (is_first(spec, i) && r.any)
            say_place(fit, &spec->data[i].protocol->axis, &r);
    }
}

/* Rows of a data set in which friction goes with the sign of the speed. */
struct directions {
    size_t n, forth; /* rows; those with a positive speed */
    size_t against;  /* whose reading has the sign that is not predicted */
};

/* Has a reading the sign that is not predicted? */
static bool is_against(const struct cf_observation *o, double predicted)
{
    return o->value * predicted < 0;
}

static struct directions count_directions(const struct cf_fit *fit, size_t data)
{
    const struct cf_problem *q = &fit->optimum.problem;
    struct directions d = {0, 0, 0};

    for (size_t i = 0; i < q->nobservation; i++) {
        const struct cf_observation *o = &q->observation[i];
        if (o->data != data)
            continue;
        d.n++;
        d.forth += o->abscissa > 0;
        d.against += is_against(o, fit->predicted[i].value);
    }
    return d;
}

/* Is a gain or a bias of the data set's readings fitted along? */
static bool has_offset(const struct cf_spec *spec, size_t data)
{
    for (size_t i = 0; i < spec->nnuisance; i++)
        if (spec->nuisance[i].data == data && spec->nuisance[i].kind == CF_NUISANCE_BIAS)
            return true;
    return false;
}

/* So few rows show no direction; and of so many of them the sign is a matter of what was stated. */
enum { LEAST_SIGNED = 6 };
static const double least_against = 0.95;

/* The slow rows of a data set, up to the fastest whose reading has the sign that is not predicted.
 */
struct slow {
    double limit;       /* of their speeds */
    size_t n, fast;     /* rows up to there, and beyond */
    size_t against[2];  /* of slow ones, by direction */
    double size, noise; /* of readings against: their mean size; rms of what fast ones leave */
};

static struct slow find_slow(const struct cf_fit *fit, size_t data)
{
    const struct cf_problem *q = &fit->optimum.problem;
    struct slow s = {.limit = 0};

    for (size_t i = 0; i < q->nobservation; i++) {
        const struct cf_observation *o = &q->observation[i];
        if (o->data != data || !is_against(o, fit->predicted[i].value))
            continue;
        s.limit = fmax(s.limit, fabs(o->abscissa));
        s.size += fabs(o->value);
        s.against[o->abscissa > 0]++;
    }
    s.size /= (double) (s.against[0] + s.against[1]);
    for (size_t i = 0; i < q->nobservation; i++) {
        const struct cf_observation *o = &q->observation[i];
        double left = o->value - fit->predicted[i].value;
        bool fast = fabs(o->abscissa) > s.limit;
        if (o->data != data)
            continue;
        s.n += !fast;
        s.fast += fast;
        s.noise += fast ? left * left : 0;
    }
    s.noise = sqrt(s.noise / (double) s.fast);
    return s;
}

/* Two in each direction: an offset of the sensor turns the signs of one; and readings so much
 * larger than what fast rows leave over have a sign of their own. */
enum { LEAST_AGAINST = 2 };
static const double certain = 4;

/* An error that turned the sign of a speed reaches further in other rows: of some ten such rows the
 * largest is one and a half of its sd. */
static const double reach = 2;

/* A speed that is no larger than its own error does not tell which way the body slides. */
static void judge_slow(struct cf_fit *fit, size_t data, const struct cf_dataset *d)
{
    const struct cf_axis *axis = &d->protocol->axis;
    const struct slow s = find_slow(fit, data);

    if (s.against[0] < LEAST_AGAINST || s.against[1] < LEAST_AGAINST || s.fast < LEAST_SIGNED ||
        !(s.size > certain * s.noise))
        return;
    struct cf_finding *f = cf_add_finding(
        &fit->findings, CF_RULE_SLOW,
        "%s: %zu of the %zu rows up to %.3g %s have a reading of the other sign than their %s, and "
        "none of the %zu faster ones has: there the %s is no larger than its own error, and does "
        "not tell the direction",
        d->name, s.against[0] + s.against[1], s.n, s.limit, axis->unit, axis->name, s.fast,
        axis->name);
    f->data = d->name;
    f->size = s.limit;
    f->unit = axis->unit;
    f->at = s.limit;
    cf_say(&fit->advice,
           "take the %s that was set in place of the one that was measured, or leave rows out that "
           "are no faster than %.3g %s in size: exclude: [{row: ..., to_row: ..., because: ...}]",
           axis->name, reach * s.limit, axis->unit);
}

static void judge_directions(struct cf_fit *fit)
{
    const struct cf_spec *spec = fit->optimum.problem.spec;

    for (size_t i = 0; i < spec->ndata; i++) {
        const struct cf_dataset *d = &spec->data[i];
        const struct directions at = count_directions(fit, i);
        if (!d->protocol->axis.jumps || at.n < LEAST_SIGNED)
            continue;
        if ((double) at.against >= least_against * (double) at.n) {
            struct cf_finding *f = cf_add_finding(
                &fit->findings, CF_RULE_SIGN,
                "%s: %zu of %zu readings have the other sign than the %s, which friction has here: "
                "was the sign of one reversed?",
                d->name, at.against, at.n, d->protocol->axis.name);
            f->data = d->name;
            f->size = (double) at.against;
            f->unit = "readings";
            cf_say(&fit->advice, "reverse a sign, columns: {NAME: {from: ..., sign: -1}}");
        } else if ((at.forth == 0 || at.forth == at.n) && !has_offset(spec, i)) {
            cf_add_finding(&fit->findings, CF_RULE_ONE_WAY,
                           "note: all %s of %s are of one sign: a weight, or an offset of the "
                           "sensor, would be taken for friction",
                           d->protocol->axis.plural, d->name)
                ->data = d->name;
        } else {
            judge_slow(fit, i, d);
        }
    }
}

void cf_judge_reach(struct cf_fit *fit)
{
    if (has_freedom(fit))
        judge_places(fit);
    judge_directions(fit);
}
