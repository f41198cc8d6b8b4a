#include "report/thin.h"

#include <math.h>
#include <stdlib.h>

struct line {
    size_t naxis;
    const double *const *x;
    const double *scale;
};

static bool is_there(const struct line *line, size_t i)
{
    for (size_t a = 0; a < line->naxis; a++)
        if (!isfinite(line->x[a][i]))
            return false;
    return true;
}

static double step(const struct line *line, size_t axis, size_t from, size_t to)
{
    return (line->x[axis][to] - line->x[axis][from]) / line->scale[axis];
}

/* Square of the distance of point i from the stretch between two others. */
static double distance(const struct line *line, size_t from, size_t to, size_t i)
{
    double along = 0, whole = 0, square = 0;

    for (size_t a = 0; a < line->naxis; a++) {
        double d = step(line, a, from, to);
        whole += d * d;
        along += d * step(line, a, from, i);
    }
    double part = whole > 0 ? fmin(fmax(along / whole, 0), 1) : 0;
    for (size_t a = 0; a < line->naxis; a++) {
        double off = step(line, a, from, i) - part * step(line, a, from, to);
        square += off * off;
    }
    return square;
}

/* The point between two that is farthest off, or `from` where none is far enough. */
static size_t farthest(const struct line *line, size_t from, size_t to, double off)
{
    double most = off * off;
    size_t found = from;

    for (size_t i = from + 1; i < to; i++) {
        double square = distance(line, from, to, i);
        if (square > most) {
            most = square;
            found = i;
        }
    }
    return found;
}

int cf_thin(size_t naxis, const double *const x[], const double scale[], size_t n, double off,
            bool keep[], struct cf_error *err)
{
    const struct line line = {naxis, x, scale};
    size_t(*stack)[2] = calloc(n + 1, sizeof *stack), depth;

    if (!stack)
        return cf_fail(err, CF_ENOMEM, "no memory for the points of a line");
    for (size_t first = 0, last; first < n; first = last + 1) {
        keep[last = first] = true;
        if (!is_there(&line, first))
            continue;
        while (last + 1 < n && is_there(&line, last + 1))
            keep[++last] = false;
        keep[last] = true;
        stack[0][0] = first;
        stack[0][1] = last;
        for (depth = 1; depth > 0;) {
            size_t from = stack[--depth][0], to = stack[depth][1];
            size_t i = farthest(&line, from, to, off);
            if (i == from)
                continue;
            keep[i] = true;
            stack[depth][0] = from;
            stack[depth++][1] = i;
            stack[depth][0] = i;
            stack[depth++][1] = to;
        }
    }
    free(stack);
    return CF_OK;
}
