/* Child processes: how they end, what they read and write, and that none outlives its limit. */

#define _XOPEN_SOURCE 700

#include "core/process.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "export/run.h"
#include "lib/scratch.h"
#include "report/gnuplot_parts.h"
#include "tap.h"

/* Never reached; and long enough for a shell to begin on a busy machine, but worth waiting for. */
static const double long_s = 60, short_s = 1.5;

/* A shell script with these files. */
static struct cf_process_result shell(const char *script, FILE *input, FILE *output, FILE *messages,
                                      double limit_s)
{
    char text[512];
    snprintf(text, sizeof text, "%s", script);
    char *argv[] = {"sh", "-c", text, NULL};
    const struct cf_process p = {
        .argv = argv, .input = input, .output = output, .messages = messages, .limit_s = limit_s};
    return cf_process_run(&p);
}

static bool ended(struct cf_process_result r, enum cf_process_end end, int code)
{
    return r.end == end && r.code == code;
}

static void ends(void)
{
    char *none[] = {"contactfit-has-no-such-program", NULL};
    char *folder[] = {"/", NULL};

    struct cf_process_result r = shell("exit 0", NULL, NULL, NULL, long_s);
    ok(ended(r, CF_PROCESS_EXITED, 0) && cf_process_succeeded(r), "one that is good");
    r = shell("exit 3", NULL, NULL, NULL, (double) INFINITY);
    ok(ended(r, CF_PROCESS_EXITED, 3) && !cf_process_succeeded(r), "an exit status, no limit");
    r = shell("exit 255", NULL, NULL, NULL, long_s);
    ok(ended(r, CF_PROCESS_EXITED, 255), "the largest exit status");
    r = shell("kill -9 $$", NULL, NULL, NULL, long_s);
    ok(ended(r, CF_PROCESS_SIGNALLED, SIGKILL) && !cf_process_succeeded(r), "a signal");
    r = cf_process_run(&(struct cf_process){.argv = none, .limit_s = long_s});
    ok(r.end == CF_PROCESS_MISSING && !cf_process_succeeded(r), "a program that is not there");
    r = shell("contactfit-has-no-such-program 2>&1", NULL, NULL, NULL, long_s);
    ok(ended(r, CF_PROCESS_EXITED, 127), "one that is there and ends as if it were missing");
    r = cf_process_run(&(struct cf_process){.argv = folder, .limit_s = long_s});
    /* where spawning does not report it, as under valgrind, the child's end says that it is missing
     */
    ok(ended(r, CF_PROCESS_NOT_STARTED, EACCES) || r.end == CF_PROCESS_MISSING,
       "a folder is no program");
    ok(cf_process_in_path("sh") && !cf_process_in_path(none[0]), "what is in PATH");
}

/* All of a file, which is short. */
static const char *text_of(FILE *file, char text[], size_t size)
{
    rewind(file);
    text[fread(text, 1, size - 1, file)] = '\0';
    return text;
}

static void environments(void)
{
    const char *const set[] = {"TMPDIR=/of/the child", "CONTACTFIT_B=", NULL};
    char script[] = "echo \"$CONTACTFIT_A,${CONTACTFIT_B-none},$TMPDIR,${CONTACTFIT_BC-none}\"";
    char *argv[] = {"sh", "-c", script, NULL}, text[200];
    FILE *out = tmpfile();

    setenv("CONTACTFIT_A", "kept", 1);
    setenv("CONTACTFIT_B", "not kept", 1);
    setenv("CONTACTFIT_BC", "longer", 1);
    setenv("TMPDIR", "/of/the parent", 1);
    cf_process_run(
        &(struct cf_process){.argv = argv, .output = out, .set = set, .limit_s = long_s});
    is_str(text_of(out, text, sizeof text), "kept,,/of/the child,longer\n",
           "what is set is the child's, the rest its parent's");
    is_str(getenv("TMPDIR"), "/of/the parent", "which keeps its own");
    fclose(out);
    out = tmpfile();
    cf_process_run(&(struct cf_process){.argv = argv, .output = out, .limit_s = long_s});
    is_str(text_of(out, text, sizeof text), "kept,not kept,/of/the parent,longer\n",
           "nothing is set");
    fclose(out);
    unsetenv("TMPDIR");
}

