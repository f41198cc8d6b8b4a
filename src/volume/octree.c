#include "volume/octree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The boxes of a level that are cut, those of the next, and how many have room. */
struct level {
    struct cf_octree_box *box, *next;
    size_t n, room, nnext, next_room;
    int depth;
    double half;
};

/* So often doubles can be halved about 1 and keep some digits of what is in a box. */
enum { MOST_LEVELS = 40, OCTANTS = 8 };

static int out_of_memory(const struct cf_octree_run *run, size_t need_B, struct cf_error *err)
{
    return cf_fail(err, CF_ENOMEM, "octree: more boxes need %.3g MB, of %.3g MB that it may take",
                   1e-6 * (double) need_B, 1e-6 * (double) run->max_memory_B);
}

static int grow(struct cf_octree_run *run, struct level *level, struct cf_error *err)
{
    size_t room = level->next_room ? 2 * level->next_room : 64, bytes;
    struct cf_octree_box *more;

    bytes = (room + level->room) * sizeof *more;
    if (bytes > run->max_memory_B)
        return out_of_memory(run, bytes, err);
    more = realloc(level->next, room * sizeof *more);
    if (!more)
        return out_of_memory(run, bytes, err);
    level->next = more;
    level->next_room = room;
    run->memory_B = bytes > run->memory_B ? bytes : run->memory_B;
    return CF_OK;
}

/* The eight halves of a box: what is in is added, what is cut goes to the next level. */
static int halve(const struct cf_octree *tree, struct cf_octree_run *run, struct level *level,
                 const struct cf_octree_box *box, struct cf_octree_part *sum, struct cf_error *err)
{
    double half = level->half / 2;

    for (int o = 0; o < OCTANTS; o++) {
        struct cf_octree_box child = *box;
        enum cf_content content;
        for (int k = 0; k < 3; k++)
            child.centre[k] += (o >> k & 1) ? half : -half;
        content = cf_octree_look(tree, &child, half);
        run->ncell++;
        if (content == CF_BOX_IN)
            cf_octree_add_whole(&child, half, sum);
        if (content != CF_BOX_CUT)
            continue;
        if (level->nnext == level->next_room) {
            int status = grow(run, level, err);
            if (status)
                return status;
        }
        level->next[level->nnext++] = child;
    }
    return CF_OK;
}

static void descend(struct level *level)
{
    struct cf_octree_box *box = level->box;
    size_t room = level->room;

    level->box = level->next;
    level->room = level->next_room;
    level->n = level->nnext;
    level->next = box;
    level->next_room = room;
    level->nnext = 0;
    level->half /= 2;
    level->depth++;
}

/* Areas of facets at rest are as good as V, but for this, V and they being of about the same size
 * in the root's measure. */
static const double SLACK = 10;

static double tolerance(const struct cf_octree_run *run, double volume)
{
    return fmax(run->error, run->relative * fabs(volume));
}

/* Is a leaf good enough? To a depth: at it, and not before unless it is exact; but shorter by the
 * root of the curvature where that is far above 1/root, as it is at the tip of a cone, without
 * which the errors there would fall more slowly than all others. */
static bool enough(const struct cf_octree *tree, const struct cf_octree_run *run,
                   const struct level *level, const struct cf_octree_part *leaf, double share)
{
    static const double far_above = 4;
    double half = level->half, target = ldexp(1, -run->levels);
    bool unknown = leaf->error >= OCTANTS * half * half * half;

    if (run->levels == 0)
        return leaf->error <= share && leaf->lost <= SLACK * share;
    if (leaf->error == 0 || level->depth >= 2 * run->levels)
        return true;
    if (level->depth < run->levels)
        return false;
    return tree->leaf == CF_LEAF_COUNTED ||
           (!unknown && half * half * leaf->bend <= far_above * target * target &&
            leaf->lost <= far_above * pow(target, 4));
}

/* All boxes of a level: those that are good enough are added to sum, the others go on; *all is what
 * it is with them as they are. */
static void do_level(struct cf_octree *tree, struct cf_octree_run *run, struct level *level,
                     struct cf_octree_part *sum, struct cf_octree_part *all)
{
    double left = tolerance(run, all->moment[CF_MOMENT_1]) - sum->error;
    double share = left / (4 * (double) level->n);
    struct cf_octree_part rest = {.error = 0};

