/* What held-out values are compared by: which of them make a unit, and a pair of laws on units. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/protocol.h"
#include "judge/held_out.h"
#include "tap.h"

enum { MOST = 12, TOSS = 1 };

/* Observations of one or two data sets: rows that stand behind each other. */
struct bench {
    struct cf_channel_row row[3];
    struct cf_protocol protocol[2];
    struct cf_series series[2][3];
    double toss[2][MOST];
    uint32_t group[2][MOST];
    struct cf_segment segment[2];
    struct cf_dataset data[2];
    struct cf_group_level level;
    struct cf_spec spec;
    struct cf_observation observation[MOST];
    struct cf_problem problem;
};

/* Six rows of the first data set, two values in each of the first two. */
static void make(struct bench *b)
{
    static const uint32_t row[] = {0, 0, 1, 1, 2, 3, 4, 5};

    memset(b, 0, sizeof *b);
    b->row[TOSS].name = "toss";
    for (int i = 0; i < 2; i++) {
        b->protocol[i] = (struct cf_protocol){.name = "bench", .nchannel = 3, .channel = b->row};
        b->series[i][TOSS].value = b->toss[i];
        b->data[i] = (struct cf_dataset){.name = i ? "two" : "one",
                                         .protocol = &b->protocol[i],
                                         .nrow = 6,
                                         .series = b->series[i]};
    }
    b->spec.data = b->data;
    b->spec.ndata = 2;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        b->observation[i].row = row[i];
    b->problem = (struct cf_problem){
        .spec = &b->spec, .nobservation = sizeof row / sizeof *row, .observation = b->observation};
}

/* The units of the bench are of[n], by this word. */
static void is_of(const struct bench *b, const char *one, const char *many, size_t n,
                  const size_t of[], const char *name)
{
    struct cf_held_units units;
    bool same = !cf_held_units_make(&b->problem, &units, NULL) && units.n == n &&
                units.nvalue == b->problem.nobservation;

    for (size_t i = 0; i < b->problem.nobservation && same; i++)
        same = units.of[i] == of[i];
    ok(same && strcmp(units.one, one) == 0 && strcmp(units.many, many) == 0, "%s: %zu %s", name,
       units.n, units.many);
    cf_held_units_clear(&units);
}

static void test_units(void)
{
    struct bench b;

    make(&b);
    is_of(&b, "row", "rows", 6, (size_t[]){0, 0, 1, 1, 2, 3, 4, 5}, "values of a row are one");
    b.protocol[0].record = true;
    is_of(&b, "record", "records", 1, (size_t[]){0, 0, 0, 0, 0, 0, 0, 0},
          "rows of a record are one");
    b.observation[6].data = b.observation[7].data = 1;
    b.protocol[1].record = true;
    is_of(&b, "record", "records", 2, (size_t[]){0, 0, 0, 0, 0, 0, 1, 1}, "two records");
    b.protocol[1].record = false;
    is_of(&b, "part", "parts", 3, (size_t[]){0, 0, 0, 0, 0, 0, 1, 2}, "a record, and rows");

    make(&b);
    b.protocol[0].record = true;
    b.segment[0] = (struct cf_segment){0, 3};
    b.segment[1] = (struct cf_segment){3, 3};
    b.data[0].segment = b.segment;
    b.data[0].nsegment = 2;
    is_of(&b, "segment", "segments", 2, (size_t[]){0, 0, 0, 0, 0, 1, 1, 1}, "segments of a record");
    b.protocol[0].cluster = TOSS;
    for (size_t i = 0; i < 6; i++)
        b.toss[0][i] = i < 4 ? 42 : 98;
    is_of(&b, "toss", "tosses", 2, (size_t[]){0, 0, 0, 0, 0, 0, 1, 1}, "tosses before segments");

    /* a group may come again, also in another data set; the last row has none */
    b.level = (struct cf_group_level){.name = (char[]){"day"}, .n = 3};
    b.spec.grouping = (struct cf_grouping){CF_GROUPS_STATED, 1, &b.level};
    memcpy(b.group[0], (uint32_t[]){2, 0, 2, 0, 1, 1}, 6 * sizeof **b.group);
    memcpy(b.group[1], (uint32_t[]){0, 0, 0, 0, 2, 0}, 6 * sizeof **b.group);
    for (int i = 0; i < 2; i++) {
        b.data[i].group = b.group[i];
        b.data[i].ngroup_level = 1;
    }
    b.observation[6].data = b.observation[7].data = 1;
    is_of(&b, "day", "days", 2, (size_t[]){0, 0, 1, 1, 0, 1, 0, 1}, "groups before all");
    b.level.name = (char[]){"assembly"};
    b.group[1][5] = CF_NO_GROUP;
    b.protocol[1].cluster = 0;
    is_of(&b, "part", "parts", 3, (size_t[]){0, 0, 1, 1, 0, 1, 0, 2}, "and a row beside them");
    b.group[1][5] = 1;
    is_of(&b, "assembly", "assemblies", 3, (size_t[]){0, 0, 1, 1, 0, 1, 0, 2}, "another group");
}

