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
    return status ? status : check_by(by, err);
}

/* The own keys of a data set's `group`: by, and a text for each of its names. */
static int check_own(const struct cf_yaml *own, const struct cf_yaml *by, struct cf_error *err)
{
    const char **known;
    int status;

    if (own->kind != CF_YAML_MAP)
        return cf_yaml_fail(own, err,
                            "group: {by: [session]}, {session: monday} or none is wanted");
    if (!by)
        return cf_yaml_fail(own, err, "group: by is missing: the levels, as in by: [session]");
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
    const struct cf_yaml *name;
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
        one = cf_yaml_get(own, at->name->text);
    if (one)
        status = cf_yaml_text(one, &at->all, err);
    else if (source->nown)
        status = cf_yaml_fail(at->name, err,
                              "by: %.80s: a column of one table, and channels have files of their "
                              "own: state it for the data set, as group: {%.80s: ...}",
                              at->name->text, at->name->text);
    else if (source->csv)
        status = cf_table_header(source->csv, at->name, at->name->text, &at->column, err);
    if (status)
        return status;
    status = cf_grouping_level(&study->spec.grouping, at->name->text, within, &at->level, &why);
    if (status == CF_EINPUT)
        return cf_yaml_fail(at->name, err, "by: %s", why.text);
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
    node = cf_yaml_get(&source->rows->item[from_row], at->name->text);
    if (!node)
        return cf_yaml_fail(&source->rows->item[from_row], err,
                            "%.80s: missing: which group does the row belong to?", at->name->text);
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
    struct level_source *at;
    int status = own && !is_none(own) ? check_own(own, by, err) : CF_OK;

    if (status || !by)
        return status;
    if (study->spec.grouping.origin != CF_GROUPS_STATED)
        study->spec.grouping.origin = CF_GROUPS_STATED;
    at = calloc(by->n, sizeof *at);
    if (!at)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu levels of groups", by->n);
    for (size_t i = 0; i < by->n && !status; i++) {
        at[i].name = &by->item[i];
        status = find_level(study, source, i ? at[i - 1].level : SIZE_MAX, &at[i], err);
    }
    if (!status)
        status = number_rows(study, source, d, at, by->n, err);
    free(at);
    return status;
}

/* ---- without a word of the study */

static int compare_double(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The places of the rows that are not excluded, each once: place[nrow]; *rows in all. */
static size_t places_of(const struct cf_dataset *d, double place[], size_t *rows)
{
    size_t n = 0, kept = 0;

    for (size_t row = 0; row < d->nrow; row++)
        if (d->use[row] != CF_ROW_EXCLUDED && isfinite(d->protocol->abscissa(d, row)))
            place[n++] = d->protocol->abscissa(d, row);
    qsort(place, n, sizeof *place, compare_double);
    for (size_t i = 0; i < n; i++)
        if (!kept || place[i] != place[kept - 1])
            place[kept++] = place[i];
    *rows = n;
    return kept;
}

static int group_by_place(struct cf_study *study, struct cf_dataset *d, size_t level,
                          struct cf_error *err)
{
    const struct cf_axis *axis = &d->protocol->axis;
    struct cf_grouping *grouping = &study->spec.grouping;
    int status = cf_dataset_group_room(d, grouping->nlevel, err);

    for (size_t row = 0; row < d->nrow && !status; row++) {
        double place = d->protocol->abscissa(d, row);
        char *text;
        if (!isfinite(place))
            continue;
        text = cf_format("%s at %.17g %s", d->name, place, axis->unit);
        status = text ? cf_grouping_number(grouping, level, CF_NO_GROUP, text,
                                           &d->group[level * d->nrow + row], err)
                      : cf_fail(err, CF_ENOMEM, "no memory for the groups");
        free(text);
    }
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
        double *place = malloc((d->nrow + 1) * sizeof *place);
        size_t rows = 0, n = place ? places_of(d, place, &rows) : 0, level;
        free(place);
        if (!place)
            return cf_fail(err, CF_ENOMEM, "no memory for %zu rows", d->nrow);
        if (n < 2 || n >= MANY_PLACES || rows < LEAST_REPEATS * n)
            continue;
        if (other) {
            status = cf_study_note(study, err,
                                   "%s: %zu rows at %zu %s are taken as independent, as %s does",
                                   d->name, rows, n, d->protocol->axis.plural, other);
            continue;
        }
        spec->grouping.origin = CF_GROUPS_BY_PLACE;
        status = cf_grouping_level(&spec->grouping, d->protocol->axis.name, SIZE_MAX, &level, err);
        if (!status)
            status = group_by_place(study, d, level, err);
    }
    return status;
}