/* Simulators have their temporary folder where they run. */
static void simulators(void)
{
    /* something of it goes on to write for a while after its end */
    char script[] = "printf %s \"$TMPDIR\"; (i=0; while [ $i -lt 300 ]; do mkdir \"$TMPDIR/$i\"; "
                    "i=$((i + 1)); done) >/dev/null 2>&1 &";
    char *argv[] = {"sh", "-c", script, NULL}, *folder, *log, *own, text[2][200];
    struct cf_error err = {""};

    if (cf_run_folder(&folder, &err))
        exit(99);
    for (int i = 0; i < 2; i++) {
        ok(cf_run_program(argv, "sh", "", folder, long_s, &err) == CF_OK, "a run %s", err.text);
        log = cf_run_path(folder, "log");
        FILE *file = fopen(log, "r");
        if (!file)
            exit(99);
        text_of(file, text[i], sizeof text[i]);
        ok(strncmp(text[i], folder, strlen(folder)) == 0 && text[i][strlen(folder)] == '/',
           "in a folder %s within its own", text[i]);
        fclose(file);
        free(log);
    }
    ok(strcmp(text[0], text[1]) != 0, "which each run has for itself");
    own = strdup(folder);
    cf_run_folder_remove(folder);
    ok(access(own, F_OK) != 0, "and nothing of them is left");
    free(own);
}

static void streams(void)
{
    enum { LINES = 20000 };
    FILE *in = tmpfile(), *out = tmpfile(), *messages = tmpfile();
    char text[100];

    fprintf(in, "from the start\n");
    struct cf_process_result r = shell("cat; echo aside >&2", in, out, messages, long_s);
    ok(cf_process_succeeded(r), "a program that reads and writes");
    is_str(text_of(out, text, sizeof text), "from the start\n", "all that was written for it");
    is_str(text_of(messages, text, sizeof text), "aside\n", "its messages go another way");
    fclose(in);
    fclose(out);

    out = tmpfile();
    r = shell("echo one; echo two >&2; cat; echo three", NULL, out, out, long_s);
    ok(cf_process_succeeded(r), "one without input");
    is_str(text_of(out, text, sizeof text), "one\ntwo\nthree\n", "both outputs in one file");
    fclose(out);

    /* far more than any pipe holds, on both sides */
    in = tmpfile();
    out = tmpfile();
    for (int i = 0; i < LINES; i++)
        fprintf(in, "%099d\n", i);
    r = shell("tee /dev/fd/2", in, out, messages, long_s);
    ok(cf_process_succeeded(r), "two megabytes through and aside");
    fseek(out, 0, SEEK_END);
    fseek(messages, 0, SEEK_END);
    ok(ftell(out) == 100L * LINES && ftell(messages) >= 100L * LINES, "come whole");
    fclose(in);
    fclose(out);
    fclose(messages);
}

/* A parent without standard streams: its files have their numbers. Tells 0 when all is well. */
static int without_streams(void)
{
    char text[100];

    for (int i = 0; i < 3; i++)
        close(i);
    FILE *out = tmpfile(), *messages = tmpfile(), *in = tmpfile();
    fprintf(in, "in");
    struct cf_process_result r = shell("cat; echo aside >&2", in, out, messages, long_s);
    return !cf_process_succeeded(r) || strcmp(text_of(out, text, sizeof text), "in") != 0 ||
           strcmp(text_of(messages, text, sizeof text), "aside\n") != 0;
}

static void closed_streams(void)
{
    int status = -1;

    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        _exit(without_streams());
    waitpid(child, &status, 0);
    ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "a parent without standard streams");
}

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* Is a process at work? One that was killed may wait as a zombie for whoever inherited it. */
static bool is_alive(long pid)
{
    char path[64], line[512] = "";

    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *file = fopen(path, "r");
    if (!file)
        return kill((pid_t) pid, 0) == 0;
    if (!fgets(line, sizeof line, file))
        line[0] = '\0';
    fclose(file);
    const char *name_end = strrchr(line, ')');
    return name_end && name_end[1] && name_end[2] != 'Z' && name_end[2] != 'X';
}

/* The end of a process may take a moment. */
static bool is_gone(long pid)
{
    const struct timespec nap = {.tv_nsec = 10000000};

    for (int i = 0; i < 500 && is_alive(pid); i++)
        nanosleep(&nap, NULL);
    return !is_alive(pid);
}

