/* Targets that are libraries: a small C++ program that includes the export and drops a sphere. */

#ifndef CF_EXPORT_BUILT_H
#define CF_EXPORT_BUILT_H

#include "export/target.h"

struct cf_built {
    const char *title;   /* "ODE" */
    const char *module;  /* what pkg-config calls it, "ode"; NULL: it does not know it */
    const char *flags;   /* without a module: what it is linked with, "-lmujoco" */
    const char *install; /* how to get it and the compiler */
    const char *file;    /* name of the export, beside the trajectory; NULL: "export.h" */
    const char *source;  /* the program, which includes "export.h"; its arguments are radius, mass,
                            gap, speed, step, number of steps and the file of the trajectory */
    const char *two_spheres; /* the same for two spheres of twice the radius, one held, of a target
                                that meets them in another way than a plane; NULL: it does not */
};

/* Parts of all such programs: what stands above main(), and what reads its arguments. */
#define CF_BUILT_INCLUDES                                                                          \
    "#include \"export.h\"\n"                                                                      \
    "#include <cstdio>\n"                                                                          \
    "#include <cstdlib>\n"
#define CF_BUILT_MAIN                                                                              \
    "int main(int, char **arg)\n"                                                                  \
    "{\n"                                                                                          \
    "    double R = atof(arg[1]), m = atof(arg[2]), gap = atof(arg[3]), v = atof(arg[4]);\n"       \
    "    double h = atof(arg[5]);\n"                                                               \
    "    long n = atol(arg[6]);\n"                                                                 \
    "    FILE *out = fopen(arg[7], \"w\");\n"                                                      \
    "    if (!out)\n"                                                                              \
    "        return 1;\n"

/* Was a program built in this folder? */
bool cf_built_is_there(const char *folder);
/* `prepare` and `drop` of a target with `built`. */
int cf_built_prepare(const struct cf_mapping *m, const char *folder, struct cf_error *err);
int cf_built_drop(const struct cf_mapping *m, const struct cf_drop *drop, struct cf_seen *out,
                  struct cf_error *err);

#endif
