/* Balls near each other, and near planes: by lists that a sweep along one axis makes.
 *
 * A pair is listed whose gap is less than a margin. Until a body has moved by half of that since,
 * no pair that is not listed can touch, for two bodies have then come nearer by less than it (L.
 * Verlet, Phys. Rev. 159 (1967) 98).
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/vector.h"
#include "motion/near.h"
#include "motion/system.h"

/* The margin, of a ball's mean radius: larger ones list more pairs, smaller ones more often. */
static const double MARGIN = 0.1;

/* Of so many pairs each may as well be looked at. */
static const size_t FEW = 64;

/* Two balls, by their numbers among those of the list. */
struct cf_near_pair {
    size_t low, high, pair;
};

/* Where a ball begins along the axis of the sweep. */
struct cf_near_begin {
    double at_m;
    size_t ball;
};

static bool is_ball(const struct cf_rigid *body, size_t ball)
{
    return (body->drive == CF_DRIVE_FREE || body->drive == CF_DRIVE_FIXED) &&
           cf_vec_norm(body->ball[ball].centre_m) == 0;
}

static bool is_round(const struct cf_rigid *body, size_t solid)
{
    const struct cf_solid *s = &body->solid[solid];

    return (body->drive == CF_DRIVE_FREE || body->drive == CF_DRIVE_FIXED) &&
           s->shape == cf_shape_find("sphere") && cf_vec_norm(s->point_m) == 0;
}

/* May the pair be left out of a list while its bodies are apart: a ball with another, or with a
 * plane that stands? */
static bool is_listed(const struct cf_scene *scene, size_t m, bool *plane)
{
    const struct cf_contact_pair *pair = &scene->pair[m];
    const struct cf_rigid *i = &scene->body[pair->body[0]], *j = &scene->body[pair->body[1]];

    *plane = false;
    if (!pair->law || pair->cell[0] || pair->cell[1] || !is_ball(i, pair->ball))
        return false;
    *plane = j->drive == CF_DRIVE_FIXED && j->solid[pair->solid].shape == cf_shape_find("plane");
    return *plane || is_round(j, pair->solid);
}

static int compare_pairs(const void *a, const void *b)
{
    const struct cf_near_pair *x = a, *y = b;

    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    if (x->high != y->high)
        return x->high < y->high ? -1 : 1;
    return (x->pair > y->pair) - (x->pair < y->pair);
}

/* The number of a body among the balls, which grow by it where it is none yet. */
static size_t number_of(struct cf_near_balls *balls, size_t number[], size_t body, double radius_m)
{
    if (number[body] == SIZE_MAX) {
        number[body] = balls->n;
        balls->body[balls->n++] = body;
    }
    balls->radius_m[number[body]] = fmax(balls->radius_m[number[body]], radius_m);
    return number[body];
}

static void take_pair(struct cf_near_balls *balls, const struct cf_scene *scene, size_t m,
                      bool plane, size_t number[])
{
    const struct cf_contact_pair *pair = &scene->pair[m];
    const struct cf_rigid *i = &scene->body[pair->body[0]], *j = &scene->body[pair->body[1]];
    size_t a = number_of(balls, number, pair->body[0], i->ball[pair->ball].radius_m), b;

    if (plane) {
        balls->plane[balls->nplane++] = m;
        return;
    }
    b = number_of(balls, number, pair->body[1], j->solid[pair->solid].size[0]);
    balls->pair[balls->npair++] = (struct cf_near_pair){a < b ? a : b, a < b ? b : a, m};
}

int cf_near_balls_make(struct cf_near_balls *balls, const struct cf_scene *scene,
                       const bool grouped[], struct cf_error *err)
{
    size_t *number = malloc((scene->nbody + 1) * sizeof *number), count = 0;
    double sum = 0;
    bool plane;

    *balls = (struct cf_near_balls){.n = 0};
    for (size_t m = 0; m < scene->npair; m++)
        count += !grouped[m] && is_listed(scene, m, &plane);
    if (number && count <= FEW) {
        free(number);
        return CF_OK;
    }
    balls->body = calloc(scene->nbody + 1, sizeof *balls->body);
    balls->radius_m = calloc(scene->nbody + 1, sizeof *balls->radius_m);
    balls->at_m = calloc(scene->nbody + 1, sizeof *balls->at_m);
    balls->begin = calloc(scene->nbody + 1, sizeof *balls->begin);
    balls->pair = calloc(count + 1, sizeof *balls->pair);
    balls->plane = calloc(count + 1, sizeof *balls->plane);
    if (!number || !balls->body || !balls->radius_m || !balls->at_m || !balls->begin ||
        !balls->pair || !balls->plane) {
        free(number);
        return cf_fail(err, CF_ENOMEM, "out of memory for a scene of %zu contacts", scene->npair);
    }
    memset(number, 0xff, (scene->nbody + 1) * sizeof *number); /* SIZE_MAX: none */
    for (size_t m = 0; m < scene->npair; m++)
        if (!grouped[m] && is_listed(scene, m, &plane))
            take_pair(balls, scene, m, plane, number);
    qsort(balls->pair, balls->npair, sizeof *balls->pair, compare_pairs);
    for (size_t k = 0; k < balls->n; k++)
        sum += balls->radius_m[k];
    balls->margin_m = MARGIN * sum / (double) balls->n;
    free(number);
    return CF_OK;
}

