#include "study/record_times.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

static const struct cf_param rule_row[CF_RECORD_NRULE] = {
    [CF_RECORD_GAP] = {"gap", "1", 1.5, 1e9, 1.5, 1e9, 5, CF_SCALE_LOG,
                       "a step of so many medians is a gap"},
    [CF_RECORD_JITTER] = {"jitter", "1", 0, 1e9, 0, 1e9, 0.1, CF_SCALE_LINEAR,
                          "sd of the steps over their median above which it is reported"},
    [CF_RECORD_CLIPPED] = {"clipped", "1", 2, 1e9, 2, 1e9, 10, CF_SCALE_LOG,
                           "rows at its extreme from which a sensor is clipped"},
    [CF_RECORD_WRAP] = {"wrap", "1", 0, 53, 0, 53, 0, CF_SCALE_LINEAR,
                        "bits of the counter that is the clock"},
};

static int unknown(const struct cf_yaml *at, struct cf_error *err)
{
    const char *known[CF_RECORD_NRULE];

    for (size_t i = 0; i < CF_RECORD_NRULE; i++)
        known[i] = rule_row[i].name;
    return cf_yaml_unknown(at, "rule", at->key, known, CF_RECORD_NRULE, err);
}

int cf_record_rules(const struct cf_yaml *set, double rule[CF_RECORD_NRULE], struct cf_error *err)
{
    const struct cf_yaml *rules = cf_yaml_get(set, "rules");
    int status = rules ? cf_yaml_map(rules, err) : CF_OK;

    for (size_t i = 0; i < CF_RECORD_NRULE; i++)
        rule[i] = rule_row[i].typical;
    for (size_t i = 0; rules && i < rules->n && !status; i++) {
        const struct cf_yaml *at = &rules->item[i];
        size_t j = cf_param_find(rule_row, CF_RECORD_NRULE, at->key);
        struct cf_estimand number;

        if (j == CF_RECORD_NRULE)
            return unknown(at, err);
        number = cf_apparatus_number(&rule_row[j]);
        status = cf_estimand_value(&number, at, &rule[j], err);
        if (!status && j == CF_RECORD_WRAP && rule[j] != floor(rule[j]))
            status = cf_yaml_fail(at, err, "wrap: %g: a whole number of bits is wanted", rule[j]);
    }
    return status;
}

/* ---- row by row */

/* One count of the clock, s. */
static double count_of(const struct cf_column_source *column)
{
    double unit = column->time.rate_Hz > 0 ? 1 / column->time.rate_Hz : column->time.factor;
    return column->converted ? fabs(column->scale) * unit : unit;
}

/* What a counter of so many bits turns over at; how near a step back must be to that. */
static const int counter_bits[] = {16, 24, 31, 32};
static const double near_turn = 1e-3;

/* The bits of a counter that began anew where the time stepped back by so much; 0: none. */
static int turned(double back_s, double count_s)
{
    for (size_t i = 0; i < sizeof counter_bits / sizeof *counter_bits; i++) {
        double turn_s = ldexp(count_s, counter_bits[i]);
        if (back_s <= turn_s && back_s >= (1 - near_turn) * turn_s)
            return counter_bits[i];
    }
    return 0;
}

static int stepped_back(const struct cf_record_clock *clock, const struct cf_column_source *column,
                        size_t line, double time_s, struct cf_error *err)
{
    double back_s = clock->last_s - time_s, count_s = count_of(column);
    int bits = column->time.dated ? 0 : turned(back_s, count_s);

    if (bits)
        return cf_fail(err, CF_EINPUT,
                       "%.9g s behind %.9g s in line %zu: the clock steps back by %.9g s, and 2^%d "
                       "of its counts are %.9g s: it is a counter that began anew; rules: {wrap: "
                       "%d} lets it go on",
                       time_s, clock->last_s, clock->last_line, back_s, bits, ldexp(count_s, bits),
                       bits);
    return cf_fail(
        err, CF_EINPUT,
        "%.9g s behind %.9g s in line %zu: the clock steps back: keep one part of the "
        "record, by where and a column that numbers its parts, or by exclude: [{row: %zu, "
        "to_row: end, because: ...}]",
        time_s, clock->last_s, clock->last_line, line);
}

int cf_record_stamp(struct cf_record_clock *clock, const struct cf_column_source *column,
                    size_t line, double *time_s, struct cf_error *err)
{
    double turn_s = ldexp(count_of(column), (int) clock->rule[CF_RECORD_WRAP]), now;
    int status = CF_OK;

    *time_s += clock->added_s;
    if (clock->begun && clock->rule[CF_RECORD_WRAP] > 0 && clock->last_s - *time_s > turn_s / 2) {
        clock->added_s += turn_s;
        *time_s += turn_s;
        clock->turn_line = line;
        clock->nturn++;
    }
    now = *time_s;
    if (clock->begun && now < clock->last_s && !clock->lost) {
        status = stepped_back(clock, column, line, now, err);
        clock->lost = true;
    }
    clock->begun = true;
    clock->last_s = now;
    clock->last_line = line;
    return status;
}

