#include "cmd/parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/closing.h"
#include "cmd/progress.h"
#include "core/decimal.h"
#include "core/text.h"
#include "core/wrap.h"
#include "document/json_dump.h"
#include "document/json_value.h"
#include "identify/power.h"

/* The share of experiments in which a departure is to be seen: what power is usually stated for. */
const double cf_share_seen = 0.8;

/* What is found of each departure. */
struct powers {
    const struct cf_selftest_plan *plan;
    struct cf_departures departures;
    struct cf_power *power; /* departures.n */
    double none[2];         /* the share in which a misfit is seen where no departure is there; and
                             * one or another noise */
};

static bool is_correlation(const struct cf_departure *s)
{
    return s->kind == CF_DEPARTURE_NEIGHBOURS;
}

/* Where something is seen as often without a departure, none can be said to be seen. */
static int find_one(struct powers *p, size_t i, const struct cf_workers *workers,
                    struct cf_error *err)
{
    const struct cf_departure *s = &p->departures.item[i];
    double *none = &p->none[is_correlation(s)];
    int status = isnan(*none) ? cf_power_share(p->plan, s, 0, workers, none, err) : CF_OK;

    p->power[i] =
        (struct cf_power){.size = (double) NAN, .low = (double) NAN, .high = (double) NAN};
    if (!status && *none < cf_share_seen)
        status = cf_power_find(p->plan, s, cf_share_seen, workers, &p->power[i], err);
    return status;
}

static int find_all(const struct cf_arguments *args, const struct cf_point *point, size_t jobs,
                    struct powers *p, struct cf_error *err)
{
    struct cf_progress progress;
    int status = cf_departures_make(&point->problem, point->theta, &p->departures, err);

    p->none[0] = p->none[1] = (double) NAN;
    p->power = calloc(p->departures.n + 1, sizeof *p->power);
    if (!status && !p->power)
        status = cf_fail(err, CF_ENOMEM, "no memory for %zu departures", p->departures.n);
    if (status)
        return status;
    cf_progress_begin(&progress, cf_flag(args, "quiet"), jobs);
    for (size_t i = 0; i < p->departures.n && !status; i++)
        status = find_one(p, i, &progress.workers, err);
    cf_progress_end(&progress, false);
    return status;
}

/* "0.0123 s (1.5 %)", "a correlation of 0.62" */
const char *cf_departure_size_text(const struct cf_departure *s, double size, char text[],
                                   size_t length)
{
    bool pure = strcmp(s->quantity->unit, "1") == 0;

    if (is_correlation(s))
        snprintf(text, length, "a correlation of %.2f", size);
    else
        snprintf(text, length, "%.3g%s%s (%.3g %%)", size, pure ? "" : " ",
                 pure ? "" : s->quantity->unit, 100 * size / s->typical);
    return text;
}

/* What it is that has this size. */
void cf_departure_text(const struct cf_departure *s, char text[], size_t length)
{
    static const char *const curve[] = {"the same", "a slope", "a parabola", "a cubic"};

    switch (s->kind) {
    case CF_DEPARTURE_SMOOTH:
        snprintf(text, length, "%s along the %s, beside what the law follows", curve[s->degree],
                 s->axis->name);
        break;
    case CF_DEPARTURE_DRIFT:
        snprintf(text, length, "a drift from the first row to the last");
        break;
    case CF_DEPARTURE_SET:
        snprintf(text, length, "\"%.80s\" is off, the hardest to see of the data sets", s->data);
        break;
    case CF_DEPARTURE_NEIGHBOURS:
        snprintf(text, length, "of the errors of neighbouring rows");
        break;
    }
}

static void print_one(FILE *out, const struct powers *p, size_t i)
{
    const struct cf_departure *s = &p->departures.item[i];
    const struct cf_power *w = &p->power[i];
    bool again = i > 0 && p->departures.item[i - 1].quantity == s->quantity;
    char what[200], size[80];

    cf_departure_text(s, what, sizeof what);
    fprintf(out, "  %-12s " CF_WRAP_HANG, again ? "" : s->quantity->name);
    if (w->reached)
        fprintf(out, "%s [%.3g, %.3g]: %s\n", cf_departure_size_text(s, w->size, size, sizeof size),
                w->low, w->high, what);
    else if (s->length == 0)
        fprintf(out, "never seen, since the parameters follow it: %s\n", what);
    else
        fprintf(out, "not seen so often, up to %s: %s\n",
                cf_departure_size_text(s, w->largest, size, sizeof size), what);
}

