#define _GNU_SOURCE /* sched_getaffinity() */
#include "core/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* The exit status of a child that finds no program, where spawning itself does not report it. */
enum { NO_SUCH_PROGRAM = 127 };

/* Between two looks at a child with a limit: short beside any program's start. */
static const long nap_ns = 2000000;

/* The standard streams, and behind them the file for requests. */
enum { NSTANDARD = 3, NSTREAM };

/* The descriptors of the child's streams, in the order of their numbers there; `talk`, where it is
 * one, instead of input and messages. Copies above those numbers: where the parent itself was
 * started without standard streams, its files have them, and would be overwritten one by the
 * other. Returns 0 or an errno. */
static int copy_streams(const struct cf_process *process, int talk, int fd[NSTREAM])
{
    FILE *const file[NSTREAM] = {process->input, process->output, process->messages,
                                 process->aside};
    int none = open("/dev/null", O_RDWR | O_CLOEXEC), code = none < 0 ? errno : 0;

    for (int i = 0; i < NSTREAM && !code; i++) {
        bool talks = talk >= 0 && (i == STDIN_FILENO || i == STDERR_FILENO);
        if (i >= NSTANDARD && !file[i])
            break;
        if (!file[i] || fflush(file[i]) == 0)
            fd[i] = fcntl(talks     ? talk
                          : file[i] ? fileno(file[i])
                                    : none,
                          F_DUPFD_CLOEXEC, NSTREAM);
        if (fd[i] < 0 || (i == STDIN_FILENO && file[i] && lseek(fd[i], 0, SEEK_SET) < 0))
            code = errno;
    }
    if (none >= 0)
        close(none);
    return code;
}

/* Does the variable "NAME=VALUE" have a value in the list? */
static bool is_set(const char *variable, const char *const *set)
{
    size_t len = strcspn(variable, "=");

    for (; set && *set; set++)
        if (strncmp(*set, variable, len) == 0 && (*set)[len] == '=')
            return true;
    return false;
}

/* The child's environment, its texts those of the parent and of the list; to be freed, NULL where
 * there is no memory. */
static char **environment(const char *const *set)
{
    size_t n = 0, kept = 0;
    char **all;

    while (environ && environ[n])
        n++;
    for (const char *const *s = set; s && *s; s++)
        n++;
    all = malloc((n + 1) * sizeof *all);
    for (char **e = environ; all && e && *e; e++)
        if (!is_set(*e, set))
            all[kept++] = *e;
    for (const char *const *s = set; all && s && *s; s++)
        all[kept++] = (char *) *s;
    if (all)
        all[kept] = NULL;
    return all;
}

