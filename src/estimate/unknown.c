/* What an unknown is: its name, its scale, the parameter that it stands for. */

#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/values.h"

double cf_unknown_value(const struct cf_unknown *unknown, double theta)
{
    return unknown->scale == CF_SCALE_LOG ? exp(theta) : theta;
}

double cf_unknown_theta(const struct cf_unknown *unknown, double value)
{
    return unknown->scale == CF_SCALE_LOG ? log(value) : value;
}

const char *const cf_bound_by_name[CF_NBOUND_BY] = {"default", "data", "study"};

/* A parameter within this share of its range of a bound is at it. */
static const double bound_share = 1e-3;

/* But one that must not be negative may be a small part of its range: fits that run into the bound
 * end nearer to it (descent.c, pinned_share). */
static const double zero_share = 1e-6;

int cf_unknown_at_bound(const struct cf_unknown *unknown, double theta)
{
    double share = (theta - unknown->lower) / (unknown->upper - unknown->lower);

    if (unknown->scale == CF_SCALE_LINEAR && unknown->lower == 0 && share < 0.5)
        return share < zero_share ? -1 : 0;
    return share < bound_share ? -1 : share > 1 - bound_share ? 1 : 0;
}

/* The target of a given name, or nparam when the (rival) law has no such thing. */
size_t cf_law_target(const struct cf_law *law, const char *name)
{
    size_t i = cf_param_find(law->param, law->nparam, name);
    const struct cf_alias *s = i < law->nparam ? NULL : cf_law_alias(law, name);
    return s ? s->target : i;
}

/* Does a given k mean the same in this law? A linear law's k [N/m] is not Hertz's [N/m^1.5]. */
bool cf_same_meaning(const struct cf_problem *q, const char *name)
{
    size_t own = cf_law_target(q->spec->law, name), here = cf_law_target(q->law, name);
    return own < q->spec->law->nparam && here < q->law->nparam &&
           strcmp(q->spec->law->param[own].unit, q->law->param[here].unit) == 0;
}

size_t cf_held_count(const struct cf_spec *spec)
{
    return spec->ngiven + spec->nrival_given;
}

bool cf_held_at(const struct cf_problem *q, size_t i, struct cf_held *held)
{
    const struct cf_spec *spec = q->spec;
    const struct cf_rival_given *alone =
        i < spec->ngiven ? NULL : &spec->rival_given[i - spec->ngiven];
    const struct cf_given *given = alone ? &alone->given : &spec->given[i];
    size_t target = cf_law_target(q->law, given->name);

    if (target == q->law->nparam || (!alone && !cf_same_meaning(q, given->name)))
        return false;
    *held = (struct cf_held){given, target, NULL};
    if (cf_param_find(q->law->param, q->law->nparam, given->name) == q->law->nparam)
        held->alias = cf_law_alias(q->law, given->name);
    return !alone ||
           strcmp(alone->unit, held->alias ? held->alias->unit : q->law->param[target].unit) == 0;
}

const char *cf_problem_name(struct cf_problem *problem, const char *format, ...)
{
    char **more = realloc(problem->name, (problem->nname + 1) * sizeof *more), *text;
    va_list args;
    int length;

    if (!more)
        return NULL;
    problem->name = more;
    va_start(args, format);
    length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    text = length < 0 ? NULL : malloc((size_t) length + 1);
    if (!text)
        return NULL;
    va_start(args, format);
    vsnprintf(text, (size_t) length + 1, format, args);
    va_end(args);
    return more[problem->nname++] = text;
}
