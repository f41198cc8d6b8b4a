/* `group`: which rows share an error.
 *
 * By the texts of columns, the outermost first; a data set may say one text for all its rows. Where
 * a study is silent, repeats at few places are grouped by place: what was set once for all of them,
 * a drop height, is the same for all of them.
 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "study/keys.h"
#include "study/parts.h"

/* From this many places on, a place is one of a sample of them, and its own error is in the scatter
 * about the curve. */
enum { MANY_PLACES = 20 };

/* Repeats are meant as such where there are this many rows a place, on average. */
enum { LEAST_REPEATS = 2 };

static bool is_none(const struct cf_yaml *group)
{
    return group && group->kind == CF_YAML_TEXT && strcmp(group->text, "none") == 0;
}

const struct cf_yaml *cf_source_group_by(const struct cf_source *source)
{
    const struct cf_yaml *own = cf_yaml_get(source->set, "group"), *all = source->group;
    const struct cf_yaml *by = own && own->kind == CF_YAML_MAP ? cf_yaml_get(own, "by") : NULL;

    if (is_none(own))
        return NULL;
    return by || !all || all->kind != CF_YAML_MAP ? by : cf_yaml_get(all, "by");
}

/* A list of names. */
static int check_by(const struct cf_yaml *by, struct cf_error *err)
{
    int status = cf_yaml_list(by, err);

    if (!status && by->n == 0)
        return cf_yaml_fail(by, err, "by: empty: the column of what rows share, as in [session]");
    for (size_t i = 0; !status && i < by->n; i++) {
        const char *name = NULL;
        status = cf_yaml_text(&by->item[i], &name, err);
        for (size_t j = 0; !status && j < i; j++)
            if (strcmp(by->item[j].text, name) == 0)
                status = cf_yaml_fail(&by->item[i], err, "by: %.80s: named twice", name);
    }
    return status;
}

/* The word that says that errors are shares of the reading, in the place of parameters. */
static const char of_reading[] = "reading";

static bool is_reading(const struct cf_yaml *of)
{
    return of && of->kind == CF_YAML_TEXT && strcmp(of->text, of_reading) == 0;
}

/* `of`: reading, or a list of names; which they may be is known later. */
static int check_of(const struct cf_yaml *of, struct cf_error *err)
{
    int status = CF_OK;

    if (!of || is_reading(of))
        return CF_OK;
    if (of->kind != CF_YAML_LIST)
        return cf_yaml_fail(of, err,
                            "of: reading, or a list of parameters as in of: [lambda], is wanted");
    if (of->n == 0)
        return cf_yaml_fail(of, err,
                            "of: empty: the parameters that groups differ in, as in [lambda]");
    for (size_t i = 0; !status && i < of->n; i++) {
        const char *name = NULL;
        status = cf_yaml_text(&of->item[i], &name, err);
        for (size_t j = 0; !status && j < i; j++)
            if (strcmp(of->item[j].text, name) == 0)
                status = cf_yaml_fail(&of->item[i], err, "of: %.80s: named twice", name);
    }
    return status;
}

/* What groups of a level of the study have of their own. */
static int put_of(struct cf_study *study, const struct cf_yaml *of, size_t level,
                  struct cf_error *err)
{
    int status = CF_OK;

    if (is_reading(of))
        study->spec.grouping.level[level].of = CF_GROUPS_SHARE;
    for (size_t i = 0; of && of->kind == CF_YAML_LIST && i < of->n && !status; i++)
        status = cf_grouping_parameter(&study->spec.grouping, level, of->item[i].text, err);
    return status;
}

/* One name of `of` must be a free parameter that all groups share. */
static int check_parameter(const struct cf_spec *spec, const struct cf_yaml *at,
                           struct cf_error *err)
{
    const char *known[CF_MAX_PARAM];
    size_t n = 0;

    for (size_t i = 0; i < spec->nfree; i++) {
        if (spec->free[i].per == CF_SHARED_BY_ALL)
            known[n++] = spec->free[i].name;
        if (strcmp(spec->free[i].name, at->text) != 0)
            continue;
        if (spec->free[i].per == CF_SHARED_BY_ALL)
            return CF_OK;
        return cf_yaml_fail(at, err,
                            "of: %s has a value for each %s (per: %s): it is the same in all "
                            "groups, or differs from group to group at random: leave per out",
                            at->text, cf_sharing_name[spec->free[i].per],
                            cf_sharing_name[spec->free[i].per]);
    }
    for (size_t i = 0; i < spec->ngiven; i++)
        if (strcmp(spec->given[i].name, at->text) == 0)
            return cf_yaml_fail(
                at, err, "of: %s is fixed: groups can differ in what is fitted only", at->text);
    for (size_t i = 0; i < spec->ntie; i++)
        if (strcmp(spec->tie[i].name, at->text) == 0)
            return cf_yaml_fail(at, err, "of: %s is tied to %s: name that, and both differ",
                                at->text, spec->tie[i].to);
    if (n == 0)
        return cf_yaml_fail(at, err, "of: %.80s: no parameter is fitted to all groups", at->text);
    return cf_yaml_unknown(at, "fitted parameter", at->text, known, n, err);
}

