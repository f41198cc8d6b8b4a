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

static bool is_possible(const struct cf_plausible_rule *rule, double number)
{
    bool known = rule->least != 0 || rule->most != 0;

    return !known || (number >= rule->least && number <= rule->most);
}

/* Does `a` lie further out than `b`, a number of the same rule? The physical range may be the
 * nearer one on one side. */
static bool is_worse(const struct cf_plausible *a, const struct cf_plausible *b)
{
    if (a->possible != b->possible)
        return b->possible;
    return strain(a->rule, a->number) > strain(a->rule, b->number);
}

/* Keep what is found if it lies further out than the rule's one so far. */
static int note(struct cf_plausibility *out, const struct cf_spec *spec, struct cf_plausible found,
                struct cf_error *err)
{
    struct cf_plausible *p = out->n ? &out->item[out->n - 1] : NULL;

    if (isnan(found.number))
        return CF_OK;
    found.number = fmin(found.number, DBL_MAX);
    found.inside = strain(found.rule, found.number) <= 1;
    found.possible = is_possible(found.rule, found.number);
    found.in = found.rule->in;
    for (size_t i = 0; i < spec->nunusual; i++)
        found.stated = found.stated || spec->unusual[i] == found.rule;
    if (!p || p->rule != found.rule) {
        p = cf_list_grow(out->item, out->n, sizeof *p);
        if (!p)
            return cf_fail(err, CF_ENOMEM, "no memory for the plausible");
        out->item = p;
        p = &p[out->n++];
        *p = found;
    } else if (is_worse(&found, p)) {
        *p = found;
    }
    return CF_OK;
}

/* A data set, and what is known of it beside its rows. */
struct view {
    const struct cf_spec *spec;
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

    *v = (struct view){.spec = spec, .data = d, .modulus_Pa = modulus_of(spec, fit, data)};
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
        struct cf_plausible found = {.rule = rule, .data = d, .row = row, .sphere = s};
        if (rule->of_sphere && !sphere)
            continue;
        if (rule->of_sphere)
            snprintf(found.of, sizeof found.of, "%.150s", sphere);
        else if (name_row)
            snprintf(found.of, sizeof found.of, "%.120s, line %zu", d->name, d->line[row]);
        else
            snprintf(found.of, sizeof found.of, "%.120s", d->name);
        found.number = rule->number(&r, s);
        status = note(out, v->spec, found, err);
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
        for (const struct cf_slip *s = p->rule->slip; s && s->what && !p->inside && !p->stated; s++)
            if (explains(s, p) && explained(all, s->what) > most) {
                most = explained(all, s->what);
                p->slip = s->what;
                p->in = s->in;
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
        struct cf_plausible found = {.rule = &cf_plausible_sigma, .data = d};
        for (size_t row = 0; row < d->nrow; row++)
            if (d->use[row] != CF_ROW_EXCLUDED && cf_dataset_has(d, row, c)) {
                values += gsl_pow_2(cf_dataset_value(d, row, c));
                n++;
                if (d->series[c].kind == CF_SIGMA_GIVEN)
                    sigmas += gsl_pow_2(cf_dataset_sigma(d, row, c));
            }
        if (estimated > 0)
            sigmas = gsl_pow_2(estimated) * n;
        snprintf(found.of, sizeof found.of, "%.60s of %.80s", d->protocol->channel[c].name,
                 d->name);
        found.number = sqrt(sigmas / values);
        if (sigmas > 0 && values > 0)
            status = note(out, spec, found, err);
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
        status = apply_all(cf_plausible_common, view, n, NULL, out, err);
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

static void put_range(const struct cf_plausible_rule *rule, double low, double high, char text[],
                      size_t size)
{
    bool bare = strcmp(rule->unit, "1") == 0;
    const char *space = bare ? "" : " ", *unit = bare ? "" : rule->unit;

    if (isinf(high))
        snprintf(text, size, "at least %g%s%s", low, space, unit);
    else if (low <= 0)
        snprintf(text, size, "at most %g%s%s", high, space, unit);
    else
        snprintf(text, size, "%g to %g%s%s", low, high, space, unit);
}

void cf_plausible_range(const struct cf_plausible_rule *rule, char text[], size_t size)
{
    put_range(rule, rule->low, rule->high, text, size);
}

/* What a row states: "drops.csv:8: speed 200 m/s, restitution 0.7". */
static char *row_place(const struct cf_dataset *d, size_t row)
{
    const char *space[] = {" ", ""};
    char *text = cf_format("%s:%zu:", d->file ? d->file : d->name, d->line[row]);
    bool any = false;

    for (size_t c = 0; c < d->protocol->nchannel && text; c++) {
        const struct cf_channel_row *channel = &d->protocol->channel[c];
        bool bare = strcmp(channel->unit, "1") == 0;
        char *longer, number[CF_DECIMAL];
        if (!cf_dataset_has(d, row, c))
            continue;
        longer = cf_format("%s%s %s %s%s%s", text, any ? "," : "", channel->name,
                           cf_decimal_short(cf_dataset_value(d, row, c), 4, number), space[bare],
                           bare ? "" : channel->unit);
        any = true;
        free(text);
        text = longer;
    }
    return text;
}

char *cf_plausible_place(const struct cf_plausible *p)
{
    const struct cf_sphere *sphere = &p->data->pair.sphere[p->sphere];
    const char *stated[] = {[CF_STATED_MASS] = sphere->mass_at,
                            [CF_STATED_SIZE] = sphere->size_at,
                            [CF_STATED_E] = p->data->pair.modulus_at,
                            [CF_STATED_NOWHERE] = NULL};

    if (p->in == CF_STATED_ROW)
        return row_place(p->data, p->row);
    return cf_format("%s", stated[p->in] ? stated[p->in] : "");
}

/* "density of ball: 9.25e+05 kg/m^3", and what would explain it, ": is the mass in g?". */
static char *with_range(const struct cf_plausible *p, const char *range)
{
    bool bare = strcmp(p->rule->unit, "1") == 0;
    char number[CF_DECIMAL];

    return cf_format("%s of %s: %s%s%s, %s%s%s%s", p->rule->name, p->of,
                     cf_decimal_short(p->number, 3, number), bare ? "" : " ",
                     bare ? "" : p->rule->unit, range, p->slip ? ": is " : "",
                     p->slip ? p->slip : "", p->slip ? "?" : "");
}

char *cf_plausible_text(const struct cf_plausible *p)
{
    char range[CF_SHOWN], *where, *text = NULL;

    cf_plausible_range(p->rule, range, sizeof range);
    where = cf_format("where %s is plausible (%s)", range, p->rule->why);
    if (where)
        text = with_range(p, where);
    free(where);
    return text;
}

char *cf_impossible_text(const struct cf_plausible *p)
{
    char range[CF_SHOWN], *place = cf_plausible_place(p), *where, *what = NULL, *text = NULL;

    put_range(p->rule, p->rule->least, p->rule->most, range, sizeof range);
    where = cf_format("where only %s is possible (%s)", range, p->rule->limit);
    if (where)
        what = with_range(p, where);
    if (what && place)
        text = cf_format("%s%s%s", place, *place ? ": " : "", what);
    free(place);
    free(where);
    free(what);
    return text;
}
