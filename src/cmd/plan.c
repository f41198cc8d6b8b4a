/* The plan of `design`, written for people or programs. */

#include "cmd/plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/along.h"
#include "cmd/closing.h"
#include "cmd/parts.h"
#include "core/text.h"
#include "core/wrap.h"
#include "document/json_dump.h"
#include "document/json_value.h"

/* "+-4.2 %", "a factor of 3.1", "+-0.02 m" or "not identified". */
static const char *width_text(const struct cf_plan *a, size_t i, double half, char text[],
                              size_t size)
{
    const struct cf_unknown *w = &a->point.problem.unknown[i];
    bool pure = strcmp(w->unit, "1") == 0;

    if (!isfinite(half))
        snprintf(text, size, "not identified");
    else if (w->scale == CF_SCALE_LOG && half < 0.5)
        snprintf(text, size, "+-%.2g %%", 100 * sinh(half));
    else if (w->scale == CF_SCALE_LOG)
        snprintf(text, size, "a factor of %.3g", exp(half));
    else
        snprintf(text, size, "+-%.2g%s%s", half, pure ? "" : " ", pure ? "" : w->unit);
    return text;
}

/* Whom is it planned for: people for the law's parameters, not for what rigs leave over. */
static bool is_shown(const struct cf_plan *a, size_t i)
{
    return a->point.problem.unknown[i].kind == CF_UNKNOWN_LAW;
}

/* "2.1 times narrower", or "becomes identified". */
static const char *gain_text(double now, double then, char text[], size_t size)
{
    if (!isfinite(then))
        snprintf(text, size, "still not identified");
    else if (!isfinite(now))
        snprintf(text, size, "becomes identified");
    else
        snprintf(text, size, "%.2f times narrower", now / then);
    return text;
}

static bool several_pairs(const struct cf_plan *a)
{
    const struct cf_spec *spec = &a->study->spec;
    for (size_t i = 1; i < spec->ndata; i++)
        if (cf_design_along(spec, i) &&
            (spec->data[i].pair.mass_kg != spec->data[0].pair.mass_kg ||
             spec->data[i].pair.radius_m != spec->data[0].pair.radius_m ||
             !cf_protocol_same(spec->data[i].protocol, spec->data[0].protocol)))
            return true;
    return false;
}

/* Of cf_design.sigmaless, the channel at a place; NULL: none, or one of its name stands before. */
static const struct cf_channel_row *needing(const struct cf_plan *a, size_t at)
{
    const struct cf_channel_row *row;

    if (!a->design.sigmaless[at])
        return NULL;
    row = &a->study->spec.data[at / CF_MAX_COLUMN].protocol->channel[at % CF_MAX_COLUMN];
    for (size_t i = 0; i < at; i++) {
        const struct cf_protocol *p = a->study->spec.data[i / CF_MAX_COLUMN].protocol;
        if (a->design.sigmaless[i] && strcmp(p->channel[i % CF_MAX_COLUMN].name, row->name) == 0)
            return NULL;
    }
    return row;
}

/* Ends of the range are compared with points made from them. */
static const double rounding = 1e-9;

static const struct cf_record_range *range_of(const struct cf_plan *a, const struct cf_candidate *c)
{
    size_t i = 0;

    while (a->range[i].data != c->data || a->range[i].setting != c->setting)
        i++;
    return &a->range[i];
}

/* "on "plate"", where there are several rigs of that setting. */
static const char *rig_text(const struct cf_plan *a, size_t data, const struct cf_setting *setting,
                            char text[], size_t size)
{
    size_t n = 0;

    for (size_t i = 0; i < a->nrange; i++)
        n += a->range[i].setting == setting;
    text[0] = '\0';
    if (n > 1)
        snprintf(text, size, " on the rig of \"%s\"", a->study->spec.data[data].name);
    return text;
}

/* "10 s at plate_speed 0.05 m/s (beyond the study's)". */
static const char *record_text(const struct cf_plan *a, const struct cf_candidate *c, char text[],
                               size_t size)
{
    const struct cf_record_range *r = range_of(a, c);
    bool outside = r->done && (c->abscissa < r->low * (1 - rounding) ||
                               c->abscissa > r->high * (1 + rounding));
    char rig[120];

    snprintf(text, size, "%.3g s at %s %.3g %s%s%s", c->length_s, c->setting->name, c->abscissa,
             c->setting->unit, rig_text(a, c->data, c->setting, rig, sizeof rig),
             outside ? " (beyond the study's)" : "");
    return text;
}

