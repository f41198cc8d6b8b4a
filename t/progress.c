/* The progress line: its words, silence where there is no terminal, and on one that it is drawn in
 * place and cleared. */

#define _XOPEN_SOURCE 700

#include "cmd/progress.h"

#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tap.h"

static void words(void)
{
    char text[CF_PROGRESS];

    cf_progress_text(text, 412, 1000, 0.005);
    is_str(text, "412/1000, 3 s left", "588 tasks of 5 ms are begun seconds");
    cf_progress_text(text, 1, 4, NAN);
    is_str(text, "1/4", "no data for the time left");
    cf_progress_text(text, 1, 301, 1);
    is_str(text, "1/301, 5 min left", "300 s");
    cf_progress_text(text, 1, 101, 0.99);
    is_str(text, "1/101, 99 s left", "99 s");
}

static void wait_s(double s)
{
    struct timespec t = {.tv_sec = (time_t) s, .tv_nsec = (long) (1e9 * (s - floor(s)))};
    nanosleep(&t, NULL);
}

/* 20 tasks of 40 ms. */
static void work(struct cf_progress *p)
{
    for (size_t i = 1; i <= 20; i++) {
        wait_s(0.04);
        p->workers.progress(p->workers.listener, "bootstrap", i, 20);
    }
    cf_progress_end(p, false);
}

/* All that a terminal passes on until the line is cleared; it may come in pieces, and late. */
static size_t listen_to(int terminal, char seen[], size_t size)
{
    struct pollfd ready = {.fd = terminal, .events = POLLIN};
    size_t n = 0;

    while (n + 1 < size && poll(&ready, 1, 5000) == 1) {
        ssize_t got = read(terminal, &seen[n], size - 1 - n);
        if (got <= 0)
            break;
        n += (size_t) got;
        seen[n] = '\0';
        if (n > 4 && strcmp(&seen[n - 4], "\r\033[K") == 0)
            break;
    }
    return n;
}

/* What a terminal receives in the place of stderr; quiet in the place of a failing terminal. */
static void on_terminal(void)
{
    struct cf_progress p;
    char seen[4096] = "";
    int master = posix_openpt(O_RDWR | O_NOCTTY), slave = -1, kept = dup(STDERR_FILENO);
    size_t n = 0;

    if (master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0)
        slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    if (slave < 0) {
        for (int i = 0; i < 5; i++)
            ok(true, "# SKIP no terminal can be made here");
        return;
    }
    dup2(slave, STDERR_FILENO);
    cf_progress_begin(&p, true, 3);
    ok(!p.workers.progress && p.workers.jobs == 3, "quiet on a terminal");
    cf_progress_begin(&p, false, 3);
    if (ok(p.workers.progress != NULL, "shown on a terminal")) {
        work(&p);
        n = listen_to(master, seen, sizeof seen);
    }
    dup2(kept, STDERR_FILENO);
    ok(strncmp(seen, "\rbootstrap ", 11) == 0 && strstr(seen, "/20, 1 s left\033[K"),
       "the line is drawn");
    ok(strlen(seen) > 40 && !strchr(seen, '\n'), "again and again, in place");
    ok(n > 4 && strcmp(&seen[n - 4], "\r\033[K") == 0, "and cleared");
    close(slave);
    close(master);
    close(kept);
}

TEST(progress)
{
    struct cf_progress p;
    int null = open("/dev/null", O_WRONLY), kept = dup(STDERR_FILENO);

    plan(10);
    words();
    dup2(null, STDERR_FILENO);
    cf_progress_begin(&p, false, 2);
    dup2(kept, STDERR_FILENO);
    ok(!p.workers.progress, "silent where there is no terminal");
    on_terminal();
    return done();
}
