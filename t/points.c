/* Which observations fit files hold: all of a channel with few; of one with many every n-th along
 * the axis and both its ends. */

#include "document/points.h"

#include <math.h>
#include <stdlib.h>

#include "tap.h"

enum { FEW = CF_POINTS_WHOLE, MANY = 4321 };

/* Two channels, the first with FEW observations, the second with MANY out of order. */
static struct cf_problem make(void)
{
    struct cf_problem q = {.nobservation = FEW + MANY, .nchannel = 2};

    q.observation = calloc(q.nobservation, sizeof *q.observation);
    if (!q.observation)
        exit(99);
    for (size_t i = 0; i < FEW; i++)
        q.observation[i] = (struct cf_observation){.channel = 0, .abscissa = (double) i};
    for (size_t i = 0; i < MANY; i++)
        q.observation[FEW + i] =
            (struct cf_observation){.channel = 1, .abscissa = (double) (i * 1000 % MANY) - 2000};
    return q;
}

int main(void)
{
    struct cf_problem q = make();
    bool *hold = calloc(q.nobservation, sizeof *hold), spaced = true;
    size_t step = cf_points_step(MANY), held;
    struct cf_error err = {""};

    plan(11);
    if (!hold)
        return 99;
    ok(cf_points_choose(&q, hold, &err) == CF_OK, "chosen %s", err.text);
    ok(cf_points_count(hold, FEW) == FEW, "a channel with few is held whole");
    ok(step == 18, "every 18th of 4321: 241 of them");
    held = cf_points_count(hold + FEW, MANY);
    ok(held == 241, "held: %zu, the last of them the 4321st", held);
    for (size_t i = FEW; i < q.nobservation; i++) {
        size_t place = (size_t) (q.observation[i].abscissa + 2000);
        spaced = spaced && hold[i] == (place % step == 0 || place == MANY - 1);
    }
    ok(spaced, "they lie along the axis at even counts, whatever the order of rows");
    ok(cf_points_step(CF_POINTS_WHOLE) == 1 && cf_points_step(CF_POINTS_WHOLE + 1) > 1,
       "the limit belongs to the few");
    ok(cf_points_step(1000000) == 4000, "a million: 250 of them");

    json_t *j = cf_points_json(1241, 5321);
    ok(json_integer_value(json_object_get(j, "held")) == 1241 &&
           json_integer_value(json_object_get(j, "of")) == 5321,
       "both counts are told");
    is_str(json_string_value(json_object_get(j, "rule")),
           "of a channel with more than 1000 rows every n-th along the axis, some 250, the first "
           "and the last; and all rows that are flagged",
           "and the rule");
    json_decref(j);
    j = cf_points_json(5, 5);
    is_str(json_string_value(json_object_get(j, "rule")), "all rows", "without one");
    json_decref(j);
    q.nobservation = 0;
    ok(cf_points_choose(&q, hold, &err) == CF_OK, "nothing to choose from");
    free(q.observation);
    free(hold);
    return done();
}
