#include "experiment/grouping.h"

#include <stdlib.h>
#include <string.h>

#include "core/list.h"
#include "core/text.h"

void cf_grouping_clear(struct cf_grouping *grouping)
{
    for (size_t i = 0; i < grouping->nlevel; i++) {
        struct cf_group_level *level = &grouping->level[i];
        for (size_t j = 0; j < level->n; j++)
            free(level->text[j]);
        for (size_t j = 0; j < level->nparameter; j++)
            free(level->parameter[j]);
        free(level->parameter);
        free(level->name);
        free(level->text);
        free(level->outer);
        free(level->order);
    }
    free(grouping->level);
    *grouping = (struct cf_grouping){0};
}

int cf_grouping_level(struct cf_grouping *grouping, const char *name, size_t within, size_t *level,
                      struct cf_error *err)
{
    struct cf_group_level *longer;
    char shown[CF_SHOWN];

    for (*level = 0; *level < grouping->nlevel; (*level)++)
        if (strcmp(grouping->level[*level].name, name) == 0)
            break;
    if (*level < grouping->nlevel)
        return grouping->level[*level].within == within
                   ? CF_OK
                   : cf_fail(err, CF_EINPUT,
                             "%s lies within other groups elsewhere: name the levels in one order",
                             cf_show(name, shown));
    longer = cf_list_grow(grouping->level, grouping->nlevel, sizeof *grouping->level);
    if (longer) {
        grouping->level = longer;
        longer[*level] = (struct cf_group_level){.name = cf_format("%s", name), .within = within};
    }
    if (!longer || !longer[*level].name)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu levels of groups", *level + 1);
    grouping->nlevel++;
    return CF_OK;
}

int cf_grouping_parameter(struct cf_grouping *grouping, size_t level, const char *name,
                          struct cf_error *err)
{
    struct cf_group_level *at = &grouping->level[level];
    char **longer, *copy;

    for (size_t i = 0; i < at->nparameter; i++)
        if (strcmp(at->parameter[i], name) == 0)
            return CF_OK;
    longer = cf_list_grow(at->parameter, at->nparameter, sizeof *at->parameter);
    at->parameter = longer ? longer : at->parameter;
    copy = longer ? cf_format("%s", name) : NULL;
    if (!copy)
        return cf_fail(err, CF_ENOMEM, "no memory for a level of groups");
    at->of = CF_GROUPS_PARAMETER;
    at->parameter[at->nparameter++] = copy;
    return CF_OK;
}

/* Where a group stands, or would stand, in the order. */
static size_t place_of(const struct cf_group_level *level, uint32_t outer, const char *text,
                       bool *found)
{
    size_t low = 0, high = level->n;

    *found = false;
    while (low < high && !*found) {
        size_t middle = low + (high - low) / 2, at = level->order[middle];
        int order = strcmp(level->text[at], text);
        if (level->outer[at] != outer)
            order = level->outer[at] < outer ? -1 : 1;
        *found = order == 0;
        if (*found)
            low = middle;
        else if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Room for one more group. */
static bool grow(struct cf_group_level *level)
{
    void *text = cf_list_grow(level->text, level->n, sizeof *level->text), *outer, *order;

    level->text = text ? text : level->text;
    outer = cf_list_grow(level->outer, level->n, sizeof *level->outer);
    level->outer = outer ? outer : level->outer;
    order = cf_list_grow(level->order, level->n, sizeof *level->order);
    level->order = order ? order : level->order;
    return text && outer && order && level->n + 1 < CF_NO_GROUP;
}

int cf_grouping_number(struct cf_grouping *grouping, size_t level, uint32_t outer, const char *text,
                       uint32_t *group, struct cf_error *err)
{
    struct cf_group_level *at = &grouping->level[level];
    bool found;
    size_t place = place_of(at, outer, text, &found);
    char *copy;

    if (found) {
        *group = (uint32_t) at->order[place];
        return CF_OK;
    }
    copy = cf_format("%s", text);
    if (!copy || !grow(at)) {
        free(copy);
        return cf_fail(err, CF_ENOMEM, "no memory for %zu groups", at->n + 1);
    }
    memmove(&at->order[place + 1], &at->order[place], (at->n - place) * sizeof *at->order);
    at->order[place] = at->n;
    at->outer[at->n] = outer;
    at->text[at->n] = copy;
    *group = (uint32_t) at->n++;
    return CF_OK;
}

char *cf_grouping_label(const struct cf_grouping *grouping, size_t level, uint32_t group)
{
    const struct cf_group_level *at = &grouping->level[level];
    char *around, *label;

    if (at->outer[group] == CF_NO_GROUP)
        return cf_format("%s", at->text[group]);
    around = cf_grouping_label(grouping, at->within, at->outer[group]);
    label = around ? cf_format("%s, %s", around, at->text[group]) : NULL;
    free(around);
    return label;
}
