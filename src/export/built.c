/* Building and running drops against C++ libraries. */

#include "export/built.h"

#include <stdio.h>
#include <stdlib.h>

#include "export/run.h"

/* Simbody's headers take a slow machine half a minute. */
static const double build_timeout_s = 300;

/* The flags are for a shell to part, the paths are not: they come as arguments, never as text. The
 * standard is the newest that all targets' headers pass, and stands last, for some name an older.
 */
static const char build_command[] =
    "flags=$(pkg-config --cflags --libs \"$1\") && exec g++ -O1 -o \"$2\" \"$3\" $flags -std=c++14";

static int find(const struct cf_built *built, struct cf_error *err)
{
    char name[64];

    snprintf(name, sizeof name, "g++, to build with %s,", built->title);
    int status = cf_run_find("g++", name, built->install, err);
    if (status)
        return status;
    snprintf(name, sizeof name, "pkg-config, to build with %s,", built->title);
    return cf_run_find("pkg-config", name, built->install, err);
}

static const char *source_of(const struct cf_mapping *m)
{
    const struct cf_built *built = m->target->built;
    bool spheres = built->two_spheres && cf_export_two_spheres(m->material);
    return spheres ? built->two_spheres : built->source;
}

int cf_built_prepare(const struct cf_mapping *m, const char *folder, struct cf_error *err)
{
    const struct cf_built *built = m->target->built;
    char name[64], module[32], command[sizeof build_command];
    char *source = cf_run_path(folder, "drop.cpp"), *program = cf_run_path(folder, "drop");
    int status = source && program ? find(built, err) : cf_fail(err, CF_ENOMEM, "out of memory");

    snprintf(name, sizeof name, "the build with %s", built->title);
    snprintf(module, sizeof module, "%s", built->module);
    snprintf(command, sizeof command, "%s", build_command);
    if (!status) {
        char *argv[] = {"pkg-config", "--exists", module, NULL};
        if (cf_run_program(argv, built->title, built->install, folder, build_timeout_s, NULL))
            status = cf_fail(err, CF_EIO, "%s is not installed (pkg-config knows no %s): %s",
                             built->title, built->module, built->install);
    }
    if (!status)
        status = cf_run_write(folder, "drop.cpp", source_of(m), err);
    if (!status)
        status = cf_run_export(m, folder, "export.h", err);
    if (!status) {
        char *argv[] = {"sh", "-c", command, "sh", module, program, source, NULL};
        status = cf_run_program(argv, name, built->install, folder, build_timeout_s, err);
    }
    free(source);
    free(program);
    return status;
}

int cf_built_drop(const struct cf_mapping *m, const struct cf_drop *drop, struct cf_seen *out,
                  struct cf_error *err)
{
    const struct cf_built *built = m->target->built;
    char text[CF_NARGUMENT][32];
    char *program = cf_run_path(drop->folder, "drop");
    char *file = cf_run_path(drop->folder, "trajectory");
    int status;

    cf_run_arguments(m, drop, text);
    if (program && file) {
        char *argv[] = {program, text[0], text[1], text[2], text[3], text[4], text[5], file, NULL};
        status =
            cf_run_program(argv, built->title, built->install, drop->folder, drop->timeout_s, err);
    } else {
        status = cf_fail(err, CF_ENOMEM, "out of memory");
    }
    free(program);
    free(file);
    return status ? status
                  : cf_run_trajectory(drop->folder, "trajectory", drop->speed_m_s, out, err);
}