int cf_study_group_parameters(const struct cf_study *study, const struct cf_yaml *root,
                              struct cf_error *err)
{
    const struct cf_yaml *group = cf_yaml_get(root, "group");
    const struct cf_yaml *of =
        group && group->kind == CF_YAML_MAP ? cf_yaml_get(group, "of") : NULL;
    int status = CF_OK;

    for (size_t i = 0; of && of->kind == CF_YAML_LIST && i < of->n && !status; i++)
        status = check_parameter(&study->spec, &of->item[i], err);
    return status;
}

int cf_study_group(struct cf_study *study, const struct cf_yaml *root, const struct cf_yaml **group,
                   struct cf_error *err)
{
    const struct cf_yaml *by = NULL;
    int status;

    *group = cf_yaml_get(root, "group");
    if (!*group)
        return CF_OK;
    study->spec.grouping.origin = is_none(*group) ? CF_GROUPS_DENIED : CF_GROUPS_STATED;
    if (is_none(*group))
        return CF_OK;
    if ((*group)->kind != CF_YAML_MAP)
        return cf_yaml_fail(*group, err, "group: {by: [session]}, or none, is wanted");
    status = cf_schema_check(*group, &cf_study_group_by_schema, err);
    if (!status)
        status = cf_yaml_need(*group, "by", &by, err);
    if (!status)
        status = check_by(by, err);
    return status ? status : check_of(cf_yaml_get(*group, "of"), err);
}

/* The own keys of a data set's `group`: by, and a text for each of its names; without by these are
 * the levels. */
static int check_own(const struct cf_yaml *own, const struct cf_yaml *by, struct cf_error *err)
{
    const char **known;
    int status;

    if (own->kind != CF_YAML_MAP || !own->n)
        return cf_yaml_fail(own, err,
                            "group: {by: [session]}, {session: monday} or none is wanted");
    if (cf_yaml_get(own, "of"))
        return cf_yaml_fail_key(cf_yaml_get(own, "of"), err,
                                "of: say it in the group of the study, with its by: it holds for "
                                "all data sets");
    if (!by)
        return CF_OK;
    status = check_by(by, err);
    if (status)
        return status;
    known = calloc(by->n + 1, sizeof *known);
    if (!known)
        return cf_fail(err, CF_ENOMEM, "no memory for the groups");
    known[0] = "by";
    for (size_t i = 0; i < by->n; i++)
        known[i + 1] = by->item[i].text;
    status = cf_yaml_keys(own, known, by->n + 1, err);
    free(known);
    return status;
}

/* Where a level's texts stand. */
struct level_source {
    const struct cf_yaml *node; /* which names it, */
    const char *name;
    const char *all; /* one for all rows; NULL: they differ */
    size_t column;   /* of the table */
    size_t level;    /* of the study's groups */
};

static int find_level(struct cf_study *study, const struct cf_source *source, size_t within,
                      struct level_source *at, struct cf_error *err)
{
    const struct cf_yaml *own = cf_yaml_get(source->set, "group"), *one = NULL;
    struct cf_error why = {""};
    int status = CF_OK;

    if (own && own->kind == CF_YAML_MAP)
        one = cf_yaml_get(own, at->name);
    if (one)
        status = cf_yaml_text(one, &at->all, err);
    else if (source->nown)
        status = cf_yaml_fail(at->node, err,
                              "by: %.80s: a column of one table, and channels have files of their "
                              "own: state it for the data set, as group: {%.80s: ...}",
                              at->name, at->name);
    else if (source->csv)
        status = cf_table_header(source->csv, at->node, at->name, &at->column, err);
    if (status)
        return status;
    status = cf_grouping_level(&study->spec.grouping, at->name, within, &at->level, &why);
    if (status == CF_EINPUT)
        return cf_yaml_fail(at->node, err, "group: %s", why.text);
    return status ? cf_fail(err, status, "%s", why.text) : CF_OK;
}

