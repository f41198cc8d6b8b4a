#include "report/motion.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "document/json_value.h"
#include "geometry/vector.h"
#include "report/live.h"
#include "report/thin.h"

/* Between the poses that are written, a body is off by less than this part of the window: half a
 * dot on a screen. Where that takes too many poses it is off by more, and the page says by how
 * much. */
static const double unseen = 3e-3;
enum { MOST_POSES = 12000, FEWEST_TIMES = 40 }; /* of all bodies; of each */

/* Time counts so much, in windows, that poses are compared at the same time. */
static const double time_scale = 1e-4;

/* Digits of lengths and attitudes, which a screen shows. */
enum { DIGITS = 5, PLACES = 4 };

/* What the poses are chosen by: time, then for each place its two coordinates in the picture. */
struct course {
    const struct cf_bodies_picture *picture;
    size_t nrow, naxis;
    double *number;      /* naxis times nrow */
    const double **axis; /* naxis */
    double *scale;       /* naxis */
    bool *keep;          /* nrow */
};

static json_t *vector(const double v[3])
{
    return cf_json_numbers(v, 3);
}

static json_t *disc_of(const struct cf_bodies_picture *picture, size_t body,
                       const struct cf_outline_disc *disc)
{
    json_t *object = json_object();
    double rim[3];

    cf_json_put(&object, "centre", vector(disc->centre_m));
    cf_json_put(&object, "radius", cf_json_number(disc->radius_m));
    if (cf_bodies_picture_spoke(picture, body, disc, rim))
        cf_json_put(&object, "rim", vector(rim));
    return object;
}

static json_t *line_of(const struct cf_outline_line *line)
{
    json_t *object = json_object(), *places = json_array();

    for (size_t i = 0; i < line->n; i++)
        cf_json_add(&places, vector(line->at_m[i]));
    cf_json_put(&object, "face", json_boolean(line->face));
    cf_json_put(&object, "places", places);
    return object;
}

/* Place and attitude. */
static json_t *pose_of(const struct cf_scene_pose *pose)
{
    double number[7];

    for (int i = 0; i < 3; i++)
        number[i] = pose->position_m[i];
    for (int i = 0; i < 4; i++)
        number[3 + i] = pose->attitude[i];
    return cf_json_numbers(number, 7);
}

static json_t *body_of(const struct course *course, size_t body)
{
    const struct cf_bodies_picture *picture = course->picture;
    const struct cf_body_outline *outline = &picture->outline[body];
    json_t *object = json_object(), *discs = json_array(), *lines = json_array(),
           *poses = json_array();

    for (size_t i = 0; i < outline->ndisc; i++)
        cf_json_add(&discs, disc_of(picture, body, &outline->disc[i]));
    for (size_t i = 0; i < outline->nline; i++)
        cf_json_add(&lines, line_of(&outline->line[i]));
    for (size_t i = 0; i < course->nrow; i++)
        if (course->keep[i])
            cf_json_add(&poses, pose_of(&picture->figure->pose[i * picture->scene->nbody + body]));
    cf_json_put(&object, "colour", cf_json_text(cf_bodies_picture_colour(picture, body)));
    cf_json_put(&object, "discs", discs);
    cf_json_put(&object, "lines", lines);
    cf_json_put(&object, "poses", poses);
    return object;
}

/* The places of a body by which its poses are compared: its mass centre, and as far from it along
 * its axes as it reaches. */
static void places_of(const struct cf_body_outline *outline, double place[PLACES][3])
{
    double reach = 0;

    for (size_t i = 0; i < outline->ndisc; i++)
        reach = fmax(reach, cf_vec_norm(outline->disc[i].centre_m) + outline->disc[i].radius_m);
    for (size_t i = 0; i < outline->nline; i++)
        for (size_t j = 0; j < outline->line[i].n; j++)
            reach = fmax(reach, cf_vec_norm(outline->line[i].at_m[j]));
    for (int k = 0; k < PLACES; k++)
        for (int i = 0; i < 3; i++)
            place[k][i] = k == i + 1 ? reach : 0;
}

static void fill_body(const struct course *course, size_t body, double *number)
{
    const struct cf_bodies_picture *picture = course->picture;
    double place[PLACES][3], at[2];

    places_of(&picture->outline[body], place);
    for (int k = 0; k < PLACES; k++)
        for (size_t i = 0; i < course->nrow; i++) {
            cf_bodies_picture_place(
                picture, &picture->figure->pose[i * picture->scene->nbody + body], place[k], at);
            number[(size_t) (2 * k) * course->nrow + i] = at[0];
            number[(size_t) (2 * k + 1) * course->nrow + i] = at[1];
        }
}

