/* Measured quantities in words. Private to src/report. */

#ifndef CF_REPORT_QUANTITY_H
#define CF_REPORT_QUANTITY_H

/* What a channel measures. */
struct cf_quantity {
    const char *name;  /* "peak_force" */
    const char *label; /* "peak force" */
    const char *unit;  /* SI; "1" for a pure number */
};

extern const struct cf_quantity cf_quantities[]; /* NULL-terminated by name */

/* The row of this name, or NULL. */
const struct cf_quantity *cf_quantity_find(const char *name);

/* A quantity's words for HTML; the name itself when it is not known. */
const char *cf_quantity_label(const char *name);

#endif