void cf_near_balls_free(struct cf_near_balls *balls)
{
    free(balls->body);
    free(balls->radius_m);
    free(balls->at_m);
    free(balls->begin);
    free(balls->pair);
    free(balls->plane);
    *balls = (struct cf_near_balls){.n = 0};
}

bool cf_near_balls_have(const struct cf_near_balls *balls, const struct cf_scene *scene, size_t m)
{
    bool plane;

    return balls->n > 0 && is_listed(scene, m, &plane);
}

double cf_near_balls_left(const struct cf_system *system)
{
    const struct cf_near_balls *balls = &system->near.balls;
    double most = 0;

    for (size_t k = 0; k < balls->n; k++) {
        double moved[3];
        cf_vec_sub(system->pose[balls->body[k]].x, balls->at_m[k], moved);
        most = fmax(most, cf_vec_dot(moved, moved));
    }
    return 0.5 * balls->margin_m - sqrt(most);
}

double cf_near_balls_time(const struct cf_system *system)
{
    const struct cf_near_balls *balls = &system->near.balls;
    double fastest = 0;

    for (size_t k = 0; k < balls->n; k++) {
        const double *v = system->pose[balls->body[k]].v;
        fastest = fmax(fastest, cf_vec_dot(v, v));
    }
    return fmax(cf_near_balls_left(system), 0) / sqrt(fastest);
}

static int compare_begins(const void *a, const void *b)
{
    const struct cf_near_begin *x = a, *y = b;

    if (x->at_m != y->at_m)
        return x->at_m < y->at_m ? -1 : 1;
    return (x->ball > y->ball) - (x->ball < y->ball);
}

/* The axis along which the balls lie furthest apart. */
static int find_axis(const struct cf_near_balls *balls)
{
    double widest = -1;
    int axis = 0;

    for (int k = 0; k < 3; k++) {
        double low = (double) INFINITY, high = -low;
        for (size_t i = 0; i < balls->n; i++) {
            low = fmin(low, balls->at_m[i][k]);
            high = fmax(high, balls->at_m[i][k]);
        }
        if (high - low > widest) {
            widest = high - low;
            axis = k;
        }
    }
    return axis;
}

/* The pairs of two balls that are near, of which a scene may have several. */
static size_t take_near(const struct cf_near_balls *balls, size_t a, size_t b, size_t found[])
{
    const struct cf_near_pair wanted = {a < b ? a : b, a < b ? b : a, 0};
    size_t low = 0, high = balls->npair, n = 0;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_pairs(&balls->pair[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < balls->npair && balls->pair[low].low == wanted.low &&
           balls->pair[low].high == wanted.high;
         low++)
        found[n++] = balls->pair[low].pair;
    return n;
}

static size_t sweep(const struct cf_near_balls *balls, size_t found[])
{
    int axis = find_axis(balls);
    size_t n = 0;

    for (size_t k = 0; k < balls->n; k++)
        balls->begin[k] = (struct cf_near_begin){balls->at_m[k][axis] - balls->radius_m[k], k};
    qsort(balls->begin, balls->n, sizeof *balls->begin, compare_begins);
    for (size_t i = 0; i < balls->n; i++) {
        size_t a = balls->begin[i].ball;
        double end_m = balls->at_m[a][axis] + balls->radius_m[a] + balls->margin_m;
        for (size_t j = i + 1; j < balls->n && balls->begin[j].at_m < end_m; j++) {
            size_t b = balls->begin[j].ball;
            double apart[3], reach = balls->radius_m[a] + balls->radius_m[b] + balls->margin_m;
            cf_vec_sub(balls->at_m[a], balls->at_m[b], apart);
            if (cf_vec_dot(apart, apart) < reach * reach)
                n += take_near(balls, a, b, found + n);
        }
    }
    return n;
}

size_t cf_near_balls_list(struct cf_system *system, size_t found[])
{
    struct cf_near_balls *balls = &system->near.balls;
    size_t n;

    for (size_t k = 0; k < balls->n; k++)
        memcpy(balls->at_m[k], system->pose[balls->body[k]].x, sizeof balls->at_m[k]);
    balls->listed = true;
    n = sweep(balls, found);
    for (size_t k = 0; k < balls->nplane; k++) {
        struct cf_contact_kinematics kin;
        cf_contact_geometry(system, &system->contact[balls->plane[k]], &kin);
        if (kin.depth > -balls->margin_m)
            found[n++] = balls->plane[k];
    }
    return n;
}
