#include "judge/plausibility.h"

#include <float.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/decimal.h"
#include "core/list.h"
#include "core/text.h"
#include "estimate/evaluate.h"

/* ---- the rules of every experiment */

static double density(const struct cf_plausible_row *r, size_t sphere)
{
    return cf_sphere_density(&r->data->pair, sphere);
}

static double diameter(const struct cf_plausible_row *r, size_t sphere)
{
    return 2 * cf_sphere_radius(&r->data->pair, sphere);
}

static double mass(const struct cf_plausible_row *r, size_t sphere)
{
    return r->data->pair.sphere[sphere].name ? r->data->pair.sphere[sphere].mass_kg : (double) NAN;
}

static double modulus(const struct cf_plausible_row *r, size_t sphere)
{
    (void) sphere;
    return r->modulus_Pa;
}

static double sound(const struct cf_plausible_row *r, size_t sphere)
{
    (void) sphere;
    return sqrt(r->modulus_Pa / cf_least_density(&r->data->pair));
}

static const struct cf_slip of_density[] = {{1e-3, "the mass in g"},
                                            {1e9, "the diameter in mm"},
                                            {1e-6, "the mass in mg"},
                                            {1e6, "the diameter in mm, and the mass in g"},
                                            {1e-9, "the diameter in m, and not in mm"},
                                            {1e3, "the mass in kg, and not in g"},
                                            {0, 0}};
static const struct cf_slip of_diameter[] = {
    {1e-3, "it in mm"}, {1e-6, "it in um"}, {1e3, "it in m, and not in mm"}, {0, 0}};
static const struct cf_slip of_mass[] = {{1e-3, "it in g"}, {1e-6, "it in mg"}, {0, 0}};
static const struct cf_slip of_modulus[] = {
    {1e-3, "it in MPa, and not in GPa"}, {1e6, "it in MPa"}, {1e9, "it in GPa"}, {0, 0}};
static const struct cf_slip of_sigma[] = {
    {1e-2, "sigma in per cent, or in the column's unit (state it, as in 1 % or 10 us)"},
    {1e-3, "sigma in the column's unit (state it, as in 10 us)"},
    {1e-6, "sigma in the column's unit (state it, as in 10 us)"},
    {0, 0}};

static const struct cf_plausible_rule rules[] = {
    {"density", "kg/m^3", 10, 25000, "a hollow ball of foam; osmium", of_density, density, true},
    {"diameter", "m", 1e-7, 20, "a colloid; a wrecking ball", of_diameter, diameter, true},
    {"mass", "kg", 1e-18, 1e5, "a colloid; a ship's fender", of_mass, mass, true},
    {"effective modulus", "Pa", 1e3, 1.2e12, "a gel; diamond", of_modulus, modulus, false},
    {"speed of sound", "m/s", 0.3, 2e4, "a gel; diamond", NULL, sound, false},
    {0},
};

/* Of a column, and not of a row. */
static const struct cf_plausible_rule sigma_rule = {
    .name = "sigma over size",
    .unit = "1",
    .low = 1e-8,
    .high = 1,
    .why = "nothing is measured to nine digits here; a value no larger than its own error carries "
           "no information",
    .slip = of_sigma,
};

/* ---- what they find */

void cf_plausibility_clear(struct cf_plausibility *plausibility)
{
    free(plausibility->item);
    *plausibility = (struct cf_plausibility){0};
}

/* How near to an end of its range a number lies: 1 at the end, above it beyond. */
static double strain(const struct cf_plausible_rule *rule, double number)
{
    double below = rule->low > 0 ? rule->low / fmax(number, DBL_MIN) : 0;
    return fmax(number / rule->high, below);
}

