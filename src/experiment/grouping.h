/* Rows that share an error: a session whose sensor drifts, a specimen, a drop height that was set
 * once for many drops.
 *
 * Groups have levels, the outermost first: sessions of a day lie within the day. A group of a level
 * goes by the texts of its own level and of those around it, and may reach over data sets: one
 * session, two files.
 */

#ifndef CF_EXPERIMENT_GROUPING_H
#define CF_EXPERIMENT_GROUPING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"

enum cf_group_origin {
    CF_GROUPS_ABSENT,    /* nothing shares an error, and nobody said so */
    CF_GROUPS_STATED,    /* the study says what does */
    CF_GROUPS_BY_RECORD, /* what records belong to: a throw */
    CF_GROUPS_BY_PLACE,  /* repeats at few places, grouped by place because the study is silent */
    CF_GROUPS_DENIED,    /* the study says that nothing does */
};

/* What the groups of a level have of their own. */
enum cf_group_of {
    CF_GROUPS_SHIFT,     /* an error that adds to each quantity */
    CF_GROUPS_SHARE,     /* one that is a share of it: the gain of a day */
    CF_GROUPS_PARAMETER, /* values of parameters of the law: those of a specimen */
};

/* No group: the row shares its error with none. */
#define CF_NO_GROUP UINT32_MAX

struct cf_group_level {
    char *name;      /* "session" */
    size_t within;   /* the level around it; SIZE_MAX: none */
    size_t n;        /* groups */
    char **text;     /* n: "3", by number */
    uint32_t *outer; /* n: the group around it; CF_NO_GROUP: none */
    size_t *order;   /* the numbers, sorted by those around them and by text */
    enum cf_group_of of;
    size_t nparameter; /* names of parameters of the law, of CF_GROUPS_PARAMETER */
    char **parameter;
};

struct cf_grouping {
    enum cf_group_origin origin;
    size_t nlevel;
    struct cf_group_level *level;
};

void cf_grouping_clear(struct cf_grouping *grouping);

/* The level of this name within that one, added where it is new. CF_EINPUT where the name lies
 * within another one already, said without a place. */
int cf_grouping_level(struct cf_grouping *grouping, const char *name, size_t within, size_t *level,
                      struct cf_error *err);

/* Say what groups of a level have of their own: a parameter of the law, once for each. */
int cf_grouping_parameter(struct cf_grouping *grouping, size_t level, const char *name,
                          struct cf_error *err);

/* The number of the group of this text within group `outer` (CF_NO_GROUP: of none), added where it
 * is new. */
int cf_grouping_number(struct cf_grouping *grouping, size_t level, uint32_t outer, const char *text,
                       uint32_t *group, struct cf_error *err);

/* "monday, 3": of a group and those around it. The caller frees it; NULL: out of memory. */
char *cf_grouping_label(const struct cf_grouping *grouping, size_t level, uint32_t group);

#endif
