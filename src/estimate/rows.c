#include "estimate/rows.h"

#include <stdlib.h>

#include "estimate/clusters.h"
#include "estimate/records.h"
#include "estimate/serial.h"

/* The outermost group of an observation's row: *level, and its number there; CF_NO_GROUP. */
static uint32_t outermost(const struct cf_problem *q, const struct cf_observation *o, size_t *level)
{
    const struct cf_grouping *grouping = &q->spec->grouping;

    for (*level = 0; *level < grouping->nlevel; (*level)++) {
        uint32_t group = cf_dataset_group(&q->spec->data[o->data], o->row, *level);
        if (grouping->level[*level].within == SIZE_MAX && group != CF_NO_GROUP)
            return group;
    }
    return CF_NO_GROUP;
}

/* Does a row share errors with the one before it? */
static bool linked(const struct cf_problem *q, size_t observation)
{
    return cf_record_links(q, observation) || cf_serial_links(q, observation) ||
           cf_cluster_links(q, observation);
}

/* Number the outermost groups as they come; of[] holds SIZE_MAX for each group of each level. */
static void number_groups(struct cf_rows *rows, const struct cf_problem *q, size_t **of)
{
    const struct cf_observation *o = q->observation;

    for (size_t i = 0; i < q->nobservation; i++) {
        size_t level;
        uint32_t group = outermost(q, &o[i], &level);
        bool new_row = i == 0 || o[i].data != o[i - 1].data || o[i].row != o[i - 1].row;
        size_t at = group == CF_NO_GROUP ? SIZE_MAX : of[level][group];
        if (group == CF_NO_GROUP && (!new_row || linked(q, i)))
            at = rows->row[i - 1];
        if (at == SIZE_MAX) {
            at = rows->nrow;
            rows->first[rows->nrow++] = i;
        }
        if (group != CF_NO_GROUP)
            of[level][group] = at;
        rows->row[i] = at;
    }
    rows->nset = 1;
    rows->set[1] = rows->nrow;
}

/* A row that shares a record with the one before it belongs to it. */
static void number_rows(struct cf_rows *rows, const struct cf_problem *q)
{
    const struct cf_observation *o = q->observation;

    for (size_t i = 0; i < q->nobservation; i++) {
        if (i == 0 || o[i].data != o[i - 1].data)
            rows->set[rows->nset++] = rows->nrow;
        if (i == 0 || o[i].data != o[i - 1].data || (o[i].row != o[i - 1].row && !linked(q, i)))
            rows->first[rows->nrow++] = i;
        rows->row[i] = rows->nrow - 1;
    }
    rows->set[rows->nset] = rows->nrow;
}

int cf_rows_init(struct cf_rows *rows, const struct cf_problem *problem, struct cf_error *err)
{
    const struct cf_grouping *grouping = &problem->spec->grouping;
    size_t n = problem->nobservation, **of;
    bool room;

    *rows = (struct cf_rows){.row = calloc(n + 1, sizeof *rows->row),
                             .first = calloc(n + 1, sizeof *rows->first),
                             .set = calloc(n + 2, sizeof *rows->set)};
    of = calloc(grouping->nlevel + 1, sizeof *of);
    room = rows->row && rows->first && rows->set && of;
    for (size_t i = 0; i < grouping->nlevel && room; i++) {
        of[i] = malloc((grouping->level[i].n + 1) * sizeof *of[i]);
        room = of[i] != NULL;
        for (size_t g = 0; g < grouping->level[i].n && room; g++)
            of[i][g] = SIZE_MAX;
    }
    if (room && problem->neffect)
        number_groups(rows, problem, of);
    else if (room)
        number_rows(rows, problem);
    for (size_t i = 0; i < grouping->nlevel && of; i++)
        free(of[i]);
    free(of);
    return room ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu rows", n);
}

void cf_rows_clear(struct cf_rows *rows)
{
    free(rows->row);
    free(rows->first);
    free(rows->set);
    *rows = (struct cf_rows){0};
}
