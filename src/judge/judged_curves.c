/* The curves of a fit, as rows along an axis for judge/adequacy.h. */

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/decimal.h"
#include "core/list.h"
#include "estimate/effects.h"
#include "estimate/evaluate.h"
#include "estimate/reading.h"
#include "estimate/records.h"
#include "estimate/serial.h"
#include "judge/fit_result.h"
#include "judge/interval.h"

enum { GRID = CF_ADEQUACY_GRID };

/* What is read of a fit once. */
struct source {
    struct cf_fit *fit;
    const struct cf_problem *q;
    double *y;     /* nobservation: predicted */
    double *slope; /* nfree of each */
    double *loose; /* nobservation: what is not known of the rig leaves of a reading, its sd */
    struct cf_reading *reading;
    bool law_open;
    atomic_bool lacking; /* memory; parts are visited by several threads */
};

/* What is judged: a quantity of the data sets that are alike, on one side of the axis. */
struct subject {
    size_t data, column, branch;
    double side; /* 1 or -1: the sign of its places */
    const struct cf_need *need;
};

/* A row of it. */
struct reading {
    double place; /* along the axis: its size, or its logarithm */
    double residual, law, sigma;
    double by; /* the judged quantity by what is observed */
    size_t observation;
};

/* The variance of a reading that is left by what the fit does not know of the rig: gains, biases,
 * numbers of the apparatus. INFINITY: one of them is open. */
static double loose_unknowns(const struct cf_fit *fit, const struct cf_set *set,
                             const struct cf_stretch *at, size_t i)
{
    const struct cf_problem *q = at->problem;
    const struct cf_rank *rank = &fit->optimum.rank;
    const double *x = &at->A[(at->ncolumn - set->nactive) * at->ld + i];
    double variance = 0;

    for (size_t a = 0; a < set->nactive; a++) {
        size_t j = set->active[a];
        if (q->unknown[j].kind == CF_UNKNOWN_LAW || x[a * at->ld] == 0)
            continue;
        if (!cf_rank_identifies(rank, j))
            return (double) INFINITY;
        for (size_t b = 0; b < set->nactive; b++)
            if (q->unknown[set->active[b]].kind != CF_UNKNOWN_LAW)
                variance +=
                    x[a * at->ld] * x[b * at->ld] * rank->covariance[j * rank->n + set->active[b]];
    }
    return fmax(variance, 0); /* of rounding */
}

/* Which locals of a part move along with parameters that the data leave open; room[ncolumn]. */
static void find_open(const struct cf_fit *fit, const struct cf_stretch *at, double room[],
                      size_t nlocal, bool open[])
{
    const double still = 1e-6; /* of a direction of length 1 */
    const struct cf_rank *rank = &fit->optimum.rank;

    for (size_t k = 0; k < rank->nnull && nlocal; k++) {
        cf_part_follow(at->problem, &fit->optimum.fold, at->part, &rank->direction[k * rank->n],
                       room);
        for (size_t l = 0; l < nlocal; l++)
            open[l] = open[l] || fabs(room[l]) > still;
    }
}

/* The same of the locals of a part, each by its interval. */
static double loose_locals(const struct cf_fit *fit, const struct cf_set *set,
                           const struct cf_stretch *at, const bool open[], size_t i)
{
    double variance = 0, q = cf_t_quantile(at->problem->spec->options.level, (double) INFINITY);

    for (size_t l = 0; l < set->nlocal; l++) {
        const struct cf_interval *in = &fit->local[at->problem->part[at->part].local + l].interval;
        double x = at->A[l * at->ld + i];
        if (x == 0)
            continue;
        if (!in->known || open[l])
            return (double) INFINITY;
        double width =
            set->local[l].scale == CF_SCALE_LOG ? log(in->high / in->low) : in->high - in->low;
        variance += gsl_pow_2(x * width / (2 * q));
    }
    return variance;
}

/* Has a parameter of the law that the derivatives identify an interval that is open? What is fitted
 * along may then go with it, further than any derivative tells. */