    for (size_t b = 0; b < level->n; b++) {
        struct cf_octree_part leaf = {.error = 0};
        bool good;
        if (level->depth < run->levels && (level->box[b].cut & tree->curved)) {
            level->box[level->nnext++] = level->box[b];
            continue;
        }
        cf_octree_add_leaf(tree, &level->box[b], level->half, &leaf);
        good = enough(tree, run, level, &leaf, share);
        cf_octree_add_part(&leaf, good ? sum : &rest);
        if (good)
            continue;
        level->box[level->nnext++] = level->box[b];
    }
    level->n = level->nnext;
    level->nnext = 0;
    *all = *sum;
    cf_octree_add_part(&rest, all);
}

static int out_of_boxes(const struct cf_octree *tree, const struct cf_octree_run *run,
                        const struct cf_octree_part *all, struct cf_error *err)
{
    double asked = tolerance(run, all->moment[CF_MOMENT_1]) * tree->volume_m3;

    if (run->levels > 0)
        return cf_fail(err, CF_ESOLVE,
                       "octree: leaves that short need more than the %zu boxes that it may take",
                       run->max_cells);
    return cf_fail(err, CF_ESOLVE,
                   "octree: its error is %.3g m3 after %zu boxes, of %zu that it may take, and "
                   "should be %.3g m3",
                   all->error * tree->volume_m3, run->ncell, run->max_cells, asked);
}

static int sum_levels(struct cf_octree *tree, struct cf_octree_run *run, struct level *level,
                      struct cf_octree_part *out, struct cf_error *err)
{
    struct cf_octree_part sum = {.error = 0};
    double within;
    int status = CF_OK;

    *out = sum;
    for (;;) {
        do_level(tree, run, level, &sum, out);
        run->level = level->depth > run->level ? level->depth : run->level;
        within = tolerance(run, out->moment[CF_MOMENT_1]);
        if (level->n == 0 ||
            (run->levels == 0 &&
             ((out->error <= within && out->lost <= SLACK * within) || sum.error > within)))
            return CF_OK;
        if (level->depth == MOST_LEVELS || run->ncell + OCTANTS * level->n > run->max_cells)
            return out_of_boxes(tree, run, out, err);
        for (size_t b = 0; b < level->n && !status; b++)
            status = halve(tree, run, level, &level->box[b], &sum, err);
        if (status)
            return status;
        descend(level);
    }
}

static int sum_once(struct cf_octree *tree, struct cf_octree_run *run, struct cf_octree_part *out,
                    struct cf_error *err)
{
    struct level level = {.half = 1};
    struct cf_octree_box root = {.centre = {0}};
    enum cf_content content;
    int status;

    for (size_t s = 0; s < tree->nsurface; s++)
        root.cut |= (uint64_t) 1 << s;
    for (size_t h = 0; h < tree->nhole; h++)
        root.hole |= (uint64_t) 1 << h;
    *out = (struct cf_octree_part){.error = 0};
    run->ncell++;
    content = cf_octree_look(tree, &root, 1);
    if (content == CF_BOX_IN)
        cf_octree_add_whole(&root, 1, out);
    if (content != CF_BOX_CUT)
        return CF_OK;
    level.box = malloc(sizeof *level.box);
    if (!level.box)
        return out_of_memory(run, sizeof *level.box, err);
    level.box[0] = root;
    level.n = level.room = 1;
    status = sum_levels(tree, run, &level, out, err);
    free(level.box);
    free(level.next);
    return status;
}

/* Where boxes were good enough for a V that turned out to be less, half of what is asked for that V
 * is. */
int cf_octree_sum(struct cf_octree *tree, struct cf_octree_run *run, struct cf_octree_part *out,
                  struct cf_error *err)
{
    struct cf_octree_run again = *run;
    int status;

    for (;;) {
        double asked, before = again.error;
        status = sum_once(tree, &again, out, err);
        asked = tolerance(run, out->moment[CF_MOMENT_1]);
        run->ncell = again.ncell;
        run->memory_B = again.memory_B;
        run->level = again.level;
        if (status || run->levels > 0 || out->error <= asked)
            return status;
        if (again.ncell >= run->max_cells)
            return out_of_boxes(tree, run, out, err);
        again.relative = 0;
        again.error = fmin(asked, before > 0 ? before : asked) / 2;
    }
}
