/* Building and running drops against C++ libraries. */

#include "export/built.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/file_system.h"
#include "export/run.h"

/* Simbody's headers take a slow machine half a minute. */
static const double build_timeout_s = 300;

/* The flags are for a shell to part, the paths are not: they come as arguments, never as text. The
 * standard is the newest that all targets' headers pass, and stands last, for some name an older.
 */
static const char build_command[] =
    "flags=$(pkg-config --cflags --libs \"$1\") && exec g++ -O1 -o \"$2\" \"$3\" $flags -std=c++14",
                  plain_command[] = "exec g++ -O1 -o \"$2\" \"$3\" $1 -std=c++14";

static int find(const struct cf_built *built, struct cf_error *err)
{
    char name[64];

    snprintf(name, sizeof name, "g++, to build with %s,", built->title);
    int status = cf_run_find("g++", name, built->install, err);
    if (status || !built->module)
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

static int know(const struct cf_built *built, const char *folder, struct cf_error *err)
{
    char module[32];
    char *argv[] = {"pkg-config", "--exists", module, NULL};

    if (!built->module)
        return CF_OK;
    snprintf(module, sizeof module, "%s", built->module);
    return cf_run_program(argv, built->title, built->install, folder, build_timeout_s, NULL)
               ? cf_fail(err, CF_EIO, "%s is not installed (pkg-config knows no %s): %s",
                         built->title, built->module, built->install)
               : CF_OK;
}

static int build(const struct cf_built *built, const char *folder, char *source, char *program,
                 struct cf_error *err)
{
    const char *how = built->module ? build_command : plain_command;
    char name[64], with[32], command[sizeof build_command];
    char *argv[] = {"sh", "-c", command, "sh", with, program, source, NULL};

    snprintf(name, sizeof name, "the build with %s", built->title);
    snprintf(with, sizeof with, "%s", built->module ? built->module : built->flags);
    snprintf(command, sizeof command, "%s", how);
    return cf_run_program(argv, name, built->install, folder, build_timeout_s, err);
}

int cf_built_prepare(const struct cf_mapping *m, const char *folder, struct cf_error *err)
{
    const struct cf_built *built = m->target->built;
    char *source = cf_run_path(folder, "drop.cpp"), *program = cf_run_path(folder, "drop");
    int status = source && program ? find(built, err) : cf_fail(err, CF_ENOMEM, "out of memory");

    if (!status)
        status = know(built, folder, err);
    if (!status)
        status = cf_run_write(folder, "drop.cpp", source_of(m), err);
    if (!status)
        status = cf_run_export(m, folder, built->file ? built->file : "export.h", err);
    if (!status)
        status = build(built, folder, source, program, err);
    free(source);
    free(program);
    return status;
}

bool cf_built_is_there(const char *folder)
{
    char *program = cf_run_path(folder, "drop");
    struct cf_file_state state;
    bool is = program && cf_file_state(program, &state) == 0;

    free(program);
    return is;
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