/* "duration at 4.8 m/s on "ball" (beyond the study's speeds)". */
static const char *candidate_text(const struct cf_plan *a, size_t candidate, char text[],
                                  size_t size)
{
    const struct cf_candidate *c = &a->design.candidate[candidate];
    const struct cf_dataset *d = &a->study->spec.data[c->data];
    bool several = several_pairs(a);
    const struct cf_axis *axis = &d->protocol->axis;
    if (c->setting)
        return record_text(a, c, text, size);
    bool outside = !cf_along_within(axis, 1 + rounding, a->low, a->high, c->abscissa);

    snprintf(text, size, "%s at %.3g %s%s%s%s%s%s%s", d->protocol->channel[c->column].name,
             c->abscissa, axis->unit, several ? " on \"" : "", several ? d->name : "",
             several ? "\"" : "", outside ? " (beyond the study's " : "",
             outside ? axis->plural : "", outside ? ")" : "");
    return text;
}

static void print_offers(FILE *out, const struct cf_plan *a, size_t i)
{
    const struct cf_unknown *w = &a->point.problem.unknown[i];
    char what[200], width[60], gain[60];
    size_t longest = 52; /* so that most tables look alike */

    for (size_t k = 0; k < a->noffer[i]; k++) {
        candidate_text(a, a->offer[i][k].candidate, what, sizeof what);
        longest = strlen(what) > longest ? strlen(what) : longest;
    }
    fprintf(out, "  %s, now %s\n", w->name, width_text(a, i, a->now.half[i], width, sizeof width));
    for (size_t k = 0; k < a->noffer[i]; k++) {
        const struct cf_offer *o = &a->offer[i][k];
        fprintf(out, "    %zu x %-*s" CF_WRAP_FIRST " %-16s %s\n", a->added, (int) longest,
                candidate_text(a, o->candidate, what, sizeof what),
                width_text(a, i, o->then.half[i], width, sizeof width),
                gain_text(a->now.half[i], o->then.half[i], gain, sizeof gain));
    }
}

/* Equal neighbours are shown once, with their count. */
static void print_sequence(FILE *out, const struct cf_plan *a)
{
    char what[200], before[60], after[60], gain[60];

    if (a->added == 1)
        fprintf(out, "  the best one, for all parameters together:\n");
    else
        fprintf(out, "  the best %zu one after the other, for all parameters together:\n",
                a->added);
    for (size_t k = 0, n; k < a->added; k += n) {
        for (n = 1; k + n < a->added && a->sequence[k + n] == a->sequence[k]; n++)
            ;
        fprintf(out, "    %zu x %s\n", n, candidate_text(a, a->sequence[k], what, sizeof what));
    }
    for (size_t i = 0; i < a->point.problem.nfree; i++)
        if (is_shown(a, i))
            fprintf(out, "    %-12s %s, then %s: %s\n", a->point.problem.unknown[i].name,
                    width_text(a, i, a->now.half[i], before, sizeof before),
                    width_text(a, i, a->after.half[i], after, sizeof after),
                    gain_text(a->now.half[i], a->after.half[i], gain, sizeof gain));
}

/* The reason as far as its first colon or comma: what follows is where in the record, of which the
 * reader has none. */
static void print_missed(FILE *out, const struct cf_plan *a, const struct cf_missed *m)
{
    char rig[120];

    fprintf(out, "  %s %.3g %s%s identifies nothing: %.*s\n", m->setting->name, m->value,
            m->setting->unit, rig_text(a, m->data, m->setting, rig, sizeof rig),
            (int) strcspn(m->why.text, ":,"), m->why.text);
}

static double scale_of(const struct cf_plan *a, size_t i)
{
    return a->point.problem.unknown[i].scale == CF_SCALE_LOG ? 1 : fabs(a->point.theta[i]);
}