static void limits(void)
{
    FILE *out = tmpfile();
    char text[100];
    double start_s = now_s();

    struct cf_process_result r =
        shell("trap '' TERM; echo $$; while :; do sleep 0.05; done", NULL, out, NULL, short_s);
    ok(r.end == CF_PROCESS_TIMED_OUT && !cf_process_succeeded(r), "one that is deaf to SIGTERM");
    ok(now_s() - start_s < 30, "is ended when its time is over");
    long pid = atol(text_of(out, text, sizeof text));
    ok(pid > 0 && kill((pid_t) pid, 0) != 0 && errno == ESRCH, "and leaves no zombie");
    fclose(out);

    out = tmpfile();
    r = shell("(trap '' TERM; while :; do sleep 0.05; done) & echo $!; wait", NULL, out, NULL,
              short_s);
    ok(r.end == CF_PROCESS_TIMED_OUT, "one that waits for another");
    pid = atol(text_of(out, text, sizeof text));
    ok(pid > 0 && is_gone(pid), "takes it along");
    fclose(out);
}

/* A shell script that is asked, and how it answers "ready". */
static struct cf_process_result ask(struct cf_coprocess *c, const char *script, FILE *output,
                                    FILE *aside, const char *request)
{
    char text[512];
    snprintf(text, sizeof text, "%s", script);
    char *argv[] = {"sh", "-c", text, NULL};
    const struct cf_process p = {
        .argv = argv, .output = output, .aside = aside, .limit_s = short_s};
    return cf_coprocess_ask(c, &p, request, "ready\n");
}

static void coprocess_answers(void)
{
    const char *script = "while read -r line; do echo $$ $line; cat /dev/fd/3; "
                         "echo warning >&2; echo ready >&2; done";
    struct cf_coprocess c = {0};
    FILE *out = tmpfile(), *aside = tmpfile();
    char text[200], expected[200];

    fputs("aside\n", aside);
    struct cf_process_result r = ask(&c, script, out, aside, "one\n");
    ok(r.end == CF_PROCESS_ANSWERED && c.child > 0, "an answer");
    is_str(c.said, "warning\nready\n", "behind other messages");
    pid_t first = (pid_t) c.child;
    rewind(aside);
    r = ask(&c, script, out, aside, "two\n");
    ok(r.end == CF_PROCESS_ANSWERED && c.child == first, "one child answers twice");
    snprintf(expected, sizeof expected, "%ld one\naside\n%ld two\naside\n", (long) first,
             (long) first);
    is_str(text_of(out, text, sizeof text), expected, "to both requests, with the file aside");
    cf_coprocess_end(&c);
    ok(c.child == 0 && kill(first, 0) != 0 && errno == ESRCH, "and leaves no zombie");
    cf_coprocess_end(&c);
    fclose(out);
    fclose(aside);
}

static void coprocess_ends(void)
{
    char *none[] = {"contactfit-has-no-such-program", NULL};
    struct cf_coprocess c = {0};

    struct cf_process_result r = ask(&c, "read -r x; echo why >&2; exit 3", NULL, NULL, "go\n");
    ok(ended(r, CF_PROCESS_EXITED, 3) && c.child == 0, "one that exits instead");
    is_str(c.said, "why\n", "with its reason");
    r = ask(&c, "read -r x; kill -9 $$", NULL, NULL, "go\n");
    ok(ended(r, CF_PROCESS_SIGNALLED, SIGKILL), "one that is killed");
    r = ask(&c, "exec <&-; exit 0", NULL, NULL, "go\n");
    ok(ended(r, CF_PROCESS_EXITED, 0), "one that does not listen");
    r = ask(&c, "sleep 60 & echo $! >&2; exit 4", NULL, NULL, "go\n");
    ok(ended(r, CF_PROCESS_EXITED, 4), "one whose messages another holds open");
    kill((pid_t) atol(c.said), SIGKILL);
    double start_s = now_s();
    r = ask(&c, "echo read >&2; while :; do sleep 0.05; done", NULL, NULL, "go\n");
    ok(r.end == CF_PROCESS_TIMED_OUT && c.child == 0 && now_s() - start_s < 30, "one that hangs");
    r = ask(&c, "exec 2>&-; while :; do sleep 0.05; done", NULL, NULL, "go\n");
    ok(r.end == CF_PROCESS_TIMED_OUT, "one that hangs in silence");
    r = cf_coprocess_ask(&c, &(struct cf_process){.argv = none, .limit_s = long_s}, "go\n", "x");
    ok(r.end == CF_PROCESS_MISSING && c.child == 0, "one that is not there");
    r = ask(&c,
            "read -r x; i=0; while [ $i -lt 3000 ]; do echo $i; i=$((i + 1)); done >&2; "
            "echo ready >&2; read -r x; exit 5",
            NULL, NULL, "go\n");
    ok(r.end == CF_PROCESS_ANSWERED && strstr(c.said, "\n2998\n2999\nready\n"),
       "after a failure a new one, many messages and the last of them");
    pid_t child = (pid_t) c.child;
    kill(child, SIGKILL);
    r = ask(&c, "exit 6", NULL, NULL, "go\n");
    ok(ended(r, CF_PROCESS_SIGNALLED, SIGKILL) && kill(child, 0) != 0,
       "one that went between two requests");
}