static bool is_law_open(const struct cf_fit *fit)
{
    const struct cf_problem *q = &fit->optimum.problem;
    bool open = false;

    for (size_t i = 0; i < q->nfree; i++) {
        const struct cf_interval *in = &fit->estimate[i].likelihood;
        open = open || (q->unknown[i].kind == CF_UNKNOWN_LAW && in->known &&
                        (in->open_low || in->open_high));
    }
    return open;
}

static void take_slopes(void *context, size_t unit, const struct cf_stretch *at)
{
    struct source *from = context;
    const struct cf_problem *q = at->problem;
    const struct cf_set *set = &q->set[q->part[at->part].data];

    double *room = calloc(at->ncolumn + 1, sizeof *room);
    bool *open = calloc(set->nlocal + 1, sizeof *open);

    (void) unit;
    if (room && open)
        find_open(from->fit, at, room, set->nlocal, open);
    else
        from->lacking = true;
    for (size_t i = 0; i < at->count && open; i++) {
        for (size_t j = 0; j < set->nactive; j++)
            from->slope[(at->first + i) * q->nfree + set->active[j]] =
                at->A[(at->ncolumn - set->nactive + j) * at->ld + i];
        double variance =
            loose_unknowns(from->fit, set, at, i) + loose_locals(from->fit, set, at, open, i);
        from->loose[at->first + i] =
            variance > 0 && from->law_open ? (double) INFINITY : sqrt(variance);
    }
    free(room);
    free(open);
}

/* ---- which rows belong to it */

static bool has_same_apparatus(const struct cf_dataset *x, const struct cf_dataset *y)
{
    bool same = true;

    for (size_t i = 0; i < x->protocol->napparatus && same; i++)
        same = x->apparatus[i] == y->apparatus[i] ||
               (isnan(x->apparatus[i]) && isnan(y->apparatus[i]));
    return same;
}

static bool are_judged_together(const struct cf_problem *q, size_t a, size_t b)
{
    const struct cf_dataset *x = &q->spec->data[a], *y = &q->spec->data[b];

    return a == b || (cf_protocol_same(x->protocol, y->protocol) && !x->protocol->by_scene &&
                      x->pair.mass_kg == y->pair.mass_kg && x->pair.radius_m == y->pair.radius_m &&
                      x->pair.modulus_Pa == y->pair.modulus_Pa && has_same_apparatus(x, y));
}

static double place_of(const struct cf_axis *axis, double abscissa)
{
    return axis->linear ? fabs(abscissa) : log(abscissa);
}

static double abscissa_at(const struct cf_axis *axis, double place, double side)
{
    return axis->linear ? side * place : exp(place);
}

static bool is_in_range(const struct cf_need *need, double abscissa)
{
    return !need || !(fabs(abscissa) < need->low || fabs(abscissa) > need->high);
}

/* Is the quantity itself observed in the row of an observation? */
static bool is_read_itself(const struct cf_problem *q, size_t i, size_t column)
{
    const struct cf_observation *o = q->observation;
    size_t k = i;

    while (k > 0 && o[k - 1].data == o[i].data && o[k - 1].row == o[i].row)
        k--;
    for (; k < q->nobservation && o[k].data == o[i].data && o[k].row == o[i].row; k++)
        if (o[k].column == column)
            return true;
    return false;
}

/* The quantity as an observation gives it: itself, or the headline by another channel. */
static bool read_quantity(const struct source *from, const struct subject *of, size_t i,
                          struct reading *r)
{
    const struct cf_observation *o = &from->q->observation[i];
    const struct cf_dataset *d = &from->q->spec->data[o->data];
    double value = o->value, sigma = cf_observation_sigma(from->q, i), own = sigma, same = sigma;

    *r = (struct reading){
        .place = place_of(&d->protocol->axis, o->abscissa), .law = from->y[i], .observation = i};
    cf_reading_undo(from->reading[i], &value, &sigma);
    cf_reading_undo(from->reading[i], &r->law, &same);
    if (o->column != of->column &&
        (of->column != d->protocol->headline || is_read_itself(from->q, i, of->column) ||
         !cf_protocol_headline(d, o->column, o->abscissa, &value, &sigma) ||
         !cf_protocol_headline(d, o->column, o->abscissa, &r->law, &same)))
        return false;
    r->residual = value - r->law;
    r->by = sigma / own;
    /* a robust loss takes an outlier for no part of reality: it counts as little here */
    r->sigma = sigma / sqrt(o->robust / cf_loss_weight(&from->q->loss, 0));
    return isfinite(r->residual) && r->sigma > 0;
}

