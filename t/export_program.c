/* Running other programs: time-outs, exit codes, logs, and reading what they leave. */

#define _XOPEN_SOURCE 700
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "export/run.h"
#include "tap.h"

static char *folder;

static int shell(const char *script, double timeout_s, struct cf_error *err)
{
    char command[512];
    snprintf(command, sizeof command, "%s", script);
    char *argv[] = {"sh", "-c", command, NULL};
    *err = (struct cf_error){""};
    return cf_run_program(argv, "The simulator", "apt-get install it", folder, timeout_s, err);
}

static void programs(void)
{
    struct cf_error err;
    char *none[] = {"contactfit-has-no-such-program", NULL};

    ok(shell("exit 0", 60, &err) == CF_OK, "a run that is good");
    ok(shell("echo one; echo 'ERROR: two'; echo; exit 3", 60, &err) == CF_EIO, "one that fails");
    is_str(err.text, "The simulator failed: ERROR: two", "and its last words");
    ok(shell("exit 1", 60, &err) == CF_EIO, "one that says nothing");
    is_str(err.text, "The simulator failed: it gave no reason", "and that it did not");
    ok(shell("kill -9 $$", 60, &err) == CF_EIO, "one that is killed");
    ok(shell("sleep 100 & sleep 100", 0.1, &err) == CF_EIO, "one that takes too long");
    is_str(err.text, "The simulator was ended after 0.1 s", "and that it was ended");
    ok(cf_run_program(none, "The simulator", "apt-get install it", folder, 60, &err) == CF_EIO,
       "one that is not there");
    is_str(err.text, "The simulator is not installed: apt-get install it", "and how to get it");
    ok(cf_run_find("sh", "A shell", "apt-get install dash", &err) == CF_OK, "sh is in PATH");
    ok(cf_run_find("contactfit-has-no-such-program", "It", "apt-get install it", &err) == CF_EIO,
       "another is not");
    is_str(err.text,
           "It is not installed (no contactfit-has-no-such-program in PATH): apt-get install it",
           "and how to get it");
}

static int read_text(const char *text, struct cf_seen *seen, struct cf_error *err)
{
    *err = (struct cf_error){""};
    int status = cf_run_write(folder, "trajectory", text, err);
    return status ? status : cf_run_trajectory(folder, "trajectory", 2, seen, err);
}

static void trajectories(void)
{
    struct cf_error err;
    struct cf_seen seen;

    ok(read_text("# t x v\n0 -1 2\n1 1 2\n2 3 0.5\n3 2 -1\n4 -1 -1\n", &seen, &err) == CF_OK,
       "a bounce");
    is_near(seen.e, 0.5, 1e-15, "e from the last rate");
    is_near(seen.depth_m, 3, 1e-15, "the deepest");
    is_near(seen.duration_s, 2, 1e-15, "the steps that changed the rate");
    ok(read_text("0 -1 2\n1 3 1.5\n2 1 -1\n3 -3 -1.2\n", &seen, &err) == CF_OK,
       "steps that cross the surface");
    is_near(seen.duration_s, 0.75 + 1 + 0.25, 1e-15, "count as far as they are in touch");
    ok(read_text("0 -1 2\n1 1 2\n2 3 0.5\n", &seen, &err) == CF_EIO, "still inside");
    is_str(err.text, "the run at 2 m/s ended before the contact did", "and that it is");
    ok(read_text("# nothing\n", &seen, &err) == CF_EIO, "nothing");
    is_str(err.text, "the run at 2 m/s wrote no trajectory", "and that it is");
    ok(read_text("0 -1 2\n1 -1 nan\n2 -1 nan\n", &seen, &err) == CF_EIO, "a run that blew up");
}

static void folders(void)
{
    struct stat info;
    char *path = cf_run_path(folder, "inner");

    ok(stat(folder, &info) == 0 && (info.st_mode & 077) == 0, "a folder of one's own");
    ok(path && mkdir(path, 0700) == 0, "with one inside");
    char *kept = strdup(folder);
    cf_run_folder_remove(folder);
    ok(kept && stat(kept, &info) != 0, "and both are gone");
    free(kept);
    free(path);
}

TEST(export_program)
{
    struct cf_error err;

    plan(27);
    if (cf_run_folder(&folder, &err))
        return 1;
    programs();
    trajectories();
    folders();
    return done();
}
