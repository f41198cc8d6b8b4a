/* Study files: what was measured, on which bodies, and which law is fitted to it. */

#ifndef CF_STUDY_STUDY_H
#define CF_STUDY_STUDY_H

#include "core/paths.h"
#include "estimate/spec.h"
#include "experiment/registry.h"
#include "law/contact_law.h"
#include "study/read.h"

struct cf_body {
    char *name;
    char *material;           /* bodies of one are alike but for their sizes; NULL: not named */
    bool sphere;              /* else a plane */
    bool fixed;               /* mass counts as infinite */
    double radius_m;          /* INFINITY for a plane; negative for a concave one */
    double mass_kg;           /* INFINITY when fixed and not given */
    double youngs_modulus_Pa; /* NAN when not given */
    double poissons_ratio;    /* and so here */
    char *mass_at, *size_at, *modulus_at; /* "ball.yaml:5: mass: 31 kg"; NULL: not stated */
};

struct cf_study {
    const struct cf_registry *registry; /* of the laws and protocols that it may name */
    char *path;                         /* as given */
    char *name; /* file name without folder and extension: stem of the outputs */
    char *title;
    char *text; /* the file, as read */
    char sha256[65];
    double gravity_m_s2;
    size_t nbody;
    struct cf_body *body;
    size_t nrival;
    bool other_law; /* than the study names: see cf_study_read_with() */
    const struct cf_law **rival;
    struct cf_contact_laws made; /* laws of two parts, here and in spec */
    size_t nscene;
    struct cf_study_scene *scene; /* of data sets that name one */
    struct cf_spec spec;
    size_t nnote;
    char **note;             /* remarks that are no errors, each with file and line */
    struct cf_paths read;    /* tables of data sets */
    size_t *uncertain_place; /* by place where an uncertainty is stated: its number in the spec;
                              * SIZE_MAX: it has none, as nothing was read there */
    const struct cf_tables *tables; /* not owned: what it was read with, for once more */
    bool in_memory;
    char *law; /* in the place of its own; NULL: that */
};

/* Limits: fewer than 100 replicates show no interval, and more replicates or longer chains than
 * these make no visible difference. */
enum {
    CF_LEAST_BOOTSTRAP = 100,
    CF_MOST_BOOTSTRAP = 1000000,
    CF_LEAST_POSTERIOR = 100,
    CF_MOST_POSTERIOR = 20000,
};

/* As cf_study_read(), but with this law (NULL: the study's own), whose parameters are all free but
 * for those that the study fixes under the same name; bounds, starts and priors that it states for
 * parameters of that name hold, and its own law becomes a rival. An unknown law is said without a
 * place. */
struct cf_study *cf_study_read_with(const char *path, const char *law,
                                    const struct cf_registry *registry, struct cf_error *err);

/* As cf_study_read(), but only bodies and data are read: law, fit, fixed, rivals, hold-out and
 * options may be missing and are not read; spec.law is NULL and spec.options are 0. */
struct cf_study *cf_study_read_data(const char *path, const struct cf_registry *registry,
                                    struct cf_error *err);

/* A law by its name, or a part of the study's own law that takes the place of that part there:
 * "linear" in a study of azad-featherstone + clutch is linear + clutch. The study owns it. */
int cf_study_law_named(struct cf_study *study, const char *name, const struct cf_law **law,
                       struct cf_error *err);

#endif