static bool is_of(const struct source *from, const struct subject *of, size_t i)
{
    const struct cf_observation *o = &from->q->observation[i];
    const struct cf_dataset *d = &from->q->spec->data[o->data];

    return are_judged_together(from->q, of->data, o->data) && o->weight > 0 &&
           (o->abscissa < 0) == (of->side < 0) && is_in_range(of->need, o->abscissa) &&
           (!d->protocol->nbranch || d->protocol->branch(d, o->row) == of->branch);
}

static int compare_place(const void *a, const void *b)
{
    const struct reading *x = a, *y = b;

    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return (x->observation > y->observation) - (x->observation < y->observation);
}

static size_t gather_readings(const struct source *from, const struct subject *of,
                              struct reading r[], size_t *sets)
{
    size_t n = 0, last = from->q->spec->ndata;

    *sets = 0;
    for (size_t i = 0; i < from->q->nobservation; i++)
        if (is_of(from, of, i) && read_quantity(from, of, i, &r[n])) {
            *sets += from->q->observation[i].data != last;
            last = from->q->observation[i].data;
            n++;
        }
    qsort(r, n, sizeof *r, compare_place);
    return n;
}

/* ---- the rows of judge/adequacy.h */

static void clear_rows(struct cf_adequacy_rows *rows)
{
    free(rows->x);
    free(rows->group);
}

static bool alloc_rows(struct cf_adequacy_rows *rows, size_t n, size_t p)
{
    *rows = (struct cf_adequacy_rows){
        .n = n, .p = p, .x = calloc((4 + p) * n + (1 + p) * GRID + 1, sizeof *rows->x)};
    if (!rows->x)
        return false;
    rows->r = rows->x + n;
    rows->weight = rows->r + n;
    rows->law = rows->weight + n;
    rows->slope = rows->law + n;
    rows->grid_law = rows->slope + p * n;
    rows->grid_slope = rows->grid_law + GRID;
    return true;
}

/* The widest groups that share an error of this quantity; NULL: none do. */
static const struct cf_effect *find_effect(const struct source *from, const struct subject *of)
{
    const struct cf_effect *widest = NULL;

    for (size_t k = 0; k < from->q->neffect; k++) {
        const struct cf_effect *e = &from->q->effect[k];
        bool reaches = cf_effect_reaches(from->q, e, of->data, of->column);
        if (reaches && (!widest || e->ngroup < widest->ngroup))
            widest = e;
    }
    return widest;
}

/* Numbers of groups that the readings have, from 0; one that is in none is a group by itself. */
static bool put_groups(const struct source *from, const struct cf_effect *effect,
                       const struct reading r[], struct cf_adequacy_rows *rows)
{
    uint32_t *of = calloc(from->q->nobservation + 1, sizeof *of);
    uint32_t *seen = calloc(effect->ngroup + 1, sizeof *seen), n = 0;

    rows->group = calloc(rows->n + 1, sizeof *rows->group);
    for (size_t g = 0; g < effect->ngroup && of; g++)
        for (size_t k = effect->first[g]; k < effect->first[g + 1]; k++)
            of[effect->member[k]] = (uint32_t) g + 1;
    for (size_t i = 0; i < rows->n && of && seen && rows->group; i++) {
        uint32_t g = of[r[i].observation];
        if (g == 0)
            rows->group[i] = n++;
        else if (seen[g - 1] == 0)
            rows->group[i] = (seen[g - 1] = ++n) - 1;
        else
            rows->group[i] = seen[g - 1] - 1;
    }
    bool made = of && seen && rows->group;
    free(of);
    free(seen);
    return made;
}