/* Errors 2 2 | 1 | 3 against 1 1 | 2 | 1 in units of 2, 1 and 1 values: S = 6, -3, 8; the mean
 * squares are 18/4 and 7/4; S scatters by
 * sqrt(34.333...), and of eight ways of signs, |sum| is at least 11 in four. */
static void test_pair(void)
{
    size_t of[] = {0, 0, 1, 2};
    struct cf_held_units units = {4, 3, of, (char[]){"toss"}, (char[]){"tosses"}};
    const double a[] = {2, -2, 1, 3}, b[] = {-1, 1, 2, -1}, none[4] = {0};
    struct cf_paired pair;
    char *said;

    ok(!cf_held_out_pair(&units, a, b, 1, &pair, NULL), "a pair");
    ok(fabs(pair.difference - 0.798444688027347) < 1e-14, "the difference of root mean squares");
    ok(fabs(pair.standard_error - 0.7366662326830394) < 1e-14, "its standard error");
    ok(pair.p == 0.5, "four of eight ways of signs");
    said = cf_held_out_chance(&units, &pair, 0.04, 1, ", so");
    is_str(said,
           "The difference, 0.80 +- 0.74 sigma over 3 tosses, is more than chance (p = 0.04 by "
           "random signs, so).",
           "more than chance");
    free(said);
    said = cf_held_out_chance(&units, &pair, 0.5, 1, "");
    ok(strstr(said, "may be chance, as they are so few (p = 0.5 by random signs)."),
       "three can never tell");
    free(said);
    units.n = 6; /* 2/64 */
    said = cf_held_out_chance(&units, &pair, 0.5, 1, "");
    ok(strstr(said, "over 6 tosses, is no more than chance (p"), "six can");
    free(said);
    said = cf_held_out_chance(&units, &pair, 0.5, 2, "");
    ok(strstr(said, "as they are so few"), "but not of two rivals");
    free(said);
    units.n = 3;
    ok(!cf_held_out_pair(&units, none, none, 1, &pair, NULL) && pair.difference == 0 &&
           pair.standard_error == 0 && pair.p == 1,
       "no errors at all");
    memset(of, 0, sizeof of);
    units.n = 1;
    ok(!cf_held_out_pair(&units, a, b, 1, &pair, NULL) && pair.difference > 0.79 &&
           isnan(pair.standard_error) && isnan(pair.p) && isnan(pair.p_adjusted),
       "of one unit only the difference");
    said = cf_held_out_chance(&units, &pair, pair.p, 1, "");
    is_str(said, "4 values of one toss cannot show whether the difference is chance.", "in words");
    free(said);
    units.nvalue = 1;
    said = cf_held_out_chance(&units, &pair, pair.p, 1, "");
    is_str(said, "1 value of one toss cannot show whether the difference is chance.", "of one");
    free(said);
}

TEST(held_units)
{
    plan(9 + 12);
    test_units();
    test_pair();
    return done();
}