/* The parameter of the law that is determined worst, and what helps it most. */
static int print_advice(FILE *out, const struct cf_plan *a, struct cf_error *err)
{
    const struct cf_problem *q = &a->point.problem;
    size_t worst = q->nfree;
    char what[200], before[60], after[60], gain[60];

    for (size_t i = 0; i < q->nfree; i++)
        if (q->unknown[i].kind == CF_UNKNOWN_LAW &&
            (worst == q->nfree ||
             a->now.half[i] / scale_of(a, i) > a->now.half[worst] / scale_of(a, worst)))
            worst = i;
    if (worst == q->nfree || a->noffer[worst] == 0)
        return CF_OK;
    const struct cf_offer *o = &a->offer[worst][0];
    const char *name = a->point.problem.unknown[worst].name;
    candidate_text(a, o->candidate, what, sizeof what);
    width_text(a, worst, a->now.half[worst], before, sizeof before);
    width_text(a, worst, o->then.half[worst], after, sizeof after);
    char *text;
    if (!isfinite(o->then.half[worst]))
        text = cf_format("no single kind of these measurements would identify %s", name);
    else if (!isfinite(a->now.half[worst]))
        text = cf_format("add %zu x %s: %s becomes identified, to %s", a->added, what, name, after);
    else
        text = cf_format("add %zu x %s: the %g %% interval of %s shrinks from %s to %s (%s)",
                         a->added, what, 100 * a->design.level, name, before, after,
                         gain_text(a->now.half[worst], o->then.half[worst], gain, sizeof gain));
    /* with the new rows in the table */
    int status =
        cf_closing_put(out, isfinite(o->then.half[worst]) ? CF_CLOSING_GOOD : CF_CLOSING_DOUBT,
                       text, cf_closing_command("fit", a->path, ""), err);
    free(text);
    return status;
}

/* The least size of a curve that the study's own rows show; NAN: no such test is made, or none that
 * is foreseen. Holm's adjustment holds the largest of all tests against this level. */
static double size_seen(const struct cf_plan *a, const struct cf_departure *d)
{
    double level = a->study->spec.options.p_reject / (double) a->point.ntest, size;

    if (d->kind != CF_DEPARTURE_SMOOTH || !d->plain || a->point.ntest == 0 || !(level > 0))
        return NAN;
    size = cf_departure_seen(d, level, cf_share_seen);
    return isfinite(size) ? size : (double) NAN;
}

static void print_seen(FILE *out, const struct cf_plan *a)
{
    char what[200], size[80];

    for (size_t i = 0; i < a->departures.n; i++) {
        const struct cf_departure *d = &a->departures.item[i];
        double seen = size_seen(a, d);
        if (isnan(seen))
            continue;
        cf_departure_text(d, what, sizeof what);
        fprintf(out,
                "  sees: " CF_WRAP_HANG
                "in %g %% of experiments a departure of %s from %s on: %s\n",
                100 * cf_share_seen, d->quantity->name,
                cf_departure_size_text(d, seen, size, sizeof size), what);
    }
}

static json_t *json_seen(const struct cf_plan *a)
{
    json_t *all = json_array();

    for (size_t i = 0; i < a->departures.n; i++) {
        const struct cf_departure *d = &a->departures.item[i];
        double seen = size_seen(a, d);
        if (!isnan(seen))
            cf_json_add(&all, json_pack("{ss ss sI sf sf}", "quantity", d->quantity->name, "unit",
                                        d->quantity->unit, "degree", (json_int_t) d->degree, "size",
                                        seen, "seen", cf_share_seen));
    }
    return all;
}

int cf_plan_print_text(FILE *out, const struct cf_plan *a, struct cf_error *err)
{
    char text[400];

    cf_point_text(&a->point, text, sizeof text);
    fprintf(out, "next measurements for %s\n", a->study->name);
    fprintf(out, "  at: %s, %s (%s)\n", a->study->spec.law->name, text,
            a->point.given ? "as given" : "as fitted to the study's data");
    if (*a->point.misfit)
        fprintf(out, "  misfit: %s\n", a->point.misfit);
    print_seen(out, a);
    if (a->now.rank < a->point.problem.nfree && !a->point.given)
        fprintf(
            out,
            "  these data do not identify every parameter, so that point is any that fits: plan "
            "at likely values with -p\n");
    for (size_t i = 0; i < a->point.problem.nfree; i++)
        if (is_shown(a, i))
            print_offers(out, a, i);
    if (a->design.ncandidate)
        print_sequence(out, a);
    if (a->design.nfailed)
        fprintf(out, "  not predicted, and so not compared: %zu readings, of which the first: %s\n",
                a->design.nfailed, a->design.why.text);
    for (size_t i = 0; i < a->design.nmissed; i++)
        print_missed(out, a, &a->design.missed[i]);
    for (size_t i = 0; i < a->study->spec.ndata * CF_MAX_COLUMN; i++) {
        const struct cf_channel_row *row = needing(a, i);
        if (row)
            fprintf(out, "  %s needs a sigma: --sigma %s=VALUE [%s]\n", row->name, row->name,
                    row->unit);
    }
    return print_advice(out, a, err);
}