/* The law at the grid, at the conditions of the first data set. */
static int put_grid(const struct source *from, const struct subject *of, double first, double last,
                    struct cf_adequacy_rows *rows, struct cf_error *err)
{
    const struct cf_dataset *own = &from->q->spec->data[of->data];
    struct cf_dataset like = *own, d = {0};
    double abscissa[GRID], condition[CF_MAX_COLUMN];
    size_t row[GRID], n;
    int status = CF_OK;

    for (size_t i = 0; i < GRID; i++) {
        double share = (double) i / (GRID - 1);
        row[i] = i;
        abscissa[i] = abscissa_at(&own->protocol->axis, first + share * (last - first), of->side);
    }
    if (own->protocol->nbranch) {
        status = cf_dataset_branch(own, of->branch, condition, &n, err);
        like.condition = condition;
    }
    if (!status)
        status = cf_dataset_along(&like, GRID, abscissa, &d, err);
    if (!status)
        status = cf_problem_predict_rows(from->q, of->data, &d, GRID, row, 1, &of->column, 0,
                                         from->fit->optimum.theta, rows->grid_law, rows->grid_slope,
                                         NULL, err);
    cf_dataset_clear(&d);
    return status;
}

/* Are the sigmas of all of them stated? */
static bool are_known(const struct source *from, const struct reading r[], size_t n)
{
    bool known = true;

    for (size_t i = 0; i < n && known; i++)
        known =
            cf_channel_is_known(&from->q->channel[from->q->observation[r[i].observation].channel]);
    return known;
}

static int put_rows(const struct source *from, const struct subject *of, const struct reading r[],
                    struct cf_adequacy_rows *rows, struct cf_error *err)
{
    size_t n = rows->n, p = rows->p;
    double first = r[0].place, last = r[n - 1].place, mean = 0;
    const struct cf_effect *effect = find_effect(from, of);
    bool known = are_known(from, r, n);

    for (size_t i = 0; i < n; i++)
        mean += 1 / (r[i].sigma * r[i].sigma) / (double) n;
    for (size_t i = 0; i < n; i++) {
        const struct cf_observation *o = &from->q->observation[r[i].observation];
        rows->x[i] = last > first ? (r[i].place - first) / (last - first) : 0;
        rows->r[i] = r[i].residual;
        rows->law[i] = r[i].law;
        rows->weight[i] = 1 / (r[i].sigma * r[i].sigma) / mean;
        for (size_t k = 0; k < p; k++)
            rows->slope[i * p + k] = r[i].by * from->slope[r[i].observation * p + k];
        rows->serial = rows->serial || cf_serial_of(from->q, o->channel);
    }
    rows->sigma = known ? 1 / sqrt(mean) : (double) NAN;
    rows->level = from->q->spec->options.level;
    rows->seed = from->q->spec->options.seed;
    if (effect && !rows->serial && !put_groups(from, effect, r, rows))
        return cf_fail(err, CF_ENOMEM, "no memory for the groups of %zu readings", n);
    return put_grid(from, of, first, last, rows, err);
}

/* ---- words */

/* Two significant digits, with their zeros: 0.010, 12, 350. */
static const char *two_digits(double value, char text[CF_DECIMAL])
{
    const double small = 1e-4, large = 1e5;
    int behind = 1 - (int) floor(log10(fabs(value)));

    if (value != 0 && (fabs(value) < small || fabs(value) >= large))
        snprintf(text, CF_DECIMAL, "%.1e", value);
    else if (value == 0 || behind <= 0)
        snprintf(text, CF_DECIMAL, "%.0f", value);
    else
        snprintf(text, CF_DECIMAL, "%.*f", behind, value);
    return text;
}

struct words {
    const struct cf_protocol *protocol;
    const struct cf_channel_row *quantity;
    const char *unit, *axis; /* "" of a pure number */
    char *text;
    size_t size, n;
};

__attribute__((__format__(printf, 2, 3))) static void say(struct words *w, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    int n = vsnprintf(w->text + w->n, w->size - w->n, format, args);
    va_end(args);
    w->n = n < 0 || (size_t) n >= w->size - w->n ? w->size - 1 : w->n + (size_t) n;
}

