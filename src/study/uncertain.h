/* Numbers of a study that are stated with an uncertainty, "453.6 g +- 0.5 g (k=2)". Private to
 * src/study. */

#ifndef CF_STUDY_UNCERTAIN_H
#define CF_STUDY_UNCERTAIN_H

#include "estimate/uncertain.h"
#include "file/yaml.h"
#include "study/study.h"

/* A text that states one, in its parts. */
struct cf_stated {
    char *value; /* "453.6 g" */
    char *u;     /* "0.5 g"; without the unit "%", where it is relative */
    bool relative;
    enum cf_uncertain_as as;
    double k; /* u over the standard uncertainty */
};

/* Where the mark "+-" of an uncertainty is, and its length in bytes; NULL: there is none. */
const char *cf_uncertain_mark(const char *text, size_t *length);

/* Take the text of a node, which has the mark, apart. What is wrong with the text by itself fails;
 * of a quantity this is all but the size. Both texts are the caller's to free, also after a
 * failure. */
int cf_stated_read(const struct cf_yaml *at, struct cf_stated *stated, struct cf_error *err);

/* The standard uncertainty [SI] of a value [SI]. */
int cf_stated_size(const struct cf_yaml *at, const struct cf_stated *stated, const char *unit,
                   double value, double *u, struct cf_error *err);

/* All places of a tree where numbers are stated so. */
struct cf_uncertain_place {
    struct cf_yaml *node;
    struct cf_stated stated;
    char *text;      /* as the study has it */
    char *what;      /* "mass of ball"; "load" of a data set */
    const char *set; /* that data set's name; NULL: of the study */
    enum cf_uncertain_of of;
    bool positive;     /* the number is above 0 */
    size_t data;       /* of a data set: which */
    bool is_apparatus; /* and of its apparatus */
    double value, u;   /* SI, once it is read */
    size_t number;     /* of the study's numbers; one that is not read has none: SIZE_MAX */
};

struct cf_uncertain_places {
    size_t n;
    struct cf_uncertain_place *item;
};

/* Find them, and leave each with its value alone, so that it is read as any other number. To be
 * cleared, also after a failure. */
int cf_uncertain_find(struct cf_yaml *root, struct cf_uncertain_places *places,
                      struct cf_error *err);
void cf_uncertain_places_clear(struct cf_uncertain_places *places);

/* Once the study is read: what its numbers are. */
int cf_uncertain_number(struct cf_study *study, struct cf_uncertain_places *places,
                        struct cf_error *err);

/* Before it is read: number i of `of`, which was read from the same text, moved by `by` [SI]. */
int cf_uncertain_move(struct cf_uncertain_places *places, const struct cf_study *of, size_t i,
                      double by, struct cf_error *err);

#endif