/* Keep the number if it lies further out than the rule's one so far. */
static int note(struct cf_plausibility *out, const struct cf_plausible_rule *rule, double number,
                const char *of, struct cf_error *err)
{
    struct cf_plausible *p = out->n ? &out->item[out->n - 1] : NULL;

    if (isnan(number))
        return CF_OK;
    number = fmin(number, DBL_MAX);
    if (!p || p->rule != rule) {
        p = cf_list_grow(out->item, out->n, sizeof *p);
        if (!p)
            return cf_fail(err, CF_ENOMEM, "no memory for the plausible");
        out->item = p;
        p = &p[out->n++];
    } else if (!(strain(rule, number) > strain(rule, p->number))) {
        return CF_OK;
    }
    *p = (struct cf_plausible){.rule = rule, .number = number, .inside = strain(rule, number) <= 1};
    snprintf(p->of, sizeof p->of, "%s", of);
    return CF_OK;
}

/* A data set, and what is known of it beside its rows. */
struct view {
    const struct cf_dataset *data;
    double modulus_Pa;
    size_t end[2]; /* the rows in use at the ends of the axis, which are predicted, too */
    double predicted[2][CF_MAX_COLUMN]; /* NAN: not */
    double sigma[CF_MAX_COLUMN];        /* fitted ones; NAN: not */
};

/* E* of a data set's pair: stated, or by the law's k where that is identified. */
static double modulus_of(const struct cf_spec *spec, const struct cf_fit *fit, size_t data)
{
    double stated = spec->data[data].pair.modulus_Pa, p[CF_MAX_PARAM];
    const struct cf_problem *q = fit ? &fit->optimum.problem : NULL;
    const struct cf_alias *alias = q ? cf_law_alias(q->law, "effective_modulus") : NULL;
    double radius = spec->data[data].pair.radius_m;

    if (!alias || fit->optimum.rank.rank < q->nfree || !isfinite(radius) ||
        cf_problem_params(q, data, fit->optimum.theta, p, NULL, NULL))
        return stated > 0 ? stated : (double) NAN;
    return p[alias->target] / (alias->factor * pow(radius, alias->radius_power));
}

/* After a fit that identifies all, the rows at the ends of the axis are predicted. */
static void predict_ends(const struct cf_fit *fit, size_t data, struct view *v)
{
    const struct cf_protocol *protocol = v->data->protocol;
    size_t channel[CF_MAX_COLUMN], n = 0;
    double y[2 * CF_MAX_COLUMN];

    for (size_t c = 0; c < protocol->nchannel; c++)
        if (protocol->channel[c].role == CF_ROLE_MEASURED &&
            cf_channel_predicted(&protocol->channel[c], fit->optimum.problem.law->family))
            channel[n++] = c;
    if (fit->optimum.rank.rank < fit->optimum.problem.nfree ||
        cf_problem_predict_rows(&fit->optimum.problem, data, v->data, 2, v->end, n, channel, 0,
                                fit->optimum.theta, y, NULL, NULL, NULL))
        return; /* nothing there to be judged */
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < n; k++)
            v->predicted[i][channel[k]] = y[i * n + k];
}

/* The estimated sigma of a data set's column; NAN: none is, or it is rounded away. */
static double estimated_sigma(const struct cf_fit *fit, size_t data, size_t column)
{
    size_t c = fit ? cf_channel_of(&fit->optimum.problem, data, column) : CF_NO_CHANNEL;
    const struct cf_channel *ch = c == CF_NO_CHANNEL ? NULL : &fit->optimum.problem.channel[c];

    return ch && ch->estimated && ch->sigma > ch->floor ? ch->sigma : (double) NAN;
}

/* False where no row is in use. */
static bool view_make(const struct cf_spec *spec, const struct cf_fit *fit, size_t data,
                      struct view *v)
{
    const struct cf_dataset *d = &spec->data[data];
    bool any = false;