/* "0.010 (1.2 %)" */
static void say_limit(struct words *w, double value, double relative)
{
    char text[CF_DECIMAL];

    say(w, "%s%s%s", two_digits(value, text), *w->unit ? " " : "", w->unit);
    if (isfinite(relative))
        say(w, " (%s %%)", two_digits(100 * relative, text));
}

/* Was it measured where it is needed? A twentieth of a place is near enough. */
static bool is_covered(const struct cf_judged_curve *c)
{
    const double near = 0.05;

    return !(c->need->low < (1 - near) * c->least) && !(c->need->high > (1 + near) * c->most);
}

/* A smaller part of a limit is not told apart. */
static const double worth_saying = 0.01;

/* Less than this many times as many. */
static const double few_more = 1.15;

static void say_answer(struct words *w, const struct cf_judged_curve *c)
{
    const struct cf_need *need = c->need;
    char text[CF_DECIMAL];

    if (need->relative)
        say(w, "; within %.3g %% is needed: ", 100 * need->within);
    else
        say(w, "; within %.3g%s%s is needed: ", need->within, *w->unit ? " " : "", w->unit);
    say(w, "%s", cf_adequacy_text(c->word));
    if (c->of.columns && c->word == CF_CANNOT_TELL && !is_covered(c))
        say(w, ", as not all of the range was measured where it is needed");
    else if (c->of.columns && need->relative && isnan(c->of.relative.at_most.value))
        say(w, ", as the curve passes 0 there");
    else if (c->word == CF_CANNOT_TELL && isinf(c->times))
        say(w, ", and more measurements will hardly make it adequate");
    else if (c->word == CF_CANNOT_TELL && c->times < few_more)
        say(w, "; a few more measurements at the same places would, four times of five");
    else if (c->word == CF_CANNOT_TELL && !isnan(c->times))
        say(w, "; %s times as many measurements at the same places would, four times of five",
            two_digits(c->times, text));
}

static void put_words(const struct cf_spec *spec, struct cf_judged_curve *c)
{
    const struct cf_protocol *protocol = spec->data[c->data].protocol;
    const struct cf_axis *axis = &protocol->axis;
    struct words w = {.protocol = protocol,
                      .quantity = &protocol->channel[c->column],
                      .text = c->text,
                      .size = sizeof c->text};

    w.unit = strcmp(w.quantity->unit, "1") == 0 ? "" : w.quantity->unit;
    w.axis = strcmp(axis->unit, "1") == 0 ? "" : axis->unit;
    if (c->sets < spec->ndata)
        say(&w, "%.80s%s: ", spec->data[c->data].name, c->sets > 1 ? " and others" : "");
    if (protocol->nbranch)
        say(&w, "%s: ", protocol->branch_name[c->branch]);
    if (c->of.columns) {
        say(&w, "from %.3g to %.3g%s%s this curve gives the %s within ", c->low, c->high,
            *w.axis ? " " : "", w.axis, w.quantity->label);
        say_limit(&w, c->of.in_unit.at_most.value, c->of.relative.at_most.value);
        if (c->stated > worth_saying * c->of.in_unit.at_most.value) {
            say(&w, ", ");
            say_limit(&w, c->stated, (double) NAN);
            say(&w, " of it for what is not known of the instruments,");
        }
        say(&w, " of what was measured, worst at %.3g%s%s", c->worst, *w.axis ? " " : "", w.axis);
        if (c->of.in_unit.at_least > 0) {
            say(&w, "; it is surely off by ");
            say_limit(&w, c->of.in_unit.at_least, (double) NAN);
        }
    } else if (*c->why_not) {
        say(&w, "how near this curve gives the %s cannot be told: %s", w.quantity->label,
            c->why_not);
    } else {
        say(&w,
            "how near this curve gives the %s cannot be told: %d places along the %s are needed, "
            "and there %s %zu",
            w.quantity->label, CF_ADEQUACY_PLACES, axis->name, c->of.places == 1 ? "is" : "are",
            c->of.places);
    }
    if (c->need)
        say_answer(&w, c);
}

/* ---- judging them */

/* The largest error of the rows that uncertainties of instruments make, stated ones and those of
 * what was fitted along, as a gain: all rows share it, so that no residual shows it, and it has a
 * sign. Sources are independent. */