/* The first one that is seen, with those of the law before those of the noise. */
static char *summarise(const struct powers *p, const struct cf_study *study)
{
    const char *law = study->spec.law->name;
    char what[200], size[80];

    for (int noise = 0; noise < 2; noise++)
        for (size_t i = 0; i < p->departures.n; i++) {
            const struct cf_departure *s = &p->departures.item[i];
            if (is_correlation(s) != noise || !p->power[i].reached)
                continue;
            cf_departure_text(s, what, sizeof what);
            return cf_format("in %g %% of experiments this design sees that the %s departs from %s "
                             "by %s: %s",
                             100 * cf_share_seen, s->quantity->name, law,
                             cf_departure_size_text(s, p->power[i].size, size, sizeof size), what);
        }
    return cf_format("this design sees no departure from %s in %g %% of experiments", law,
                     100 * cf_share_seen);
}

static int print_text(const struct cf_arguments *args, const struct powers *p,
                      const struct cf_study *study, const struct cf_point *point,
                      struct cf_error *err)
{
    FILE *out = args->text;
    char at[400], *text = summarise(p, study);
    bool seen = false;

    cf_point_text(point, at, sizeof at);
    fprintf(out, "power of %s: %zu synthetic studies of each departure on its design, seed %llu\n",
            study->name, p->plan->replicates, (unsigned long long) p->plan->seed);
    fprintf(out, "  made by:     " CF_WRAP_HANG "%s, %s (%s)\n", point->problem.law->name, at,
            point->given ? "as given" : "as fitted to the study's data");
    if (*point->misfit)
        fprintf(out, "  misfit:      " CF_WRAP_HANG "%s\n", point->misfit);
    fprintf(out, "  seen in %g %%: " CF_WRAP_HANG "size, its part of the reading, 95 %% interval\n",
            100 * cf_share_seen);
    for (size_t i = 0; i < p->departures.n; i++) {
        print_one(out, p, i);
        seen = seen || p->power[i].reached;
    }
    if (!isnan(p->none[0]))
        fprintf(out, "  without:     " CF_WRAP_HANG "%.1f %% are a misfit where nothing departs\n",
                100 * p->none[0]);
    int status = cf_closing_put(out, seen ? CF_CLOSING_GOOD : CF_CLOSING_DOUBT, text,
                                cf_closing_command("design", args->operand[0], ""), err);
    free(text);
    return status;
}

static json_t *json_one(const struct cf_departure *s, const struct cf_power *w)
{
    bool smooth = s->kind == CF_DEPARTURE_SMOOTH;

    return json_pack("{ss ss ss so so sb so so so so so}", "kind", cf_departure_name[s->kind],
                     "quantity", s->quantity->name, "unit",
                     is_correlation(s) ? "1" : s->quantity->unit, "degree",
                     smooth ? cf_json_count(s->degree) : json_null(), "data", cf_json_text(s->data),
                     "reached", w->reached, "size", cf_json_number(w->size), "low",
                     cf_json_number(w->low), "high", cf_json_number(w->high), "part_of_reading",
                     cf_json_number(is_correlation(s) ? (double) NAN : w->size / s->typical),
                     "largest", cf_json_number(w->reached ? (double) NAN : w->largest));
}

static int print_json(const struct powers *p, const struct cf_study *study,
                      const struct cf_point *point, struct cf_error *err)
{
    json_t *truth = json_object(), *departures = json_array(), *all;

    for (size_t i = 0; i < point->problem.nfree; i++)
        cf_json_put(&truth, point->problem.unknown[i].name,
                    cf_json_number(cf_unknown_value(&point->problem.unknown[i], point->theta[i])));
    for (size_t i = 0; i < p->departures.n; i++)
        cf_json_add(&departures, json_one(&p->departures.item[i], &p->power[i]));
    all = json_pack("{sb ss so sb ss sI sI sf so so so}", "synthetic", 1, "law",
                    study->spec.law->name, "truth", truth, "given", point->given, "misfit",
                    point->misfit, "seed", (json_int_t) p->plan->seed, "replicates",
                    (json_int_t) p->plan->replicates, "seen", cf_share_seen, "misfit_without",
                    cf_json_number(p->none[0]), "noise_without", cf_json_number(p->none[1]),
                    "departures", departures);
    int failed = !all || cf_json_dump(all, stdout, JSON_INDENT(2));
    json_decref(all);
    if (failed)
        return cf_fail(err, CF_EIO, "the power cannot be written as JSON");
    putchar('\n');
    return CF_OK;
}

int cf_selftest_power(const struct cf_arguments *args, const struct cf_study *study,
                      const struct cf_point *point, const struct cf_selftest_plan *plan,
                      size_t jobs, struct cf_error *err)
{
    struct powers p = {.plan = plan};
    int status = find_all(args, point, jobs, &p, err);

    if (!status && cf_flag(args, "json"))
        status = print_json(&p, study, point, err);
    else if (!status)
        status = print_text(args, &p, study, point, err);
    free(p.power);
    cf_departures_clear(&p.departures);
    return status;
}
