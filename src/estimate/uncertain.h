/* Numbers that a study states with an uncertainty, and the study once more with one of them moved.
 */

#ifndef CF_ESTIMATE_UNCERTAIN_H
#define CF_ESTIMATE_UNCERTAIN_H

#include <stddef.h>

#include "core/status.h"

struct cf_spec;

/* Whose number it is. */
enum cf_uncertain_of {
    CF_UNCERTAIN_BODY,       /* a mass, a radius, a material */
    CF_UNCERTAIN_INSTRUMENT, /* gravity, the apparatus, a column: readings are off by it */
    CF_UNCERTAIN_PARAMETER,  /* of the law, held */
    CF_NUNCERTAIN_OF
};

/* How its uncertainty is stated. */
enum cf_uncertain_as {
    CF_STATED_STANDARD,    /* a standard uncertainty */
    CF_STATED_EXPANDED,    /* k standard uncertainties */
    CF_STATED_RECTANGULAR, /* half the width of a range: sqrt 3 standard uncertainties */
    CF_NSTATED
};

/* As fit files name them: "body", "instrument", "parameter"; "standard", "expanded", "rectangular".
 */
extern const char *const cf_uncertain_of_name[CF_NUNCERTAIN_OF];
extern const char *const cf_uncertain_as_name[CF_NSTATED];

/* One number, wherever it stands: in several data sets, too. */
struct cf_uncertain {
    char *name;   /* "mass of ball", "load of a and b", "held k" */
    char *stated; /* "453.6 g +- 0.5 g (k=2)" */
    const char *unit;
    enum cf_uncertain_of of;
    enum cf_uncertain_as as;
    double value, u; /* SI; the standard uncertainty, above 0 */
    double k;        /* u is what is stated over this */
};

/* A study with a number moved, of the same rows; whoever asked for it frees it. */
struct cf_moved {
    struct cf_spec *spec;
    void *owned;
    void (*free)(void *owned);
};

struct cf_uncertains {
    size_t n;
    struct cf_uncertain *item;
    /* Number i moved by `by` [SI] in all its places. Fails where the study cannot be read with it:
     * a row, say, is then impossible. */
    int (*move)(const void *owner, size_t i, double by, struct cf_moved *moved,
                struct cf_error *err);
    const void *owner;
};

void cf_uncertains_clear(struct cf_uncertains *uncertains);

#endif