static void find_stated(const struct source *from, const struct reading r[], size_t n,
                        struct cf_judged_curve *out)
{
    const struct cf_budget *budget = &from->fit->budget;
    double two_sided = cf_t_quantile(from->q->spec->options.level, (double) INFINITY);

    for (size_t i = 0; i < n; i++) {
        double squares = gsl_pow_2(r[i].by * from->loose[r[i].observation]);
        for (size_t k = 0; k < budget->n; k++)
            if (budget->source[k].shift)
                squares += gsl_pow_2(r[i].by * budget->source[k].shift[r[i].observation]);
        out->stated = fmax(out->stated, two_sided * sqrt(squares));
        out->stated_relative =
            fmax(out->stated_relative, two_sided * sqrt(squares) / fabs(r[i].law));
    }
}

static void widen(struct cf_adequacy_limits *limits, double by)
{
    limits->at_most.value += by;
    limits->at_least = fmax(0, limits->at_least - by);
}

static int answer_need(const struct cf_adequacy_rows *rows, struct cf_judged_curve *out,
                       struct cf_error *err)
{
    out->times = (double) NAN;
    if (!out->need)
        return CF_OK;
    out->word = cf_adequacy_answer(&out->of, out->need->within, out->need->relative);
    if (out->word == CF_ADEQUATE && !is_covered(out))
        out->word = CF_CANNOT_TELL;
    if (out->word != CF_CANNOT_TELL || !out->of.columns || !is_covered(out))
        return CF_OK;
    double stated = out->need->relative ? out->stated_relative : out->stated;
    return cf_adequacy_more(rows, out->need->within - stated, out->need->relative, &out->times,
                            err);
}

/* Does the law predict the curve all the way between the rows? */
static bool is_predicted(const struct cf_adequacy_rows *rows)
{
    bool finite = true;

    for (size_t i = 0; i < GRID * (1 + rows->p) && finite; i++)
        finite = isfinite(rows->grid_law[i]); /* and its slopes, behind it */
    return finite;
}

/* The widest part of the axis between two rows, as a share of the range. */
static double find_gap(const struct reading r[], size_t n, size_t *behind)
{
    double widest = 0, range = r[n - 1].place - r[0].place;

    for (size_t i = 1; i < n && range > 0; i++)
        if ((r[i].place - r[i - 1].place) / range > widest) {
            widest = (r[i].place - r[i - 1].place) / range;
            *behind = i;
        }
    return widest;
}

/* Does what is imposed beside the axis, as a load, change from row to row? Its channel. */
static size_t find_varied(const struct source *from, const struct reading r[], size_t n)
{
    const double rounding = 1e-6;
    const struct cf_observation *first = &from->q->observation[r[0].observation];
    const struct cf_protocol *protocol = from->q->spec->data[first->data].protocol;

    for (size_t k = 0; k < protocol->ncondition; k++) {
        double low = (double) INFINITY, high = -low;
        for (size_t i = 0; i < n; i++) {
            const struct cf_observation *o = &from->q->observation[r[i].observation];
            const struct cf_dataset *d = &from->q->spec->data[o->data];
            if (!cf_dataset_has(d, o->row, protocol->condition[k]))
                continue;
            low = fmin(low, cf_dataset_value(d, o->row, protocol->condition[k]));
            high = fmax(high, cf_dataset_value(d, o->row, protocol->condition[k]));
        }
        if (high - low > rounding * fmax(fabs(high), fabs(low)))
            return protocol->condition[k];
    }
    return CF_NO_CHANNEL;
}

/* From where to where it was measured, also where no need is. */
static void find_measured(const struct source *from, const struct subject *of,
                          struct cf_judged_curve *out)
{
    struct subject all = *of;

    all.need = NULL;
    out->least = (double) INFINITY;
    for (size_t i = 0; i < from->q->nobservation; i++)
        if (is_of(from, &all, i)) {
            out->least = fmin(out->least, fabs(from->q->observation[i].abscissa));
            out->most = fmax(out->most, fabs(from->q->observation[i].abscissa));
        }
}