/* The text of a row of the table, or of the study. */
static int text_of(const struct cf_source *source, const struct level_source *at, size_t from_row,
                   char room[CF_CSV_ROOM], const char **text, struct cf_error *err)
{
    const struct cf_csv *csv = source->csv;
    const struct cf_yaml *node;

    *text = at->all;
    if (at->all)
        return CF_OK;
    if (csv) {
        *text = cf_csv_cell(csv, from_row, at->column, room);
        return **text ? CF_OK
                      : cf_fail(err, CF_EINPUT,
                                "%s:%zu:%zu: %s: empty: which group does it belong "
                                "to?",
                                csv->path, csv->line[from_row],
                                cf_csv_at(csv, from_row, at->column), csv->full[at->column]);
    }
    node = cf_yaml_get(&source->rows->item[from_row], at->name);
    if (!node)
        return cf_yaml_fail(&source->rows->item[from_row], err,
                            "%.80s: missing: which group does the row belong to?", at->name);
    return cf_yaml_text(node, text, err);
}

/* The row of the table or of the study that a row of the data set came from: `from` or later. */
static size_t origin_of(const struct cf_source *source, const struct cf_dataset *d, size_t row,
                        size_t from)
{
    size_t n = source->csv ? source->csv->nrow : source->rows->n;

    while (from < n &&
           (source->csv ? source->csv->line[from] : source->rows->item[from].line) != d->line[row])
        from++;
    return from;
}

static int number_rows(struct cf_study *study, const struct cf_source *source, struct cf_dataset *d,
                       const struct level_source at[], size_t n, struct cf_error *err)
{
    int status = cf_dataset_group_room(d, study->spec.grouping.nlevel, err);

    for (size_t row = 0, from = 0; row < d->nrow && !status; row++, from++) {
        uint32_t outer = CF_NO_GROUP;
        from = origin_of(source, d, row, from);
        for (size_t i = 0; i < n && !status; i++) {
            char room[CF_CSV_ROOM];
            const char *text;
            status = text_of(source, &at[i], from, room, &text, err);
            if (!status)
                status = cf_grouping_number(&study->spec.grouping, at[i].level, outer, text, &outer,
                                            err);
            if (!status)
                d->group[at[i].level * d->nrow + row] = outer;
        }
    }
    return status;
}

int cf_source_groups(struct cf_study *study, const struct cf_source *source, struct cf_dataset *d,
                     struct cf_error *err)
{
    const struct cf_yaml *own = cf_yaml_get(source->set, "group");
    const struct cf_yaml *by = cf_source_group_by(source);
    const struct cf_yaml *levels = by || is_none(own) ? by : own;
    struct level_source *at;
    int status = own && !is_none(own) ? check_own(own, by, err) : CF_OK;

    if (status || !levels)
        return status;
    if (study->spec.grouping.origin != CF_GROUPS_STATED)
        study->spec.grouping.origin = CF_GROUPS_STATED;
    at = calloc(levels->n, sizeof *at);
    if (!at)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu levels of groups", levels->n);
    for (size_t i = 0; i < levels->n && !status; i++) {
        at[i].node = &levels->item[i];
        at[i].name = by ? levels->item[i].text : levels->item[i].key;
        status = find_level(study, source, i ? at[i - 1].level : SIZE_MAX, &at[i], err);
        if (!status && source->group && by == cf_yaml_get(source->group, "by"))
            status = put_of(study, cf_yaml_get(source->group, "of"), at[i].level, err);
    }
    if (!status)
        status = number_rows(study, source, d, at, levels->n, err);
    free(at);
    return status;
}

/* ---- without a word of the study */

static bool has_place(const struct cf_dataset *d, size_t row)
{
    return d->use[row] != CF_ROW_EXCLUDED && isfinite(d->protocol->abscissa(d, row));
}

/* "drops at 2 m/s, load 5 N": all that is imposed on a row, but when. NULL: no memory. */
static char *place_of(const struct cf_dataset *d, size_t row)
{
    const struct cf_protocol *protocol = d->protocol;
    char *text =
        cf_format("%s at %.17g %s", d->name, protocol->abscissa(d, row), protocol->axis.unit);

    for (size_t c = 0; c < protocol->nchannel && text; c++) {
        if (protocol->channel[c].role != CF_ROLE_IMPOSED || c == protocol->axis_channel ||
            c == protocol->clock || !cf_dataset_has(d, row, c))
            continue;
        char *more = cf_format("%s, %s %.17g %s", text, protocol->channel[c].name,
                               cf_dataset_value(d, row, c), protocol->channel[c].unit);
        free(text);
        text = more;
    }
    return text;
}

static int compare_text(const void *a, const void *b)
{
    return strcmp(*(char *const *) a, *(char *const *) b);
}

/* The places of the rows that are not excluded: place[nrow], NULL for the others, to be freed; how
 * many different ones of how many rows. */
static int find_places(const struct cf_dataset *d, char *place[], size_t *different, size_t *rows,
                       struct cf_error *err)
{
    char **sorted = calloc(d->nrow + 1, sizeof *sorted);
    int status = sorted ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu rows", d->nrow);

