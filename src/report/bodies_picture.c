/* What the picture of a scene's bodies is made of. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/vector.h"
#include "report/axis.h"
#include "report/layout.h"
#include "report/line_style.h"
#include "report/scene_bodies.h"
#include "report/scene_surface.h"

/* Poses are looked at for the window in so many steps. */
enum { LOOKED_AT = 2000 };

/* Where the file does not say when the bodies are drawn, it is in steps from the start until
 * nothing moves any more: in no more than so many. */
enum { MOST_STEPS = 7 };

/* Of the time that is shown: what comes to rest in its last part is drawn at its end. */
static const double late = 0.9;

/* What moves by less than this part of the window is at rest. */
static const double at_rest = 0.01;

/* Below a picture without axes is room for its scale: part of its width. */
static const double for_scale = 0.07;

/* Room about the bodies, of the window. */
static const double room = 0.06;

void cf_bodies_picture_place(const struct cf_bodies_picture *picture,
                             const struct cf_scene_pose *pose, const double of_body_m[3],
                             double at[2])
{
    double world[3];

    cf_scene_place_of(pose, of_body_m, world);
    at[0] = cf_vec_dot(picture->view.right, world);
    at[1] = cf_vec_dot(picture->view.up, world);
}

static const struct cf_scene_pose *pose_of(const struct cf_bodies_picture *picture, size_t row,
                                           size_t body)
{
    return &picture->figure->pose[row * picture->scene->nbody + body];
}

static void find_motion(struct cf_bodies_picture *picture)
{
    for (size_t b = 0; b < picture->scene->nbody; b++) {
        const struct cf_scene_pose *first = pose_of(picture, 0, b);
        bool fixed = picture->scene->body[b].drive == CF_DRIVE_FIXED;
        for (size_t i = 1; i < picture->figure->n && !fixed && !picture->turns[b]; i++) {
            const struct cf_scene_pose *now = pose_of(picture, i, b);
            picture->turns[b] = memcmp(first->attitude, now->attitude, sizeof first->attitude) != 0;
            picture->moves[b] =
                picture->moves[b] || picture->turns[b] ||
                memcmp(first->position_m, now->position_m, sizeof first->position_m) != 0;
        }
    }
}

static size_t stem(const char *name)
{
    size_t n = strlen(name);

    while (n > 0 && name[n - 1] >= '0' && name[n - 1] <= '9')
        n--;
    return n;
}

/* The same sizes, and names that differ by their numbers alone. */
static bool alike(const struct cf_bodies_picture *picture, size_t i, size_t j)
{
    const struct cf_body_outline *a = &picture->outline[i], *b = &picture->outline[j];
    const char *name[2] = {picture->scene->body[i].name, picture->scene->body[j].name};
    bool same = picture->moves[i] && picture->moves[j] && a->ndisc == b->ndisc &&
                a->nline == b->nline && stem(name[0]) == stem(name[1]) &&
                strncmp(name[0], name[1], stem(name[0])) == 0;

    for (size_t k = 0; k < a->ndisc && same; k++)
        same = memcmp(a->disc[k].centre_m, b->disc[k].centre_m, sizeof a->disc[k].centre_m) == 0 &&
               a->disc[k].radius_m == b->disc[k].radius_m;
    for (size_t k = 0; k < a->nline && same; k++)
        same =
            a->line[k].n == b->line[k].n && a->line[k].face == b->line[k].face &&
            memcmp(a->line[k].at_m, b->line[k].at_m, a->line[k].n * sizeof *a->line[k].at_m) == 0;
    return same;
}

/* Where there are more of them than colours, those that follow each other and look alike have one,
 * and one line of the key. */
static void find_first(struct cf_bodies_picture *picture)
{
    size_t moving = 0;

    for (size_t b = 0; b < picture->scene->nbody; b++)
        moving += picture->moves[b];
    for (size_t b = 0; b < picture->scene->nbody; b++)
        picture->first[b] = moving > CF_LINE_COLOURS && b > 0 && alike(picture, b - 1, b)
                                ? picture->first[b - 1]
                                : b;
}

bool cf_bodies_picture_spoke(const struct cf_bodies_picture *picture, size_t body,
                             const struct cf_outline_disc *disc, double rim_m[3])
{
    const struct cf_scene_pose *first = pose_of(picture, 0, body);
    double r[3][3], longest = -1;
    int axis = 0;

    if (!picture->turns[body] || !(disc->radius_m > 0))
        return false;
    cf_attitude_matrix(first->attitude, r);
    for (int k = 0; k < 3; k++) { /* the axis of the body that lies most in the picture */
        double e[3] = {r[0][k], r[1][k], r[2][k]};
        double seen = 1 - fabs(cf_vec_dot(picture->view.towards, e));
        axis = seen > longest + 1e-9 ? k : axis;
        longest = fmax(longest, seen);
    }
    memcpy(rim_m, disc->centre_m, sizeof disc->centre_m);
    rim_m[axis] += disc->radius_m;
    return true;
}