/* ---- as a whole */

/* The step to a row from the one before it; false where either is excluded or has no time. */
static bool step_to(const struct cf_dataset *d, size_t row, bool chosen, double *step)
{
    const double *t = d->series[d->protocol->clock].value;

    if (d->use[row] == CF_ROW_EXCLUDED || d->use[row - 1] == CF_ROW_EXCLUDED ||
        (chosen && d->line[row] != d->line[row - 1] + 1))
        return false;
    *step = t[row] - t[row - 1];
    return isfinite(*step);
}

/* Numbers that look like chance and are the same in every run (SplitMix64). */
static uint64_t scatter(uint64_t x)
{
    x = (x + 1) * 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

double cf_record_median_step(const struct cf_dataset *d, bool chosen)
{
    enum {
        MOST = 1 << 16
    }; /* one of each so many rows, at a place of its own, where there are more */
    size_t all = d->nrow > 1 ? d->nrow - 1 : 0, m = all < MOST ? all : MOST, n = 0;
    double *step = malloc((m + 1) * sizeof *step), median = 0;

    for (size_t i = 0; step && d->series[d->protocol->clock].value && i < m; i++) {
        size_t from = all / m * i, width = i + 1 < m ? all / m : all - from;
        n += step_to(d, 1 + from + scatter(i) % width, chosen, &step[n]);
    }
    if (n) {
        gsl_sort(step, 1, n);
        median = gsl_stats_median_from_sorted_data(step, 1, n);
    }
    free(step);
    return median;
}

/* Fewer steps do not determine what is usual. */
enum { LEAST_STEPS = 10 };

/* What the steps of a record are like. */
struct steps {
    double median;
    size_t n;                 /* in all */
    size_t ngap, longest_row; /* beyond the rule, */
    double longest;           /* and the longest of them */
    size_t nmissing, nplace, first_missing;
    size_t nrepeated, first_repeated;
    size_t ncore;                   /* of about a median, */
    double sum, squares, low, high; /* over it, less 1 */
    bool whole;                     /* times are whole numbers */
};

/* Steps up to so many medians are of samples that follow each other. */
static const double most_core = 1.5;
/* How near a whole number of medians a step is that is longer by samples that are missing. */
static const double near_whole = 0.25;

static void take_step(struct steps *s, double step, size_t row, double gap)
{
    double times = s->median > 0 ? step / s->median : 0, excess = times - 1;

    s->n++;
    if (step <= 0) {
        s->first_repeated = s->nrepeated++ ? s->first_repeated : row;
    } else if (!(s->median > 0)) { /* most rows have the time of the row before */
        return;
    } else if (times < most_core) {
        s->ncore++;
        s->sum += excess;
        s->squares += excess * excess;
        s->low = fmin(s->low, step);
        s->high = fmax(s->high, step);
    } else if (times > gap) {
        s->ngap++;
        s->longest_row = step > s->longest ? row : s->longest_row;
        s->longest = fmax(s->longest, step);
    } else if (fabs(times - round(times)) < near_whole) {
        s->first_missing = s->nplace++ ? s->first_missing : row;
        s->nmissing += (size_t) round(times) - 1;
    }
}

static struct steps find_steps(const struct cf_dataset *d, bool chosen, double gap)
{
    struct steps s = {.median = cf_record_median_step(d, chosen),
                      .low = (double) INFINITY,
                      .high = (double) -INFINITY,
                      .whole = true};

    for (size_t row = 1; row < d->nrow; row++) {
        double step;
        if (!step_to(d, row, chosen, &step))
            continue;
        take_step(&s, step, row, gap);
        s.whole = s.whole && step == floor(step);
    }
    return s;
}

static double jitter_of(const struct steps *s)
{
    double mean = s->ncore ? s->sum / (double) s->ncore : 0;
    double variance = s->ncore ? s->squares / (double) s->ncore - mean * mean : 0;
    return variance > 0 ? sqrt(variance) : 0;
}

static int tell_gaps(struct cf_study *study, const char *file, const struct cf_dataset *d,
                     const struct steps *s, double gap, struct cf_error *err)
{
    const struct cf_channel_row *clock = &d->protocol->channel[d->protocol->clock];

    if (!s->ngap || s->n < LEAST_STEPS)
        return CF_OK;
    return cf_study_note(study, err,
                         "%s:%zu: %s: %zu gap%s, step%s of more than %g times the median of %.4g "
                         "%s; %s %.6g %s, ends here at %.9g %s (rules: {gap: %g})",
                         file, d->line[s->longest_row], clock->name, s->ngap,
                         s->ngap == 1 ? "" : "s", s->ngap == 1 ? "" : "s", gap, s->median,
                         clock->unit, s->ngap == 1 ? "it, of" : "the longest, of", s->longest,
                         clock->unit, cf_dataset_value(d, s->longest_row, d->protocol->clock),
                         clock->unit, gap);
}

static int tell_missing(struct cf_study *study, const char *file, const struct cf_dataset *d,
                        const struct steps *s, const double rule[], struct cf_error *err)
{
    const struct cf_channel_row *clock = &d->protocol->channel[d->protocol->clock];

    if (!s->nmissing || s->n < LEAST_STEPS || jitter_of(s) > rule[CF_RECORD_JITTER])
        return CF_OK;
    return cf_study_note(study, err,
                         "%s:%zu: %s: %zu sample%s missing in %zu place%s, the first before this "
                         "line: steps there are 2 to %g times the median of %.4g %s (rules: {gap: "
                         "%g})",
                         file, d->line[s->first_missing], clock->name, s->nmissing,
                         s->nmissing == 1 ? " is" : "s are", s->nplace, s->nplace == 1 ? "" : "s",
                         floor(rule[CF_RECORD_GAP]), s->median, clock->unit, rule[CF_RECORD_GAP]);
}

static int tell_repeated(struct cf_study *study, const char *file, const struct cf_dataset *d,
                         const struct steps *s, struct cf_error *err)
{
    const struct cf_channel_row *clock = &d->protocol->channel[d->protocol->clock];

    if (!s->nrepeated)
        return CF_OK;
    return cf_study_note(
        study, err,
        "%s:%zu: %s: %zu row%s the time of the row before, the first here at %.9g "
        "%s: a sample that was written twice, or a clock coarser than the samples; "
        "exclude: leaves rows out",
        file, d->line[s->first_repeated], clock->name, s->nrepeated,
        s->nrepeated == 1 ? " has" : "s have",
        cf_dataset_value(d, s->first_repeated, d->protocol->clock), clock->unit);
}

static int tell_jitter(struct cf_study *study, const char *file, const struct cf_dataset *d,
                       const struct steps *s, double most, struct cf_error *err)
{
    const struct cf_channel_row *clock = &d->protocol->channel[d->protocol->clock];

    if (s->ncore < LEAST_STEPS || !(jitter_of(s) > most))
        return CF_OK;
    return cf_study_note(study, err,
                         "%s: %s: steps differ, from %.4g to %.4g %s: their sd is %.2g of their "
                         "median, %.4g %s, and up to %g is not reported (rules: {jitter: %g})",
                         file, clock->name, s->low, s->high, clock->unit, jitter_of(s), s->median,
                         clock->unit, most, most);
}

/* Counts that no unit was named for, and that take too long as seconds. */
static int tell_unit(struct cf_study *study, const struct cf_source *source,
                     const struct cf_dataset *d, const struct steps *s, struct cf_error *err)
{
    static const double least_s = 2, of_us = 1e3, of_ns = 1e6;
    const struct cf_column_source *column = &source->column[d->protocol->clock];
    const struct cf_channel_row *clock = &d->protocol->channel[d->protocol->clock];
    bool named = column->node->kind == CF_YAML_MAP && cf_yaml_get(column->node, "unit");
    const char *unit = s->median >= of_ns ? "ns" : s->median >= of_us ? "us" : "ms";

    if (named || column->converted || column->time.rate_Hz > 0 || !s->whole ||
        source->csv->unit[column->from] || s->n < LEAST_STEPS || s->median < least_s)
        return CF_OK;
    return cf_study_note(study, err,
                         "%s: %s: whole numbers without a unit, read as %s: the median step is "
                         "%.4g %s; are they %s? unit: states it",
                         source->csv->path, clock->name, clock->unit, s->median, clock->unit, unit);
}

int cf_record_tell_times(struct cf_study *study, const struct cf_source *source,
                         const struct cf_dataset *d, const struct cf_record_clock *clock,
                         struct cf_error *err)
{
    const struct cf_column_source *column = &source->column[d->protocol->clock];
    const char *file = source->csv ? source->csv->path : source->set->file;
    const double *rule = clock->rule;
    struct steps s;
    int status = CF_OK;

    if (!column->node || column->time.counted || d->nrow < 2 ||
        !d->series[d->protocol->clock].value)
        return CF_OK;
    s = find_steps(d, cf_yaml_get(source->set, "where") != NULL, rule[CF_RECORD_GAP]);
    if (clock->nturn)
        status =
            cf_study_note(study, err,
                          "%s:%zu: %s: its counter began anew %zu time%s, the last one here: "
                          "it goes on (rules: {wrap: %g})",
                          file, clock->turn_line, d->protocol->channel[d->protocol->clock].name,
                          clock->nturn, clock->nturn == 1 ? "" : "s", rule[CF_RECORD_WRAP]);
    if (!status)
        status = tell_repeated(study, file, d, &s, err);
    if (!status)
        status = tell_gaps(study, file, d, &s, rule[CF_RECORD_GAP], err);
    if (!status)
        status = tell_missing(study, file, d, &s, rule, err);
    if (!status)
        status = tell_jitter(study, file, d, &s, rule[CF_RECORD_JITTER], err);
    return status || !source->csv ? status : tell_unit(study, source, d, &s, err);
}
