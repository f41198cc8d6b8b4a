/* Conditions on rows, "speed > 5 m/s and duration <= 1 ms", and the rows that they hold out. */

#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "core/units.h"
#include "study/parts.h"

enum { LESS, LESS_EQUAL, GREATER, GREATER_EQUAL, EQUAL, UNEQUAL, NOPERATOR };

/* Longer ones first: "<" begins "<=". */
static const struct {
    const char *text;
    int op;
} operators[NOPERATOR] = {
    {"<=", LESS_EQUAL}, {">=", GREATER_EQUAL}, {"==", EQUAL},
    {"!=", UNEQUAL},    {"<", LESS},           {">", GREATER},
};

/* Does any row of the set have this column? */
static bool has_column(const struct cf_dataset *d, size_t column)
{
    for (size_t row = 0; row < d->nrow; row++)
        if (cf_dataset_has(d, row, column))
            return true;
    return false;
}

static int find_column(const struct cf_yaml *at, const struct cf_dataset *d, const char *name,
                       size_t *column, struct cf_error *err)
{
    const char *known[CF_MAX_COLUMN];
    size_t n = 0;

    *column = cf_protocol_channel(d->protocol, name);
    if (*column < d->protocol->nchannel && has_column(d, *column))
        return CF_OK;
    for (size_t i = 0; i < d->protocol->nchannel; i++)
        if (has_column(d, i))
            known[n++] = d->protocol->channel[i].name;
    return cf_yaml_unknown(at, "column", name, known, n, err);
}

/* One term, "speed > 5 m/s"; text is cut up. */
static int parse_term(const struct cf_yaml *at, const struct cf_dataset *d, char *text,
                      struct cf_term *term, struct cf_error *err)
{
    char *end = text + strcspn(text, " <>=!"), *sign = end + strspn(end, " ");
    char shown[CF_SHOWN];
    size_t i = 0;
    int status;

    while (i < NOPERATOR && strncmp(sign, operators[i].text, strlen(operators[i].text)) != 0)
        i++;
    if (i == NOPERATOR || end == text)
        return cf_yaml_fail(at, err,
                            "where: \"%s\": a comparison such as %s > 5 %s is wanted, with one "
                            "of < <= > >= == !=",
                            cf_show(text, shown), d->protocol->axis.name, d->protocol->axis.unit);
    term->op = operators[i].op;
    sign += strlen(operators[i].text);
    *end = '\0';
    status = find_column(at, d, text, &term->column, err);
    if (status)
        return status;
    status = cf_quantity_parse(sign + strspn(sign, " "), d->protocol->channel[term->column].unit,
                               &term->value, err);
    return status ? cf_yaml_blame(at, "where", status, err) : CF_OK;
}

int cf_condition_parse(const struct cf_yaml *at, const struct cf_dataset *d,
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
            status = parse_term(at, d, term, &condition->term[condition->nterm++], err);
    }
    free(copy);
    return status;
}

static bool compare(int op, double x, double y)
{
    const double same = 1e-9; /* relative: units are converted in between */
    bool equal = fabs(x - y) <= same * fmax(fabs(x), fabs(y));

    switch (op) {
    case LESS:
        return x < y && !equal;
    case LESS_EQUAL:
        return x < y || equal;
    case GREATER:
        return x > y && !equal;
    case GREATER_EQUAL:
        return x > y || equal;
    case EQUAL:
        return equal;
    default:
        return !equal;
    }
}

bool cf_condition_holds(const struct cf_condition *condition, const struct cf_dataset *d,
                        size_t row)
{
    for (size_t i = 0; i < condition->nterm; i++) {
        const struct cf_term *t = &condition->term[i];
        if (!cf_dataset_has(d, row, t->column) ||
            !compare(t->op, cf_dataset_value(d, row, t->column), t->value))
            return false;
    }
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
    static const char *const keys[] = {"data", "where"};
    const struct cf_yaml *data, *where;
    struct cf_dataset *d = NULL;
    struct cf_condition condition = {0};
    size_t n = 0;
    int status = cf_yaml_keys(entry, keys, 2, err);

    if (status == CF_OK)
        status = cf_yaml_need(entry, "data", &data, err);
    if (status == CF_OK)
        status = find_set(study, data, &d, err);
    if (status)
        return status;
    where = cf_yaml_get(entry, "where");
    if (where)
        status = cf_condition_parse(where, d, &condition, err);
    if (status)
        return status;
    for (size_t row = 0; row < d->nrow; row++) {
        if (d->use[row] == CF_ROW_EXCLUDED || !cf_condition_holds(&condition, d, row))
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