const char *cf_bodies_picture_colour(const struct cf_bodies_picture *picture, size_t body)
{
    size_t n = 0;

    if (picture->scene->body[body].drive == CF_DRIVE_FIXED)
        return CF_ORANGE;
    for (size_t b = 0; b < picture->first[body]; b++)
        n += picture->scene->body[b].drive != CF_DRIVE_FIXED && picture->first[b] == b;
    return cf_line_colour(n);
}

size_t cf_bodies_picture_row(const struct cf_bodies_picture *picture, double time_s)
{
    size_t low = 0, high = picture->figure->n;

    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        *(picture->figure->x.y[middle] <= time_s ? &low : &high) = middle;
    }
    return low;
}

static double way_of(const struct cf_bodies_picture *picture, const struct cf_scene_pose *from,
                     const struct cf_scene_pose *to, const double place[3])
{
    double a[2], b[2];

    cf_bodies_picture_place(picture, from, place, a);
    cf_bodies_picture_place(picture, to, place, b);
    return hypot(b[0] - a[0], b[1] - a[1]);
}

double cf_bodies_picture_way(const struct cf_bodies_picture *picture, size_t body, size_t from,
                             size_t to)
{
    const struct cf_body_outline *outline = &picture->outline[body];
    const struct cf_scene_pose *a = pose_of(picture, from, body), *b = pose_of(picture, to, body);
    static const double centre[3] = {0, 0, 0};
    double way = way_of(picture, a, b, centre), rim[3];

    for (size_t i = 0; i < outline->ndisc; i++) {
        way = fmax(way, way_of(picture, a, b, outline->disc[i].centre_m));
        if (cf_bodies_picture_spoke(picture, body, &outline->disc[i], rim))
            way = fmax(way, way_of(picture, a, b, rim));
    }
    for (size_t i = 0; i < outline->nline; i++)
        for (size_t j = 0; j < outline->line[i].n; j++)
            way = fmax(way, way_of(picture, a, b, outline->line[i].at_m[j]));
    return way;
}

static void include(struct cf_bodies_picture *picture, const struct cf_scene_pose *pose,
                    const double place[3], double radius)
{
    double at[2];

    cf_bodies_picture_place(picture, pose, place, at);
    for (int k = 0; k < 2; k++) {
        cf_range_include(&picture->window[k], at[k] - radius);
        cf_range_include(&picture->window[k], at[k] + radius);
    }
}

static void find_window(struct cf_bodies_picture *picture)
{
    size_t n = picture->figure->n, step = n / LOOKED_AT + 1;

    for (int k = 0; k < 2; k++)
        picture->window[k] = (struct cf_range) CF_RANGE_EMPTY;
    for (size_t b = 0; b < picture->scene->nbody; b++) {
        const struct cf_body_outline *outline = &picture->outline[b];
        for (size_t i = 0; i < n; i = i + step < n || i + 1 == n ? i + step : n - 1) {
            const struct cf_scene_pose *pose = pose_of(picture, i, b);
            for (size_t k = 0; k < outline->ndisc; k++)
                include(picture, pose, outline->disc[k].centre_m, outline->disc[k].radius_m);
            for (size_t k = 0; k < outline->nline; k++)
                for (size_t j = 0; j < outline->line[k].n; j++)
                    include(picture, pose, outline->line[k].at_m[j], 0);
        }
    }
    cf_scene_surface_include(picture);
}

/* Equal lengths on both axes: whichever has more room shows more. */
static void fit_window(struct cf_bodies_picture *picture)
{
    const double widest = 5, highest = 0.8; /* of the picture, to the other side */
    double size[2];

    for (int k = 0; k < 2; k++) {
        struct cf_range *w = &picture->window[k];
        if (!(w->high >= w->low))
            *w = (struct cf_range){0, 0};
        size[k] = w->high - w->low;
    }
    double largest = fmax(size[0], size[1]);
    largest = largest > 0 ? largest : 1;
    for (int k = 0; k < 2; k++) {
        double least = fmax(size[k] + 2 * room * largest,
                            (size[1 - k] + 2 * room * largest) / (k ? widest : highest));
        double more = (k ? fmax(least, 0) : least) - size[k];
        picture->window[k].low -= more / 2;
        picture->window[k].high += more / 2;
    }
    if (!picture->view.flat)
        picture->window[1].low -= for_scale * (picture->window[0].high - picture->window[0].low);
}