    *different = *rows = 0;
    for (size_t row = 0; row < d->nrow && !status; row++) {
        if (!has_place(d, row))
            continue;
        place[row] = place_of(d, row);
        sorted[(*rows)++] = place[row];
        if (!place[row])
            status = cf_fail(err, CF_ENOMEM, "no memory for the groups");
    }
    if (!status)
        qsort(sorted, *rows, sizeof *sorted, compare_text);
    for (size_t i = 0; i < *rows && !status; i++)
        *different += i == 0 || strcmp(sorted[i], sorted[i - 1]) != 0;
    free(sorted);
    return status;
}

/* Do its rows lie at few places of the axis alone? Of many all that is imposed makes no fewer. */
static bool at_few_places(const struct cf_dataset *d)
{
    double seen[MANY_PLACES];
    size_t n = 0;

    for (size_t row = 0; row < d->nrow && n < MANY_PLACES; row++) {
        double place = has_place(d, row) ? d->protocol->abscissa(d, row) : (double) NAN;
        size_t i = 0;
        while (i < n && seen[i] != place)
            i++;
        if (i == n && !isnan(place))
            seen[n++] = place;
    }
    return n < MANY_PLACES;
}

/* Rows of one place are a group, where that is asked for by their numbers. */
static int group_by_place(struct cf_study *study, struct cf_dataset *d, const char *other,
                          struct cf_error *err)
{
    struct cf_grouping *grouping = &study->spec.grouping;
    char **place = calloc(d->nrow + 1, sizeof *place);
    size_t different, rows, level;
    int status = place ? find_places(d, place, &different, &rows, err)
                       : cf_fail(err, CF_ENOMEM, "no memory for %zu rows", d->nrow);
    bool repeats =
        !status && different >= 2 && different < MANY_PLACES && rows >= LEAST_REPEATS * different;

    if (repeats && other) {
        status =
            cf_study_note(study, err, "%s: %zu rows at %zu %s are taken as independent, as %s does",
                          d->name, rows, different, d->protocol->axis.plural, other);
    } else if (repeats) {
        grouping->origin = CF_GROUPS_BY_PLACE;
        status = cf_grouping_level(grouping, d->protocol->axis.name, SIZE_MAX, &level, err);
        if (!status)
            status = cf_dataset_group_room(d, grouping->nlevel, err);
        for (size_t row = 0; row < d->nrow && !status; row++)
            if (place[row])
                status = cf_grouping_number(grouping, level, CF_NO_GROUP, place[row],
                                            &d->group[level * d->nrow + row], err);
    }
    for (size_t row = 0; place && row < d->nrow; row++)
        free(place[row]);
    free(place);
    return status;
}

/* The loss that was asked for, where it takes every row as independent. */
static const char *independent(const struct cf_fit_options *options)
{
    return options->loss != CF_LOSS_SQUARES ? cf_loss_name[options->loss] : NULL;
}

int cf_study_floors(const struct cf_study *study, const struct cf_yaml *root, struct cf_error *err)
{
    const char *other = independent(&study->spec.options);

    for (size_t i = 0; i < study->spec.ndata && other; i++)
        for (size_t c = 0; c < study->spec.data[i].protocol->nchannel; c++)
            if (study->spec.data[i].series[c].floored)
                return cf_yaml_fail_key(
                    cf_yaml_get(root, "options"), err,
                    "options: %s takes one sigma of all rows, and %s of %s has a floor in each: "
                    "leave it out",
                    other, study->spec.data[i].protocol->channel[c].name, study->spec.data[i].name);
    return CF_OK;
}

int cf_study_groups_by_place(struct cf_study *study, const struct cf_yaml *root,
                             struct cf_error *err)
{
    struct cf_spec *spec = &study->spec;
    const char *other = independent(&spec->options);
    int status = CF_OK;

    for (size_t i = 0; i < spec->ndata && other; i++)
        if (spec->data[i].protocol->recording)
            return cf_yaml_fail_key(
                cf_yaml_get(root, "options"), err,
                "options: %s takes every row as independent, and in %s "
                "neighbouring rows share the errors of a %s: leave it out",
                other, spec->data[i].name,
                spec->data[i].protocol->channel[spec->data[i].protocol->recording->record].name);
    if (spec->grouping.origin == CF_GROUPS_STATED && other)
        return cf_yaml_fail_key(
            cf_yaml_get(root, "options"), err,
            "options: %s takes every row as independent: leave it out, or state group: none",
            other);
    for (size_t i = 0; i < spec->ndata && spec->grouping.origin != CF_GROUPS_STATED &&
                       spec->grouping.origin != CF_GROUPS_DENIED && !status;
         i++) {
        struct cf_dataset *d = &spec->data[i];
        if (d->protocol->recording || d->protocol->record) /* strokes to and fro are no repeats */
            continue;
        if (at_few_places(d))
            status = group_by_place(study, d, other, err);
    }
    return status;
}
