/* Which observations fit files hold: all of a quantity with few; of one with many every n-th along
 * the axis and both its ends, and of many data sets each its share. */

#include "document/points.h"

#include <math.h>
#include <stdlib.h>

#include "tap.h"

enum { FEW = CF_POINTS_WHOLE, MANY = 4327, SETS = 500, EACH = 40 };

/* A problem of so many data sets of a protocol; count(set, column) observations of each of two
 * columns, out of order. */
static void make(struct cf_problem *q, size_t sets, size_t (*count)(size_t set, uint32_t column))
{
    static const struct cf_protocol protocol = {.name = "bench", .nchannel = 2};
    static size_t both[] = {0, 1};
    struct cf_spec *spec = calloc(1, sizeof *spec);

    *q = (struct cf_problem){.spec = spec};
    if (!spec || !(spec->data = calloc(sets, sizeof *spec->data)))
        exit(99);
    spec->ndata = sets;
    for (size_t i = 0; i < sets; i++) {
        spec->data[i].protocol = &protocol;
        for (uint32_t c = 0; c < 2; c++)
            q->nobservation += count(i, c);
    }
    q->channel = calloc(2 * sets, sizeof *q->channel);
    q->set = calloc(sets, sizeof *q->set);
    q->observation = calloc(q->nobservation, sizeof *q->observation);
    if (!q->channel || !q->set || !q->observation)
        exit(99);
    for (size_t i = 0, k = 0; i < sets; i++) {
        size_t *fitted = calloc(2, sizeof *fitted);
        if (!fitted)
            exit(99);
        q->set[i] =
            (struct cf_set){.nchannel = 2, .channel = both, .index = both, .fitted = fitted};
        for (uint32_t c = 0; c < 2; c++) {
            size_t n = count(i, c);
            fitted[c] = q->nchannel;
            q->channel[q->nchannel] = (struct cf_channel){.data = i, .column = c, .n = n};
            for (size_t j = 0; j < n; j++)
                q->observation[k++] =
                    (struct cf_observation){.data = (uint32_t) i,
                                            .column = c,
                                            .channel = (uint32_t) q->nchannel,
                                            .abscissa = (double) (j * 1009 % n) - 2000};
            q->nchannel++;
        }
    }
}

static void drop(struct cf_problem *q)
{
    for (size_t i = 0; i < q->spec->ndata; i++)
        free(q->set[i].fitted);
    free(q->set);
    free(q->spec->data);
    free((struct cf_spec *) q->spec);
    free(q->channel);
    free(q->observation);
}

/* How many of a channel are held. */
static size_t held_of(const struct cf_problem *q, const bool hold[], size_t channel)
{
    size_t n = 0;

    for (size_t i = 0; i < q->nobservation; i++)
        n += q->observation[i].channel == channel && hold[i];
    return n;
}

static size_t few_and_many(size_t set, uint32_t column)
{
    (void) set;
    return column ? MANY : FEW;
}

static void one_set(void)
{
    struct cf_problem q;
    struct cf_error err = {""};
    size_t step = cf_points_step(MANY, MANY, 1), held;
    bool *hold, spaced = true;

    make(&q, 1, few_and_many);
    if (!(hold = calloc(q.nobservation, sizeof *hold)))
        exit(99);
    ok(cf_points_choose(&q, hold, &err) == CF_OK, "chosen %s", err.text);
    ok(cf_points_count(hold, FEW) == FEW, "a quantity with few is held whole");
    ok(step == 18, "every 18th of 4327: 241 of them");
    held = cf_points_count(hold + FEW, MANY);
    ok(held == 242, "held: %zu, with the last, which is no 18th", held);
    for (size_t i = FEW; i < q.nobservation; i++) {
        size_t place = (size_t) (q.observation[i].abscissa + 2000);
        spaced = spaced && hold[i] == (place % step == 0 || place == MANY - 1);
    }
    ok(spaced, "they lie along the axis at even counts, whatever the order of rows");
    q.nobservation = 0;
    ok(cf_points_choose(&q, hold, &err) == CF_OK, "nothing to choose from");
    free(hold);
    drop(&q);
}

static size_t equal(size_t set, uint32_t column)
{
    (void) set;
    return column ? 2 : EACH; /* the second quantity: SETS * 2 = CF_POINTS_WHOLE */
}

static size_t uneven(size_t set, uint32_t column)
{
    return column ? 0 : set == 1 ? 9000 : 30 + 400 * set;
}

static void many_sets(void)
{
    struct cf_problem q;
    struct cf_error err = {""};
    bool *hold, same = true;
    size_t at[EACH] = {0}, fewest = SETS, most = 0;

    make(&q, SETS, equal);
    if (!(hold = calloc(q.nobservation, sizeof *hold)))
        exit(99);
    ok(cf_points_choose(&q, hold, &err) == CF_OK, "chosen %s", err.text);
    for (size_t i = 0; i < SETS; i++)
        same = same && held_of(&q, hold, 2 * i) == 2 && held_of(&q, hold, 2 * i + 1) == 2;
    ok(same, "of 500 sets of 40 each shows two; a quantity of 1000 in all is held whole");
    for (size_t i = 0; i < q.nobservation; i++)
        if (hold[i] && q.observation[i].column == 0)
            at[(size_t) (q.observation[i].abscissa + 2000)]++;
    for (size_t i = 0; i < EACH; i++) {
        fewest = at[i] < fewest ? at[i] : fewest;
        most = at[i] > most ? at[i] : most;
    }
    ok(fewest == 25 && most == 25, "each place of the axis in 25 of them: %zu to %zu", fewest,
       most);
    free(hold);
    drop(&q);

    make(&q, 5, uneven);
    if (!(hold = calloc(q.nobservation, sizeof *hold)))
        exit(99);
    ok(cf_points_choose(&q, hold, &err) == CF_OK, "chosen %s", err.text);
    ok(held_of(&q, hold, 0) == 30, "a short set beside long ones is held whole: it has a share");
    ok(held_of(&q, hold, 2) == 200 && held_of(&q, hold, 4) == 166,
       "a long one has its fifth of 1000: %zu, %zu", held_of(&q, hold, 2), held_of(&q, hold, 4));
    free(hold);
    drop(&q);
}

static void steps(void)
{
    const size_t most = CF_POINTS_WHOLE;

    ok(cf_points_step(most, most, 1) == 1 && cf_points_step(most + 1, most + 1, 1) > 1,
       "the limit belongs to the few");
    ok(cf_points_step(1000000, 1000000, 1) == 4000, "a million: 250 of them");
    ok(cf_points_step(4, 4000000, 10000) == 2, "of however many sets two steps of each remain");
    ok(cf_points_step(2, 4000000, 10000) == 1 && cf_points_step(1, 1001, 1001) == 1,
       "a set of one or two has nothing to give");
}

static void words(void)
{
    json_t *j = cf_points_json(1241, 5321);

    ok(json_integer_value(json_object_get(j, "held")) == 1241 &&
           json_integer_value(json_object_get(j, "of")) == 5321,
       "both counts are told");
    is_str(json_string_value(json_object_get(j, "rule")),
           "where a quantity has more than 1000, some 250 of each data set (of more than 4 data "
           "sets 1000 together), evenly spread along the axis; and all that are flagged",
           "and the rule");
    json_decref(j);
    j = cf_points_json(5, 5);
    is_str(json_string_value(json_object_get(j, "rule")), "all rows", "without one");
    json_decref(j);
}

TEST(points)
{
    plan(19);
    one_set();
    many_sets();
    steps();
    words();
    return done();
}
