#include "report/svg_path.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* How far a point may lie off the line that goes on without it, in tenths of a unit: at the size of
 * a page an eighth of a pixel. */
static const double off = 1.5;

/* Points looked back at: what bounds the time for long paths. */
enum { MOST_SKIPPED = 64 };

/* A loop of so many corners and more is a circle where none lies farther from it than this, in
 * tenths of a unit. */
enum { CIRCLE_CORNERS = 12 };
static const double off_circle = 1.2;

struct point {
    long x, y; /* in tenths */
};

struct path {
    FILE *out;
    struct point at, start;          /* so far, and where the subpath began */
    struct point written;            /* where what was written ends */
    bool any, moved;                 /* was any written; is a move to `at` still to be written? */
    struct point held[MOST_SKIPPED]; /* read, and not written */
    size_t nheld;
};

void cf_svg_tenths(long tenths, FILE *out)
{
    long size = labs(tenths);

    if (tenths < 0)
        fputc('-', out);
    if (size >= 10 || size == 0)
        fprintf(out, "%ld", size / 10);
    if (size % 10)
        fprintf(out, ".%ld", size % 10);
}

/* A minus sign parts two numbers as well as a blank does. */
static void put_pair(FILE *out, long x, long y)
{
    cf_svg_tenths(x, out);
    if (y >= 0)
        fputc(' ', out);
    cf_svg_tenths(y, out);
}

/* A move is written with what is drawn after it, and not at all where nothing is. */
static void put_move(struct path *p)
{
    if (p->moved && p->any) {
        fputc('m', p->out);
        put_pair(p->out, p->at.x - p->written.x, p->at.y - p->written.y);
    } else if (p->moved) {
        fputc('M', p->out);
        put_pair(p->out, p->at.x, p->at.y);
    }
    p->any = p->any || p->moved;
    p->moved = false;
}

static void put_line(struct path *p, struct point to)
{
    long x = to.x - p->at.x, y = to.y - p->at.y;

    if (x == 0 && y == 0)
        return;
    put_move(p);
    if (y == 0) {
        fputc('h', p->out);
        cf_svg_tenths(x, p->out);
    } else if (x == 0) {
        fputc('v', p->out);
        cf_svg_tenths(y, p->out);
    } else {
        fputc('l', p->out);
        put_pair(p->out, x, y);
    }
    p->at = p->written = to;
}

/* Does every waiting point lie near enough to the line from the last written one to `to`, and
 * between its ends? */
static bool passes(const struct path *p, struct point to)
{
    double x = (double) (to.x - p->at.x), y = (double) (to.y - p->at.y), length = hypot(x, y);

    for (size_t i = 0; i < p->nheld; i++) {
        double u = (double) (p->held[i].x - p->at.x), v = (double) (p->held[i].y - p->at.y);
        double along = length > 0 ? (u * x + v * y) / length : 0;
        if (!(length > 0) || !(fabs(u * y - v * x) <= off * length) || along < -off ||
            along > length + off)
            return false;
    }
    return true;
}

static void flush(struct path *p)
{
    if (p->nheld > 0)
        put_line(p, p->held[p->nheld - 1]);
    p->nheld = 0;
}

static void add_line(struct path *p, struct point to)
{
    if (p->nheld == MOST_SKIPPED || !passes(p, to))
        flush(p);
    p->held[p->nheld++] = to;
}

static void move(struct path *p, struct point to)
{
    flush(p);
    p->at = p->start = to;
    p->moved = true;
}

/* A pair of numbers from *at on, which is moved behind it. */
static bool read_pair(const char **at, const char *end, struct point *to)
{
    double value[2];

    for (int i = 0; i < 2; i++) {
        char text[32];
        size_t n = 0;
        while (*at < end && (strchr(" ,\t\n\r", **at)))
            ++*at;
        while (*at + n < end && n < sizeof text - 1 && strchr("-+.0123456789", (*at)[n])) {
            text[n] = (*at)[n];
            n++;
        }
        text[n] = '\0';
        char *stop;
        value[i] = strtod(text, &stop);
        if (n == 0 || *stop || !(fabs(value[i]) < 1e6))
            return false;
        *at += n;
    }
    *to = (struct point){lround(value[0] * 10), lround(value[1] * 10)};
    return true;
}

struct circle {
    double x, y, radius; /* in tenths */
};

/* The next point of the subpath at *at; false: there is none. */
static bool next_corner(const char **at, const char *end, struct point *to)
{
    while (*at < end && strchr(" ,\t\n\r", **at))
        ++*at;
    if (*at < end && **at == 'L')
        ++*at;
    return *at < end && !strchr("MZz", **at) && read_pair(at, end, to);
}

/* Is the subpath at *at, behind its M, a polygon about a circle? Then *at is moved behind it. */
static bool read_circle(const char **at, const char *end, struct circle *circle)
{
    struct point first, to, last;
    const char *behind = *at;
    double x = 0, y = 0, n = 0, radius = 0;

    if (!read_pair(&behind, end, &first))
        return false;
    for (last = first; next_corner(&behind, end, &to); last = to) {
        x += (double) to.x; /* of a loop, whose last corner is its first, the mean is the middle */
        y += (double) to.y;
        n++;
    }
    if (n < CIRCLE_CORNERS || last.x != first.x || last.y != first.y)
        return false;
    x /= n;
    y /= n;
    radius = hypot((double) first.x - x, (double) first.y - y);
    for (const char *again = *at; again < behind && next_corner(&again, behind, &to);)
        if (!(fabs(hypot((double) to.x - x, (double) to.y - y) - radius) < off_circle))
            return false;
    *circle = (struct circle){x, y, radius};
    *at = behind;
    return radius > 0;
}

/* Two half circles, from the left and back. */
static void put_circle(struct path *p, const struct circle *circle)
{
    long radius = lround(circle->radius);
    struct point left = {lround(circle->x - circle->radius), lround(circle->y)};

    move(p, left);
    put_move(p);
    p->written = left;
    for (int half = 0; half < 2; half++) {
        fputc('a', p->out);
        put_pair(p->out, radius, radius);
        fputs(" 0 1 0", p->out);
        fputs(half ? "" : " ", p->out);
        put_pair(p->out, half ? -2 * radius : 2 * radius, 0);
    }
}

static bool is_simple(const char *data, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (!data[i] || !strchr("MLZz-+., \t\n\r0123456789", data[i]))
            return false;
    return len > 0;
}

static bool is_path(const char *data, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (!strchr("MmLlHhVvCcSsQqTtAaZze-+., \t\n\r0123456789", data[i]) || !data[i])
            return false;
    return true;
}

void cf_svg_path(const char *data, size_t len, FILE *out)
{
    struct path p = {.out = out};
    const char *at = data, *end = data + len;
    char command = 'M';

    if (!is_simple(data, len)) {
        if (is_path(data, len))
            fwrite(data, 1, len, out);
        return;
    }
    for (;;) {
        struct point to;
        while (at < end && strchr(" ,\t\n\r", *at))
            at++;
        if (at >= end)
            break;
        if (strchr("MLZz", *at))
            command = *at++;
        struct circle circle;
        if (command == 'M' && read_circle(&at, end, &circle)) {
            put_circle(&p, &circle);
            continue;
        }
        if (command == 'Z' || command == 'z') {
            flush(&p);
            if (!p.moved) {
                fputc('z', out);
                p.written = p.start;
            }
            p.at = p.start;
            command = 'L';
            continue;
        }
        if (!read_pair(&at, end, &to))
            break;
        if (command == 'M')
            move(&p, to);
        else
            add_line(&p, to);
        command = 'L';
    }
    flush(&p);
}