    *v = (struct view){.data = d, .modulus_Pa = modulus_of(spec, fit, data)};
    for (size_t row = 0; row < d->nrow; row++) {
        double at = d->protocol->abscissa(d, row);
        if (d->use[row] == CF_ROW_EXCLUDED)
            continue;
        v->end[0] = !any || at < d->protocol->abscissa(d, v->end[0]) ? row : v->end[0];
        v->end[1] = !any || at > d->protocol->abscissa(d, v->end[1]) ? row : v->end[1];
        any = true;
    }
    for (size_t c = 0; c < CF_MAX_COLUMN; c++)
        v->predicted[0][c] = v->predicted[1][c] = v->sigma[c] = NAN;
    for (size_t c = 0; fit && c < d->protocol->nchannel; c++)
        v->sigma[c] = estimated_sigma(fit, data, c);
    if (fit && any)
        predict_ends(fit, data, v);
    return any;
}

/* One rule on one row. */
static int apply_row(const struct cf_plausible_rule *rule, const struct view *v, size_t row,
                     bool name_row, struct cf_plausibility *out, struct cf_error *err)
{
    const struct cf_dataset *d = v->data;
    double value[CF_MAX_COLUMN], sigma[CF_MAX_COLUMN];
    const struct cf_plausible_row r = {
        d, row, value, sigma, d->protocol->abscissa(d, row), v->modulus_Pa};
    int status = CF_OK;

    for (size_t c = 0; c < d->protocol->nchannel; c++) {
        value[c] = cf_dataset_value(d, row, c);
        sigma[c] = d->series[c].kind == CF_SIGMA_GIVEN ? cf_dataset_sigma(d, row, c) : v->sigma[c];
        for (size_t i = 0; i < 2 && isnan(value[c]); i++)
            value[c] = row == v->end[i] ? v->predicted[i][c] : value[c];
    }
    for (size_t s = 0; s < (rule->of_sphere ? 2 : 1) && !status; s++) {
        const char *sphere = d->pair.sphere[s].name;
        char of[sizeof((struct cf_plausible *) NULL)->of];
        if (rule->of_sphere && !sphere)
            continue;
        if (rule->of_sphere)
            snprintf(of, sizeof of, "%.150s", sphere);
        else if (name_row)
            snprintf(of, sizeof of, "%.120s, line %zu", d->name, d->line[row]);
        else
            snprintf(of, sizeof of, "%.120s", d->name);
        status = note(out, rule, rule->number(&r, s), of, err);
    }
    return status;
}

/* The rules of every experiment use bodies and material only: any row shows them. */
static int apply(const struct cf_plausible_rule *rule, const struct view *v, bool every_row,
                 struct cf_plausibility *out, struct cf_error *err)
{
    int status = every_row ? CF_OK : apply_row(rule, v, v->end[0], false, out, err);

    for (size_t row = 0; row < v->data->nrow && every_row && !status; row++)
        if (v->data->use[row] != CF_ROW_EXCLUDED)
            status = apply_row(rule, v, row, true, out, err);
    return status;
}

/* Would this slip explain the number? */
static bool explains(const struct cf_slip *slip, const struct cf_plausible *p)
{
    return strain(p->rule, p->number * slip->factor) <= 1;
}

/* How many numbers a slip of this name would explain. */
static size_t explained(const struct cf_plausibility *all, const char *what)
{
    size_t n = 0;

    for (size_t i = 0; i < all->n; i++)
        for (const struct cf_slip *s = all->item[i].rule->slip; s && s->what; s++)
            if (!all->item[i].inside && strcmp(s->what, what) == 0 && explains(s, &all->item[i])) {
                n++;
                break;
            }
    return n;
}

/* The likeliest slip behind each number: that which explains most of them; of equal ones the first.
 */
static void find_slips(struct cf_plausibility *all)
{
    for (size_t i = 0; i < all->n; i++) {
        struct cf_plausible *p = &all->item[i];
        size_t most = 0;
        for (const struct cf_slip *s = p->rule->slip; s && s->what && !p->inside; s++)
            if (explains(s, p) && explained(all, s->what) > most) {
                most = explained(all, s->what);
                p->slip = s->what;
            }
    }
}

/* A table of rules over all data sets that have it (NULL: all): one found number a rule. */
static int apply_all(const struct cf_plausible_rule rule[], const struct view view[], size_t n,
                     const struct cf_protocol *protocol, struct cf_plausibility *out,
                     struct cf_error *err)
{
    int status = CF_OK;