/* Poses without which the motion looks the same. *off receives by what part of the window it may
 * be off. */
static int choose(struct course *course, double *off, struct cf_error *err)
{
    size_t bodies = (course->naxis - 1) / (2 * PLACES), most = MOST_POSES / bodies;
    size_t n = SIZE_MAX;
    int status = CF_OK;

    most = most > FEWEST_TIMES ? most : FEWEST_TIMES;
    for (*off = unseen / 2; n > most && !status;) {
        *off *= 2;
        status = cf_thin(course->naxis, course->axis, course->scale, course->nrow, *off,
                         course->keep, err);
        n = 0;
        for (size_t i = 0; i < course->nrow; i++)
            n += course->keep[i];
    }
    return status;
}

static int make_course(const struct cf_bodies_picture *picture, struct course *course,
                       struct cf_error *err)
{
    const struct cf_range *w = picture->window;
    size_t n = picture->figure->n, nbody = picture->scene->nbody;

    *course = (struct course){.picture = picture, .nrow = n, .naxis = 1};
    course->number = calloc((1 + 2 * PLACES * nbody) * n + 1, sizeof *course->number);
    course->axis = calloc(1 + 2 * PLACES * nbody, sizeof *course->axis);
    course->scale = calloc(1 + 2 * PLACES * nbody, sizeof *course->scale);
    course->keep = calloc(n + 1, sizeof *course->keep);
    if (!course->number || !course->axis || !course->scale || !course->keep)
        return cf_fail(err, CF_ENOMEM, "no memory for the motion of bodies");
    course->axis[0] = picture->figure->x.y;
    course->scale[0] =
        time_scale * fmax(picture->figure->x.y[n - 1] - picture->figure->x.y[0], 1e-300);
    for (size_t b = 0; b < nbody; b++) {
        if (!picture->moves[b])
            continue;
        double *number = course->number + (course->naxis - 1) * n;
        fill_body(course, b, number);
        for (size_t k = 0; k < 2 * PLACES; k++) {
            course->axis[course->naxis] = number + k * n;
            course->scale[course->naxis++] = w[0].high - w[0].low;
        }
    }
    return CF_OK;
}

static void free_course(struct course *course)
{
    free(course->number);
    free(course->axis);
    free(course->scale);
    free(course->keep);
}

static json_t *frame_of(const struct cf_chart *chart)
{
    const struct cf_panel *panel = chart->panel[0];
    const double per_inch = CF_LIVE_PER_INCH;
    const double frame[] = {per_inch * panel->left, per_inch * (chart->height - panel->top),
                            per_inch * panel->right, per_inch * (chart->height - panel->bottom)};

    return cf_json_numbers(frame, 4);
}

/* NULL where memory runs out. */
static json_t *document_of(const struct course *course, const struct cf_chart *chart, double off)
{
    const struct cf_bodies_picture *picture = course->picture;
    const double window[] = {picture->window[0].low, picture->window[0].high,
                             picture->window[1].low, picture->window[1].high};
    json_t *document = json_object(), *bodies = json_array(), *times = json_array();

    for (size_t i = 0; i < course->nrow; i++)
        if (course->keep[i])
            cf_json_add(&times, cf_json_number(picture->figure->x.y[i]));
    for (size_t b = 0; b < picture->scene->nbody; b++)
        if (picture->moves[b])
            cf_json_add(&bodies, body_of(course, b));
    cf_json_put(&document, "frame", frame_of(chart));
    cf_json_put(&document, "window", cf_json_numbers(window, 4));
    cf_json_put(&document, "right", vector(picture->view.right));
    cf_json_put(&document, "up", vector(picture->view.up));
    cf_json_put(&document, "off", cf_json_number(off > unseen ? off : 0));
    cf_json_put(&document, "times", times);
    cf_json_put(&document, "bodies", bodies);
    return document;
}

int cf_motion_block(const struct cf_scene *scene, const struct cf_scene_figure *figure,
                    const struct cf_chart *chart, FILE *out, struct cf_error *err)
{
    struct cf_bodies_picture picture;
    struct course course = {0};
    double off;
    int status = cf_bodies_picture_make(scene, figure, &picture, err);

    if (!status)
        status = make_course(&picture, &course, err);
    if (!status && course.naxis > 1) {
        status = choose(&course, &off, err);
        if (!status) {
            fputs("<script type=\"application/json\" class=\"motion\">", out);
            status = cf_live_block(document_of(&course, chart, off), DIGITS, out, err);
        }
    }
    free_course(&course);
    cf_bodies_picture_free(&picture);
    return status;
}