/* Returns 0 or an errno. */
static int spawn(char *const argv[], char *const env[], const int fd[NSTREAM], pid_t *child)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;

    int failed = posix_spawn_file_actions_init(&actions);
    if (failed)
        return failed;
    failed = posix_spawnattr_init(&attributes);
    if (!failed) {
        /* a group of its own, so that what it starts ends with it */
        failed =
            posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
        /* what this process holds back is none of its child's business */
        sigset_t none;
        sigemptyset(&none);
        if (!failed)
            failed = posix_spawnattr_setsigmask(&attributes, &none);
        for (int i = 0; i < NSTREAM && !failed; i++)
            if (fd[i] >= 0)
                failed = posix_spawn_file_actions_adddup2(&actions, fd[i], i);
        if (!failed)
            failed = posix_spawnp(child, argv[0], &actions, &attributes, argv, env);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* How a child ended by itself, from what waitpid() says. */
static struct cf_process_result end_of(int ended, const char *program)
{
    if (WIFSIGNALED(ended))
        return (struct cf_process_result){CF_PROCESS_SIGNALLED, WTERMSIG(ended)};
    /* one that is there gives the same status where it cannot be loaded, as without memory */
    if (WEXITSTATUS(ended) == NO_SUCH_PROGRAM && !cf_process_in_path(program))
        return (struct cf_process_result){CF_PROCESS_MISSING, 0};
    return (struct cf_process_result){CF_PROCESS_EXITED, WEXITSTATUS(ended)};
}

/* How the child ended, by itself or killed. */
static struct cf_process_result wait_for(pid_t child, const char *program, double limit_s)
{
    const struct timespec nap = {.tv_nsec = nap_ns};
    const double start_s = now_s();
    enum cf_process_end stop = CF_PROCESS_EXITED;
    bool stopped = false;
    int ended;

    for (;;) {
        pid_t got = waitpid(child, &ended, stopped ? 0 : WNOHANG);
        if (got == child)
            break;
        if (got < 0 && errno != EINTR)
            return (struct cf_process_result){CF_PROCESS_LOST, errno};
        if (stopped)
            continue;
        stop = cf_signals_wait()             ? CF_PROCESS_INTERRUPTED
               : now_s() - start_s > limit_s ? CF_PROCESS_TIMED_OUT
                                             : CF_PROCESS_EXITED;
        stopped = stop != CF_PROCESS_EXITED;
        if (stopped)
            kill(-child, SIGKILL);
        else
            nanosleep(&nap, NULL);
    }
    return stopped ? (struct cf_process_result){stop, 0} : end_of(ended, program);
}

/* Start a child. Returns 0 or an errno. */
static int start(const struct cf_process *process, int talk, pid_t *child)
{
    int fd[NSTREAM] = {-1, -1, -1, -1};
    char **env = environment(process->set);

    int failed = env ? copy_streams(process, talk, fd) : ENOMEM;
    if (!failed)
        failed = spawn(process->argv, env, fd, child);
    free(env);
    for (int i = 0; i < NSTREAM; i++)
        if (fd[i] >= 0)
            close(fd[i]);
    return failed;
}

static struct cf_process_result not_started(int code)
{
    return (struct cf_process_result){code == ENOENT ? CF_PROCESS_MISSING : CF_PROCESS_NOT_STARTED,
                                      code};
}

struct cf_process_result cf_process_run(const struct cf_process *process)
{
    struct cf_held_signals held;
    struct cf_process_result result;
    pid_t child;

    cf_signals_hold(&held);
    int failed = start(process, -1, &child);
    result = failed ? not_started(failed) : wait_for(child, process->argv[0], process->limit_s);
    cf_signals_release(&held);
    return result;
}

/* A socket instead of pipes: writing to a child that has ended raises no SIGPIPE then. */
static int start_coprocess(const struct cf_process *process, struct cf_coprocess *c)
{
    int end[2];

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, end))
        return errno;
    pid_t child;
    int failed = start(process, end[1], &child);
    close(end[1]);
    if (failed) {
        close(end[0]);
        return failed;
    }
    c->child = child;
    c->talk = end[0];
    c->program = process->argv[0];
    return 0;
}

/* Take what the child has said, behind what it said before; of too much the last half stays.
 * Returns false at its end. */
static bool hear(struct cf_coprocess *c)
{
    const size_t most = sizeof c->said - 1;

    if (c->nsaid == most) {
        c->nsaid = most / 2;
        memmove(c->said, c->said + most - c->nsaid, c->nsaid);
    }
    ssize_t n = recv(c->talk, c->said + c->nsaid, most - c->nsaid, MSG_DONTWAIT);
    c->nsaid += n > 0 ? (size_t) n : 0;
    c->said[c->nsaid] = '\0';
    return n > 0;
}

static bool has_answered(const struct cf_coprocess *c, const char *answer)
{
    size_t len = strlen(answer);

    return c->nsaid >= len && strcmp(c->said + c->nsaid - len, answer) == 0;
}

/* The child has gone; what it left to be heard is. */
static void forget(struct cf_coprocess *c)
{
    while (hear(c))
        ;
    close(c->talk);
    c->child = 0;
}

/* Something else than a signal may hold the socket open when the child has ended, as what it
 * started: therefore it is looked at now and then. */
