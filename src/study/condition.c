/* Conditions on rows, "speed > 5 m/s and duration <= 1 ms", and the rows that they hold out. */

#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "core/units.h"
#include "study/keys.h"
#include "study/parts.h"

/* Longer ones first: "<" begins "<=". */
static const struct {
    const char *text;
    enum cf_comparison op;
} operators[] = {
    {"<=", CF_COMPARE_LESS_EQUAL}, {">=", CF_COMPARE_GREATER_EQUAL}, {"==", CF_COMPARE_EQUAL},
    {"!=", CF_COMPARE_UNEQUAL},    {"<", CF_COMPARE_LESS},           {">", CF_COMPARE_GREATER},
};
enum { NOPERATOR = sizeof operators / sizeof *operators };

/* Does any row of the set have this quantity? */
static bool has_column(const struct cf_dataset *d, size_t column)
{
    for (size_t row = 0; row < d->nrow; row++)
        if (cf_dataset_has(d, row, column))
            return true;
    return false;
}

/* The quantities of a data set that has been read. */
static int find_quantity(const void *of, const struct cf_yaml *at, const char *name,
                         struct cf_subject *subject, struct cf_error *err)
{
    const struct cf_dataset *d = of;
    const char *known[CF_MAX_COLUMN];
    size_t n = 0, i = cf_protocol_channel(d->protocol, name);

    if (i < d->protocol->nchannel && has_column(d, i)) {
        *subject = (struct cf_subject){.index = i, .unit = d->protocol->channel[i].unit};
        return CF_OK;
    }
    for (i = 0; i < d->protocol->nchannel; i++)
        if (has_column(d, i))
            known[n++] = d->protocol->channel[i].name;
    return cf_yaml_unknown(at, "column", name, known, n, err);
}

int cf_condition_value(const struct cf_yaml *at, const char *name, const struct cf_subject *subject,
                       const char *text, double *value, struct cf_error *err)
{
    char shown[CF_SHOWN], other[CF_SHOWN];
    struct cf_error what = {""};
    bool word = strspn(text, "+-.0123456789") == 0;

    if (cf_quantity_parse(text, subject->unit, value, &what))
        return cf_yaml_fail(at, err, "where: %s%s", what.text,
                            word && subject->hint ? subject->hint : "");
    if (subject->namesake && cf_number_parse(text, '.', value, NULL) == CF_OK)
        return cf_yaml_fail(at, err,
                            "where: %s %s: that is the quantity [%s], and column %s goes by the "
                            "same name: give the unit, or the column's whole name",
                            cf_show(name, shown), text, subject->unit,
                            cf_show(subject->namesake, other));
    return CF_OK;
}

/* One term, "speed > 5 m/s"; text is cut up. */
static int parse_term(const struct cf_yaml *at, const struct cf_subjects *subjects, char *text,
                      struct cf_term *term, struct cf_error *err)
{
    struct cf_subject subject;
    char *sign = text + strcspn(text, "<>=!"), *end = sign;
    char shown[CF_SHOWN];
    size_t i = 0;
    int status;

    while (end > text && end[-1] == ' ')
        end--;
    while (i < NOPERATOR && strncmp(sign, operators[i].text, strlen(operators[i].text)) != 0)
        i++;
    if (i == NOPERATOR || end == text)
        return cf_yaml_fail(at, err,
                            "where: \"%s\": a comparison such as %s > 5 %s is wanted, with one "
                            "of < <= > >= == !=",
                            cf_show(text, shown), subjects->axis->name, subjects->axis->unit);
    term->op = operators[i].op;
    sign += strlen(operators[i].text);
    *end = '\0';
    status = subjects->find(subjects->of, at, text, &subject, err);
    if (status)
        return status;
    term->index = subject.index;
    return cf_condition_value(at, text, &subject, sign + strspn(sign, " "), &term->value, err);
}