/* What forbids a reference, whatever the number of places. */
static void find_why_not(const struct source *from, const struct subject *of,
                         const struct reading r[], size_t n, struct cf_judged_curve *out)
{
    const double half = 0.5, rounding = 1e-9;
    const struct cf_protocol *protocol = from->q->spec->data[of->data].protocol;
    const struct cf_axis *axis = &protocol->axis;
    size_t behind = 0, varied = find_varied(from, r, n);

    if (varied != CF_NO_CHANNEL)
        snprintf(out->why_not, sizeof out->why_not,
                 "the %.60s differs from row to row: data sets of one %.60s each can be judged",
                 protocol->channel[varied].label, protocol->channel[varied].label);
    else if (isinf(out->stated))
        snprintf(out->why_not, sizeof out->why_not,
                 "the fit leaves a gain, a bias or a number of the apparatus open, which all "
                 "readings have");
    else if (find_gap(r, n, &behind) > half + rounding)
        snprintf(out->why_not, sizeof out->why_not,
                 "no row lies between %.3g and %.3g %.20s, which is more than half of the range",
                 abscissa_at(axis, r[behind - 1].place, of->side),
                 abscissa_at(axis, r[behind].place, of->side), axis->unit);
    else if (!out->of.columns && out->of.places >= CF_ADEQUACY_PLACES)
        snprintf(out->why_not, sizeof out->why_not,
                 "all rows are of one group and share its error: two groups are needed");
    if (*out->why_not)
        out->of.columns = 0;
}

/* Judged where there are any readings; and where a need has none, that is its answer. */
static int judge_subject(const struct source *from, const struct subject *of, struct cf_error *err)
{
    const struct cf_problem *q = from->q;
    const struct cf_axis *axis = &q->spec->data[of->data].protocol->axis;
    struct reading *r = calloc(q->nobservation + 1, sizeof *r);
    struct cf_judged_curve *out,
        *longer = cf_list_grow(from->fit->judged, from->fit->njudged, sizeof *longer);
    struct cf_adequacy_rows rows = {0};
    int status = CF_OK;

    if (!longer) {
        free(r);
        return cf_fail(err, CF_ENOMEM, "no memory for a curve");
    }
    from->fit->judged = longer;
    out = &longer[from->fit->njudged];
    *out = (struct cf_judged_curve){
        .data = of->data, .column = of->column, .branch = of->branch, .need = of->need};
    size_t n = r ? gather_readings(from, of, r, &out->sets) : 0;
    if (!r || (n && !alloc_rows(&rows, n, q->nfree)))
        status = cf_fail(err, CF_ENOMEM, "no memory for %zu readings", q->nobservation);
    if (!status && n)
        status = put_rows(from, of, r, &rows, err);
    if (!status && n && !is_predicted(&rows))
        n = 0;
    if (!status && n)
        status = cf_adequacy_find(&rows, &out->of, err);
    if (!status && n) {
        out->rows = n;
        out->low = abscissa_at(axis, r[0].place, of->side);
        out->high = abscissa_at(axis, r[n - 1].place, of->side);
        out->worst = abscissa_at(
            axis, r[0].place + out->of.in_unit.at_most.x * (r[n - 1].place - r[0].place), of->side);
        memcpy(out->law, rows.grid_law, sizeof out->law);
        for (size_t i = 0; i < GRID; i++)
            out->abscissa[i] = abscissa_at(
                axis, r[0].place + (double) i / (GRID - 1) * (r[n - 1].place - r[0].place),
                of->side);
        find_measured(from, of, out);
        find_stated(from, r, n, out);
        find_why_not(from, of, r, n, out);
        widen(&out->of.in_unit, out->stated);
        widen(&out->of.relative, out->stated_relative);
        status = answer_need(&rows, out, err);
        put_words(q->spec, out);
        from->fit->njudged++;
    }
    clear_rows(&rows);
    free(r);
    return status;
}

/* The need of a quantity, from the `from`th on; NULL: no more. */
static const struct cf_need *find_need(const struct cf_spec *spec, const char *quantity,
                                       size_t *from)
{
    for (; *from < spec->nneed; ++*from)
        if (strcmp(spec->need[*from].quantity, quantity) == 0)
            return &spec->need[(*from)++];
    return NULL;
}

