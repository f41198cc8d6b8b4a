/* What is said of a curve, or of a number of runs: its limits in words, and the answer to a need.
 */

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/decimal.h"
#include "experiment/run_number.h"
#include "judge/parts.h"

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
    const char *label, *unit, *axis; /* units "" of a pure number */
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

/* The part of the range where it is worst, and what is sure. */
static void say_rest(struct words *w, const struct cf_judged_curve *c)
{
    say(w, " of what was measured");
    if (!c->averaged)
        say(w, ", worst at %.3g%s%s", c->worst, *w->axis ? " " : "", w->axis);
    if (c->of.in_unit.at_least > 0) {
        say(w, "; it is surely off by ");
        say_limit(w, c->of.in_unit.at_least, (double) NAN);
    }
}

static void say_limits(struct words *w, const struct cf_judged_curve *c, bool along)
{
    if (c->number)
        say(w, "over %zu runs", c->rows);
    if (along)
        say(w, "%sfrom %.3g to %.3g%s%s", c->number ? " " : "", c->low, c->high,
            *w->axis ? " " : "", w->axis);
    say(w, " this %s gives the %s%s within ", c->number ? "law" : "curve", w->label,
        c->averaged ? " on average" : "");
    say_limit(w, c->of.in_unit.at_most.value, c->of.relative.at_most.value);
    if (c->stated > worth_saying * c->of.in_unit.at_most.value) {
        say(w, ", ");
        say_limit(w, c->stated, (double) NAN);
        say(w, " of it for what is not known of the instruments,");
    }
    say_rest(w, c);
}

static void say_lack(struct words *w, const struct cf_judged_curve *c, const char *axis)
{
    say(w, "how near this %s gives the %s cannot be told: ", c->number ? "law" : "curve", w->label);
    if (*c->why_not)
        say(w, "%s", c->why_not);
    else
        say(w, "%d places along the %s are needed, and there %s %zu", CF_ADEQUACY_PLACES, axis,
            c->of.places == 1 ? "is" : "are", c->of.places);
}

static void put_words(const struct cf_spec *spec, struct cf_judged_curve *c)
{
    const struct cf_protocol *protocol = spec->data[c->data].protocol;
    const struct cf_axis *axis = c->number ? c->number->axis : &protocol->axis;
    struct words w = {.label = c->number ? c->number->label : protocol->channel[c->column].label,
                      .unit = c->number ? c->number->unit : protocol->channel[c->column].unit,
                      .axis = axis ? axis->unit : "",
                      .text = c->text,
                      .size = sizeof c->text};

    w.unit = strcmp(w.unit, "1") == 0 ? "" : w.unit;
    w.axis = strcmp(w.axis, "1") == 0 ? "" : w.axis;
    if (c->sets < spec->ndata)
        say(&w, "%.80s%s: ", spec->data[c->data].name, c->sets > 1 ? " and others" : "");
    if (protocol->nbranch && !c->number)
        say(&w, "%s: ", protocol->branch_name[c->branch]);
    if (c->of.columns)
        say_limits(&w, c, axis && c->low != c->high);
    else
        say_lack(&w, c, axis ? axis->name : "");
    if (c->need)
        say_answer(&w, c);
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
    if (out->word != CF_CANNOT_TELL || !out->of.columns || out->averaged || !is_covered(out))
        return CF_OK;
    double stated = out->need->relative ? out->stated_relative : out->stated;
    return cf_adequacy_more(rows, out->need->within - stated, out->need->relative, &out->times,
                            err);
}

int cf_judged_finish(const struct cf_spec *spec, const struct cf_adequacy_rows *rows,
                     struct cf_judged_curve *c, struct cf_error *err)
{
    widen(&c->of.in_unit, c->stated);
    widen(&c->of.relative, c->stated_relative);
    int status = answer_need(rows, c, err);
    put_words(spec, c);
    return status;
}