static struct cf_process_result wait_for_answer(struct cf_coprocess *c, const char *answer,
                                                double limit_s)
{
    const int look_ms = 10;
    const double start_s = now_s();
    int ended;

    for (;;) {
        struct pollfd one = {.fd = c->talk, .events = POLLIN};
        bool heard = poll(&one, 1, look_ms) > 0 && hear(c);
        if (has_answered(c, answer))
            return (struct cf_process_result){CF_PROCESS_ANSWERED, 0};
        if (heard)
            continue;
        pid_t got = waitpid((pid_t) c->child, &ended, WNOHANG);
        if (got == c->child || (got < 0 && errno != EINTR)) {
            int code = errno;
            forget(c);
            return got < 0 ? (struct cf_process_result){CF_PROCESS_LOST, code}
                           : end_of(ended, c->program);
        }
        enum cf_process_end stop = cf_signals_wait()             ? CF_PROCESS_INTERRUPTED
                                   : now_s() - start_s > limit_s ? CF_PROCESS_TIMED_OUT
                                                                 : CF_PROCESS_ANSWERED;
        if (stop != CF_PROCESS_ANSWERED) {
            cf_coprocess_end(c);
            return (struct cf_process_result){stop, 0};
        }
        if (one.revents) /* at the end of the socket poll() does not wait */
            nanosleep(&(struct timespec){.tv_nsec = nap_ns}, NULL);
    }
}

struct cf_process_result cf_coprocess_ask(struct cf_coprocess *c, const struct cf_process *process,
                                          const char *request, const char *answer)
{
    struct cf_held_signals held;
    struct cf_process_result result = {CF_PROCESS_ANSWERED, 0};

    cf_signals_hold(&held);
    c->nsaid = 0;
    c->said[0] = '\0';
    int failed = c->child ? 0 : start_coprocess(process, c);
    if (failed) {
        result = not_started(failed);
    } else {
        /* a child that is gone does not hear it: its end is found below */
        send(c->talk, request, strlen(request), MSG_NOSIGNAL);
        result = wait_for_answer(c, answer, process->limit_s);
    }
    cf_signals_release(&held);
    return result;
}

void cf_coprocess_end(struct cf_coprocess *c)
{
    if (!c->child)
        return;
    kill((pid_t) -c->child, SIGKILL);
    while (waitpid((pid_t) c->child, NULL, 0) < 0 && errno == EINTR)
        ;
    forget(c);
}

bool cf_process_succeeded(struct cf_process_result result)
{
    return result.end == CF_PROCESS_EXITED && result.code == 0;
}

bool cf_process_in_path(const char *program)
{
    const char *path = getenv("PATH");

    for (const char *part = path ? path : ""; *part; part += *part == ':') {
        size_t len = strcspn(part, ":");
        char full[4096];
        int n = snprintf(full, sizeof full, "%.*s/%s", (int) len, part, program);
        if (n > 0 && (size_t) n < sizeof full && access(full, X_OK) == 0)
            return true;
        part += len;
    }
    return false;
}

static const int ending_signal[CF_NENDING_SIGNAL] = {SIGHUP, SIGINT, SIGTERM};

void cf_signals_hold(struct cf_held_signals *held)
{
    sigset_t these, before;

    sigemptyset(&these);
    for (int i = 0; i < CF_NENDING_SIGNAL; i++)
        sigaddset(&these, ending_signal[i]);
    pthread_sigmask(SIG_BLOCK, &these, &before);
    for (int i = 0; i < CF_NENDING_SIGNAL; i++)
        held->before[i] = sigismember(&before, ending_signal[i]) == 1;
}

bool cf_signals_wait(void)
{
    sigset_t waiting;

    if (sigpending(&waiting))
        return false;
    for (int i = 0; i < CF_NENDING_SIGNAL; i++)
        if (sigismember(&waiting, ending_signal[i]) == 1)
            return true;
    return false;
}

int cf_signals_take(void)
{
    sigset_t these;
    int taken = 0;

    sigemptyset(&these);
    for (int i = 0; i < CF_NENDING_SIGNAL; i++)
        sigaddset(&these, ending_signal[i]);
    return sigwait(&these, &taken) ? 0 : taken;
}

void cf_signals_give(int signal)
{
    raise(signal);
}

void cf_signals_release(const struct cf_held_signals *held)
{
    sigset_t these;

    sigemptyset(&these);
    for (int i = 0; i < CF_NENDING_SIGNAL; i++)
        if (!held->before[i])
            sigaddset(&these, ending_signal[i]);
    pthread_sigmask(SIG_UNBLOCK, &these, NULL);
}

size_t cf_processors(void)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);
#ifdef CPU_COUNT
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof set, &set) == 0)
        online = CPU_COUNT(&set);
#endif
    return online > 1 ? (size_t) online : 1;
}