int cf_condition_parse(const struct cf_yaml *at, const struct cf_subjects *subjects,
                       struct cf_condition *condition, struct cf_error *err)
{
    const char *text = NULL;
    char *copy, *term, *rest;
    int status = cf_yaml_text(at, &text, err);

    condition->nterm = 0;
    if (status)
        return status;
    copy = strdup(text);
    if (!copy)
        return cf_fail(err, CF_ENOMEM, "no memory for a condition");
    for (term = copy; term && status == CF_OK; term = rest) {
        rest = strstr(term, " and ");
        if (rest) {
            *rest = '\0';
            rest += strlen(" and ");
        }
        term += strspn(term, " ");
        if (condition->nterm == CF_MAX_TERM)
            status = cf_yaml_fail(at, err, "where: more than %d comparisons", CF_MAX_TERM);
        else
            status = parse_term(at, subjects, term, &condition->term[condition->nterm++], err);
    }
    free(copy);
    return status;
}

bool cf_term_holds(const struct cf_term *term, double x)
{
    const double same = 1e-9; /* relative: units are converted in between */
    double y = term->value;
    bool equal = fabs(x - y) <= same * fmax(fabs(x), fabs(y));

    switch (term->op) {
    case CF_COMPARE_LESS:
        return x < y && !equal;
    case CF_COMPARE_LESS_EQUAL:
        return x < y || equal;
    case CF_COMPARE_GREATER:
        return x > y && !equal;
    case CF_COMPARE_GREATER_EQUAL:
        return x > y || equal;
    case CF_COMPARE_EQUAL:
        return equal;
    default:
        return !isnan(x) && !equal;
    }
}

static bool holds(const struct cf_condition *condition, const struct cf_dataset *d, size_t row)
{
    for (size_t i = 0; i < condition->nterm; i++)
        if (!cf_term_holds(&condition->term[i], cf_dataset_value(d, row, condition->term[i].index)))
            return false;
    return true;
}

static const char *name_of(const void *sets, size_t i)
{
    return ((const struct cf_dataset *) sets)[i].name;
}

static int find_set(struct cf_study *study, const struct cf_yaml *at, struct cf_dataset **d,
                    struct cf_error *err)
{
    size_t i;
    int status =
        cf_yaml_pick(at, "data set", name_of, study->spec.data, study->spec.ndata, &i, err);

    if (status == CF_OK)
        *d = &study->spec.data[i];
    return status;
}

static int hold_out(struct cf_study *study, const struct cf_yaml *entry, struct cf_error *err)
{
    const struct cf_yaml *data, *where;
    struct cf_dataset *d = NULL;
    struct cf_subjects subjects = {.find = find_quantity};
    struct cf_condition condition = {0};
    size_t n = 0;
    int status = cf_schema_check(entry, &cf_study_held_out_schema, err);

    if (status == CF_OK)
        status = cf_yaml_need(entry, "data", &data, err);
    if (status == CF_OK)
        status = find_set(study, data, &d, err);
    if (status)
        return status;
    where = cf_yaml_get(entry, "where");
    subjects.of = d;
    subjects.axis = &d->protocol->axis;
    if (where)
        status = cf_condition_parse(where, &subjects, &condition, err);
    if (status)
        return status;
    for (size_t row = 0; row < d->nrow; row++) {
        if (d->use[row] == CF_ROW_EXCLUDED || !holds(&condition, d, row))
            continue;
        d->use[row] = CF_ROW_HELD_OUT;
        n++;
    }
    return n ? CF_OK
             : cf_yaml_fail(where ? where : data, err, "where: no row of data set %s is like that",
                            d->name);
}

int cf_study_hold_out(struct cf_study *study, const struct cf_yaml *root, struct cf_error *err)
{
    const struct cf_yaml *list = cf_yaml_get(root, "hold-out");
    int status = list ? cf_yaml_list(list, err) : CF_OK;

    for (size_t i = 0; list && i < list->n && status == CF_OK; i++)
        status = hold_out(study, &list->item[i], err);
    return status;
}