static int judge_sides(const struct source *from, struct subject *of, struct cf_error *err)
{
    const struct cf_protocol *protocol = from->q->spec->data[of->data].protocol;
    int status = CF_OK;

    for (of->branch = 0; of->branch < GSL_MAX(protocol->nbranch, 1) && !status; of->branch++)
        for (of->side = 1; of->side >= -1 && !status; of->side -= 2)
            status = judge_subject(from, of, err);
    return status;
}

/* The headline, and what else there is a need of. */
static int judge_column(const struct source *from, size_t data, size_t column, struct cf_error *err)
{
    const struct cf_protocol *protocol = from->q->spec->data[data].protocol;
    struct subject of = {.data = data, .column = column};
    size_t next = 0;
    int status = CF_OK;

    of.need = find_need(from->q->spec, protocol->channel[column].name, &next);
    if (!of.need && column != protocol->headline)
        return CF_OK;
    do {
        status = judge_sides(from, &of, err);
        of.need = find_need(from->q->spec, protocol->channel[column].name, &next);
    } while (!status && of.need);
    return status;
}

static bool is_first(const struct cf_problem *q, size_t data)
{
    bool first = !q->spec->data[data].protocol->record;

    for (size_t before = 0; before < data && first; before++)
        first = !are_judged_together(q, before, data);
    return first;
}

static int judge_all(const struct source *from, struct cf_error *err)
{
    const struct cf_spec *spec = from->q->spec;
    int status = CF_OK;

    for (size_t d = 0; d < spec->ndata && !status; d++)
        for (size_t c = 0; c < spec->data[d].protocol->nchannel && is_first(from->q, d) && !status;
             c++)
            if (spec->data[d].protocol->channel[c].role == CF_ROLE_MEASURED)
                status = judge_column(from, d, c, err);
    return status;
}

int cf_judge_curves(struct cf_fit *fit, struct cf_error *err)
{
    const struct cf_problem *q = &fit->optimum.problem;
    size_t n = q->nobservation;
    struct source from = {.fit = fit, .q = q, .y = calloc(n * (2 + q->nfree) + 1, sizeof(double))};
    int status = CF_OK;

    from.law_open = is_law_open(fit);
    from.reading = calloc(n + 1, sizeof *from.reading);
    if (!from.y || !from.reading)
        status = cf_fail(err, CF_ENOMEM, "no memory for the slopes of %zu readings", n);
    from.loose = status ? NULL : from.y + n;
    from.slope = status ? NULL : from.loose + n;
    if (!status)
        status = cf_problem_predict(q, fit->optimum.theta, from.y, NULL, err);
    if (!status)
        status =
            cf_problem_visit(q, fit->optimum.theta, NULL, CF_WANT_SLOPES, take_slopes, &from, err);
    if (!status && from.lacking)
        status = cf_fail(err, CF_ENOMEM, "no memory for the slopes of %zu readings", n);
    if (!status)
        status = cf_problem_readings(q, fit->optimum.theta, from.reading, err);
    if (!status)
        status = judge_all(&from, err);
    free(from.y);
    free(from.reading);
    return status;
}

/* The least of the answers to a need; one without any, as of a fit that ended before, is not told.
 */
static enum cf_adequacy_word answer_of(const struct cf_fit *fit, const struct cf_need *need)
{
    enum cf_adequacy_word word = CF_ADEQUATE;
    bool any = false;

    for (size_t i = 0; i < fit->njudged; i++) {
        if (fit->judged[i].need != need)
            continue;
        any = true;
        word = fit->judged[i].word > word ? fit->judged[i].word : word;
    }
    return any ? word : CF_CANNOT_TELL;
}

bool cf_fit_needs(const struct cf_fit *fit, enum cf_adequacy_word *word)
{
    const struct cf_spec *spec = fit->optimum.problem.spec;

    *word = CF_ADEQUATE;
    for (size_t i = 0; i < spec->nneed; i++) {
        enum cf_adequacy_word one = answer_of(fit, &spec->need[i]);
        *word = one > *word ? one : *word;
    }
    return spec->nneed > 0;
}