static json_t *json_expected(const struct cf_plan *a, const struct cf_expected *e)
{
    json_t *all = json_object();

    for (size_t i = 0; i < a->point.problem.nfree; i++)
        cf_json_put(&all, a->point.problem.unknown[i].name,
                    json_pack("{sb so so sb}", "identified", e->identified[i], "standard_error",
                              cf_json_number(e->standard_error[i]), "half_width",
                              cf_json_number(e->half[i]), "log_scale",
                              a->point.problem.unknown[i].scale == CF_SCALE_LOG));
    return all;
}

static json_t *json_candidate(const struct cf_plan *a, size_t candidate)
{
    const struct cf_candidate *c = &a->design.candidate[candidate];
    const struct cf_dataset *d = &a->study->spec.data[c->data];
    char column[120];

    if (c->setting)
        return json_pack("{ss ss sf ss sf}", "setting", c->setting->name, "data", d->name, "value",
                         c->abscissa, "unit", c->setting->unit, "length_s", c->length_s);
    cf_along_column(d->protocol->axis.name, "", d->protocol->axis.unit, column, sizeof column);
    return json_pack("{ss ss sf sf}", "quantity", d->protocol->channel[c->column].name, "data",
                     d->name, column, c->abscissa, "sigma", c->sigma);
}

static json_t *json_offers(const struct cf_plan *a, size_t i)
{
    json_t *list = json_array();

    for (size_t k = 0; k < a->noffer[i]; k++) {
        json_t *one = json_candidate(a, a->offer[i][k].candidate);
        cf_json_put(&one, "then", json_expected(a, &a->offer[i][k].then));
        cf_json_add(&list, one);
    }
    return list;
}

static json_t *json_missed(const struct cf_plan *a, const struct cf_missed *m)
{
    return json_pack("{ss ss sf ss ss}", "setting", m->setting->name, "data",
                     a->study->spec.data[m->data].name, "value", m->value, "unit", m->setting->unit,
                     "because", m->why.text);
}

int cf_plan_print_json(const struct cf_plan *a, struct cf_error *err)
{
    json_t *at = json_object(), *offers = json_object(), *sequence = json_array(),
           *needs = json_array(), *missed = json_array(), *all;
    int failed;

    for (size_t i = 0; i < a->point.problem.nfree; i++) {
        const struct cf_unknown *w = &a->point.problem.unknown[i];
        cf_json_put(&at, w->name, cf_json_number(cf_unknown_value(w, a->point.theta[i])));
        if (!w->of_segment)
            cf_json_put(&offers, w->name, json_offers(a, i));
    }
    for (size_t k = 0; k < a->added && a->design.ncandidate; k++)
        cf_json_add(&sequence, json_candidate(a, a->sequence[k]));
    for (size_t i = 0; i < a->study->spec.ndata * CF_MAX_COLUMN; i++)
        if (needing(a, i))
            cf_json_add(&needs, json_string(needing(a, i)->name));
    for (size_t i = 0; i < a->design.nmissed; i++)
        cf_json_add(&missed, json_missed(a, &a->design.missed[i]));
    all = json_pack("{ss so sb ss sf sI so so so so so so sI ss}", "law", a->study->spec.law->name,
                    "at", at, "given", a->point.given, "misfit", a->point.misfit, "level",
                    a->design.level, "added", (json_int_t) a->added, "now",
                    json_expected(a, &a->now), "offers", offers, "sequence", sequence,
                    "after_sequence", json_expected(a, &a->after), "needs_sigma", needs,
                    "tell_nothing", missed, "not_predicted", (json_int_t) a->design.nfailed,
                    "not_predicted_because", a->design.why.text);
    cf_json_put(&all, "sees", json_seen(a));
    failed = !all || cf_json_dump(all, stdout, JSON_INDENT(2));
    json_decref(all);
    if (failed)
        return cf_fail(err, CF_EIO, "the design cannot be written as JSON");
    putchar('\n');
    return CF_OK;
}