    for (; rule && rule->name && !status; rule++)
        for (size_t i = 0; i < n && !status; i++)
            if (!protocol || view[i].data->protocol == protocol)
                status = apply(rule, &view[i], protocol != NULL, out, err);
    return status;
}

/* Sigmas against what they are of: roots of the mean squares of a column. */
static int apply_sigma(const struct cf_spec *spec, const struct cf_fit *fit, size_t data,
                       struct cf_plausibility *out, struct cf_error *err)
{
    const struct cf_dataset *d = &spec->data[data];
    int status = CF_OK;

    for (size_t c = 0; c < d->protocol->nchannel && !status; c++) {
        double values = 0, sigmas = 0, n = 0, estimated = estimated_sigma(fit, data, c);
        char of[160];
        for (size_t row = 0; row < d->nrow; row++)
            if (d->use[row] != CF_ROW_EXCLUDED && cf_dataset_has(d, row, c)) {
                values += gsl_pow_2(cf_dataset_value(d, row, c));
                n++;
                if (d->series[c].kind == CF_SIGMA_GIVEN)
                    sigmas += gsl_pow_2(cf_dataset_sigma(d, row, c));
            }
        if (estimated > 0)
            sigmas = gsl_pow_2(estimated) * n;
        snprintf(of, sizeof of, "%.60s of %.80s", d->protocol->channel[c].name, d->name);
        if (sigmas > 0 && values > 0)
            status = note(out, &sigma_rule, sqrt(sigmas / values), of, err);
    }
    return status;
}

static bool is_first(const struct cf_spec *spec, size_t data)
{
    for (size_t i = 0; i < data; i++)
        if (spec->data[i].protocol == spec->data[data].protocol)
            return false;
    return true;
}

int cf_plausibility(const struct cf_spec *spec, const struct cf_fit *fit,
                    struct cf_plausibility *out, struct cf_error *err)
{
    struct view *view = calloc(spec->ndata + 1, sizeof *view);
    size_t n = 0;
    int status = view ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu data sets", spec->ndata);

    *out = (struct cf_plausibility){0};
    for (size_t i = 0; i < spec->ndata && !status; i++)
        n += view_make(spec, fit, i, &view[n]);
    if (!status)
        status = apply_all(rules, view, n, NULL, out, err);
    for (size_t i = 0; i < spec->ndata && !status; i++)
        status = apply_sigma(spec, fit, i, out, err);
    for (size_t i = 0; i < spec->ndata && !status; i++)
        if (is_first(spec, i))
            status =
                apply_all(spec->data[i].protocol->rules, view, n, spec->data[i].protocol, out, err);
    if (!status)
        find_slips(out);
    free(view);
    return status;
}

void cf_plausible_range(const struct cf_plausible_rule *rule, char text[], size_t size)
{
    bool bare = strcmp(rule->unit, "1") == 0;
    const char *space = bare ? "" : " ", *unit = bare ? "" : rule->unit;

    if (isinf(rule->high))
        snprintf(text, size, "at least %g%s%s", rule->low, space, unit);
    else if (rule->low <= 0)
        snprintf(text, size, "at most %g%s%s", rule->high, space, unit);
    else
        snprintf(text, size, "%g to %g%s%s", rule->low, rule->high, space, unit);
}

char *cf_plausible_text(const struct cf_plausible *p)
{
    bool bare = strcmp(p->rule->unit, "1") == 0;
    char range[CF_SHOWN], number[CF_DECIMAL];

    cf_plausible_range(p->rule, range, sizeof range);
    return cf_format("%s of %s: %s%s%s, where %s is plausible (%s)%s%s%s", p->rule->name, p->of,
                     cf_decimal_short(p->number, 3, number), bare ? "" : " ",
                     bare ? "" : p->rule->unit, range, p->rule->why, p->slip ? ": is " : "",
                     p->slip ? p->slip : "", p->slip ? "?" : "");
}