/* From when on nothing moves any more. */
static double rest_time(const struct cf_bodies_picture *picture)
{
    const struct cf_range *w = picture->window;
    double least = at_rest * fmax(w[0].high - w[0].low, w[1].high - w[1].low);
    size_t n = picture->figure->n, row = n - 1, step = n / LOOKED_AT + 1;
    bool moves = false;

    while (row > 0 && !moves) {
        size_t before = row > step ? row - step : 0;
        for (size_t b = 0; b < picture->scene->nbody && !moves; b++)
            moves = picture->moves[b] && cf_bodies_picture_way(picture, b, before, n - 1) > least;
        row = moves ? row : before;
    }
    const double *time = picture->figure->x.y;
    return time[row] - time[0] > late * (time[n - 1] - time[0]) ? time[n - 1] : time[row];
}

/* A step of 1, 2 or 5 times a power of ten, of which the span has no more than so many. */
static double round_step(double span)
{
    double step = pow(10, floor(log10(span / MOST_STEPS)));
    static const double factor[] = {1, 2, 5, 10};

    for (size_t i = 0; i < sizeof factor / sizeof *factor; i++)
        if (span / (factor[i] * step) <= MOST_STEPS * (1 + 1e-9))
            return factor[i] * step;
    return 10 * step;
}

/* At whole steps, and at the end where that is none. */
static size_t choose_times(double from, double to, double time_s[MOST_STEPS + 2])
{
    double step = to > from ? round_step(to - from) : 1, first = ceil(from / step - 1e-9) * step;
    size_t n = 0;

    if (first > from + 0.01 * step || !(to > from))
        time_s[n++] = from;
    for (int i = 0; first + i * step < to - 0.01 * step && n <= MOST_STEPS; i++)
        time_s[n++] = first + i * step;
    if (to > from)
        time_s[n++] = to;
    return n;
}

static int set_times(struct cf_bodies_picture *picture, struct cf_error *err)
{
    const struct cf_scene_figure *figure = picture->figure;
    double chosen[MOST_STEPS + 2];
    size_t n = figure->ntime;

    if (!n)
        n = choose_times(figure->x.y[0], rest_time(picture), chosen);
    picture->time_s = malloc(n * sizeof *picture->time_s);
    if (!picture->time_s)
        return cf_fail(err, CF_ENOMEM, "no memory for the times of a figure");
    memcpy(picture->time_s, figure->ntime ? figure->time_s : chosen, n * sizeof chosen[0]);
    picture->ntime = n;
    return CF_OK;
}

int cf_bodies_picture_make(const struct cf_scene *scene, const struct cf_scene_figure *figure,
                           struct cf_bodies_picture *picture, struct cf_error *err)
{
    int status = CF_OK;

    *picture = (struct cf_bodies_picture){.scene = scene, .figure = figure};
    picture->outline = calloc(scene->nbody + 1, sizeof *picture->outline);
    picture->moves = calloc(scene->nbody + 1, sizeof *picture->moves);
    picture->turns = calloc(scene->nbody + 1, sizeof *picture->turns);
    picture->first = calloc(scene->nbody + 1, sizeof *picture->first);
    if (!picture->outline || !picture->moves || !picture->turns || !picture->first)
        return cf_fail(err, CF_ENOMEM, "no memory for the outlines of bodies");
    find_motion(picture);
    for (size_t b = 0; b < scene->nbody && !status; b++)
        status = cf_body_outline_find(scene, b, &picture->outline[b], err);
    if (status)
        return status;
    find_first(picture);
    cf_scene_view_find(scene, figure, &picture->view);
    find_window(picture);
    fit_window(picture);
    double largest = 0;
    for (int k = 0; k < 2; k++)
        largest = fmax(largest, fmax(fabs(picture->window[k].low), fabs(picture->window[k].high)));
    struct cf_prefix fits = cf_prefix_for("m", largest);
    picture->factor = fits.factor;
    picture->prefix = fits.symbol;
    return set_times(picture, err);
}

void cf_bodies_picture_free(struct cf_bodies_picture *picture)
{
    for (size_t b = 0; b < picture->scene->nbody && picture->outline; b++)
        cf_body_outline_free(&picture->outline[b]);
    free(picture->outline);
    free(picture->time_s);
    free(picture->moves);
    free(picture->turns);
    free(picture->first);
    picture->first = NULL;
    picture->moves = picture->turns = NULL;
    picture->outline = NULL;
    picture->time_s = NULL;
}