/* A figure that cannot be drawn ends its gnuplot; the next has a new one, and both of a plotter are
 * those that a gnuplot alone draws. */
static void plotter_draws(void)
{
    static const char *const script[] = {"set terminal svg\nset title 'a'\nplot '-'\n1\n2\ne\n",
                                         "set terminal svg\nset multiplot\nplot sin(x)\nplot (\n",
                                         "set terminal svg\nplot '-' with lines\n3\n2\ne\n"};
    enum { N = sizeof script / sizeof *script };
    struct cf_plotter together = CF_PLOTTER;

    for (int i = 0; i < 2 * N; i++) {
        struct cf_plotter alone = CF_PLOTTER, *const both[] = {&together, &alone};
        struct cf_error err[2] = {{""}, {""}};
        char *bytes[2];
        size_t len;
        int status[2];
        for (int k = 0; k < 2; k++) {
            cf_plotter_begin(both[k], &err[k]);
            fputs(script[i % N], both[k]->script);
            status[k] = cf_plotter_run(both[k], &bytes[k], &len, &err[k]);
        }
        if (i % N == 1)
            ok(status[0] == CF_EDRAW && strncmp(err[0].text, "gnuplot failed: ", 16) == 0 &&
                   strcmp(err[0].text, err[1].text) == 0,
               "%s", err[0].text);
        else
            ok(!status[0] && !status[1] && strstr(bytes[0], "</svg>"), "drawn %s", err[0].text);
        free(bytes[0]);
        free(bytes[1]);
        cf_plotter_end(&alone);
    }
    cf_plotter_end(&together);
}

/* A gnuplot that does not come to an end. */
static void hanging_gnuplot(void)
{
    char folder[] = "tmp/process-XXXXXX", path[100], with[4096];
    const char *old = getenv("PATH");
    struct cf_plotter plotter = {.limit_s = 0.2};
    struct cf_error err = {""};
    char *bytes = NULL;
    size_t len;

    if (!mkdtemp(folder))
        abort();
    snprintf(path, sizeof path, "%s/gnuplot", folder);
    FILE *file = fopen(path, "w");
    fprintf(file, "#!/bin/sh\nsleep 100\n");
    fclose(file);
    chmod(path, 0700);
    snprintf(with, sizeof with, "%s:%s", folder, old ? old : "");
    setenv("PATH", with, 1);
    ok(cf_plotter_begin(&plotter, &err) == CF_OK &&
           cf_plotter_run(&plotter, &bytes, &len, &err) == CF_EDRAW && !bytes,
       "gnuplot that hangs");
    is_str(err.text,
           "gnuplot was ended after 0.2 s without a figure: see whether \"gnuplot --version\" "
           "answers at once, and try again when the machine is less busy",
           "and what to do");
    cf_plotter_end(&plotter);
    remove(path);
    rmdir(folder);
}

/* A first signal is told from a second one. */
static void signals(void)
{
    struct cf_held_signals held;

    cf_signals_hold(&held);
    ok(!cf_signals_wait(), "no signal has come");
    raise(SIGTERM);
    ok(cf_signals_wait() && cf_signals_take() == SIGTERM && !cf_signals_wait(),
       "one that has come is taken");
    cf_signals_give(SIGTERM);
    ok(cf_signals_wait(), "and given back");
    ok(cf_signals_take() == SIGTERM, "to be taken once more");
    cf_signals_release(&held);
}

TEST(process)
{
    plan(57);
    signals();
    ends();
    environments();
    simulators();
    streams();
    closed_streams();
    limits();
    coprocess_answers();
    coprocess_ends();
    plotter_draws();
    hanging_gnuplot();
    return done();
}
