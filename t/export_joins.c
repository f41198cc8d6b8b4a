/* Values by body that a target joins to those of several pairs: chains and circles of pairs, the
 * smaller of two values, floors, and pairs that no values by body can give. Oracles are the rules
 * for two values, and by hand. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "export/join.h"
#include "tap.h"

#define NONE ((double) NAN)

enum { MOST = 4 };

static void near_rel(double got, double want, const char *what)
{
    is_near(got, want, 1e-12 * fabs(want), "%s", what);
}

struct scene {
    struct cf_target target;
    struct cf_join join[3];
    size_t n;
    struct cf_material material[MOST];
    struct cf_mapping m[MOST];
};

static void add(struct scene *s, const char *a, const char *b, double value_a, double value_b)
{
    struct cf_material *material = &s->material[s->n];
    const char *const name[] = {a, b};
    const double value[] = {value_a, value_b};

    cf_material_clear(material);
    material->law = cf_law_find("azad-featherstone");
    for (size_t i = 0; i < 2; i++)
        snprintf(material->body[i].name, sizeof material->body[i].name, "%s", name[i]);
    s->m[s->n] = (struct cf_mapping){.target = &s->target, .material = material};
    for (int i = 0; i < 2; i++)
        cf_mapping_add(&s->m[s->n], "v", "N/m", value[i], i ? CF_OF_BODY_2 : CF_OF_BODY_1, "");
    s->n++;
}

static struct scene scene_of(enum cf_joined how, double neutral, bool above_1)
{
    struct scene s = {.target = {.name = "some"}};
    s.join[0] = (struct cf_join){"v", .how = how, .neutral = neutral, .above_1 = above_1};
    return s;
}

static int solve(struct scene *s, struct cf_error *err)
{
    s->target.joins = s->join;
    for (size_t i = 0; i < s->n; i++)
        s->m[i].target = &s->target, s->m[i].material = &s->material[i];
    return cf_join_bodies(s->m, s->n, err);
}

static double of(const struct scene *s, size_t fit, int which)
{
    return cf_mapping_of(&s->m[fit], "v", which);
}

static void finish(struct scene *s)
{
    for (size_t i = 0; i < s->n; i++)
        cf_mapping_clear(&s->m[i]);
}

static void products(void)
{
    struct cf_error err = {""};
    struct scene s = scene_of(CF_JOINED_PRODUCT, 1, false);

    /* a chain a - b - c - d: b and c are shared */
    add(&s, "a", "b", 0.9, 1);
    add(&s, "b", "c", 0.75, 1);
    add(&s, "c", "d", 0.8, 1);
    ok(!solve(&s, &err), "a chain of factors: %s", err.text);
    near_rel(of(&s, 0, 0) * of(&s, 0, 1), 0.9, "first pair");
    near_rel(of(&s, 1, 0) * of(&s, 1, 1), 0.75, "second pair");
    near_rel(of(&s, 2, 0) * of(&s, 2, 1), 0.8, "third pair");
    for (size_t i = 0; i < 6; i++)
        ok(of(&s, i / 2, i % 2) <= 1, "no factor is above 1");
    ok(of(&s, 0, 1) == of(&s, 1, 0) && of(&s, 1, 1) == of(&s, 2, 0), "one value a body");
    finish(&s);

    /* b and c are at least 0.9 and 0.8, and so is their product 0.72 */
    s = scene_of(CF_JOINED_PRODUCT, 1, false);
    add(&s, "a", "b", 0.9, 1);
    add(&s, "b", "c", 0.7, 1);
    add(&s, "c", "d", 0.8, 1);
    ok(solve(&s, &err) == CF_EINPUT, "a chain that no factors give");
    finish(&s);

    /* a circle of three has one solution: a b = 0.72, b c = 0.4, a c = 0.45 */
    s = scene_of(CF_JOINED_PRODUCT, 1, false);
    add(&s, "a", "b", 0.72, 1);
    add(&s, "b", "c", 0.4, 1);
    add(&s, "c", "a", 0.45, 1);
    ok(!solve(&s, &err), "a circle of three: %s", err.text);
    near_rel(of(&s, 0, 0), 0.9, "a");
    near_rel(of(&s, 0, 1), 0.8, "b");
    near_rel(of(&s, 2, 0), 0.5, "c");
    finish(&s);

    /* b would have to be 1.6 */
    s = scene_of(CF_JOINED_PRODUCT, 1, false);
    add(&s, "a", "b", 0.8, 1);
    add(&s, "b", "c", 0.8, 1);
    add(&s, "c", "a", 0.25, 1);
    ok(solve(&s, &err) == CF_EINPUT, "factors above 1 cannot be written");
    ok(strstr(err.text,
              "some multiplies v of two bodies, and no values by body give each pair its "
              "own: a with b 0.8 N/m, b with c 0.8 N/m, c with a 0.25 N/m; export them apart") !=
           NULL,
       "and the pairs are named");
    finish(&s);
    s = scene_of(CF_JOINED_PRODUCT, 1, true);
    add(&s, "a", "b", 0.8, 1);
    add(&s, "b", "c", 0.8, 1);
    add(&s, "c", "a", 0.25, 1);
    ok(!solve(&s, &err), "unless they can be: %s", err.text);
    near_rel(of(&s, 0, 1), 1.6, "b");
    near_rel(of(&s, 0, 0), 0.5, "a");
    finish(&s);
}

static void series(void)
{
    struct cf_error err = {""};
    struct scene s = scene_of(CF_JOINED_SERIES, NONE, false);

    /* a circle of four must close: 1/v = a + b, b + c, c + d, d + a with 1, 2, 3, 4 */
    add(&s, "a", "b", 1 / 1.5, 1 / 1.5);
    add(&s, "b", "c", 1 / 2.5, 1 / 2.5);
    add(&s, "c", "d", 1 / 3.5, 1 / 3.5);
    add(&s, "d", "a", 1 / 2.5, 1 / 2.5);
    ok(!solve(&s, &err), "a circle of four that closes: %s", err.text);
    near_rel(1 / of(&s, 0, 0) + 1 / of(&s, 0, 1), 3, "a, b");
    near_rel(1 / of(&s, 1, 0) + 1 / of(&s, 1, 1), 5, "b, c");
    near_rel(1 / of(&s, 2, 0) + 1 / of(&s, 2, 1), 7, "c, d");
    near_rel(1 / of(&s, 3, 0) + 1 / of(&s, 3, 1), 5, "d, a");
    finish(&s);
    s = scene_of(CF_JOINED_SERIES, NONE, false);
    add(&s, "a", "b", 1 / 1.5, 1 / 1.5);
    add(&s, "b", "c", 1 / 2.5, 1 / 2.5);
    add(&s, "c", "d", 1 / 3.5, 1 / 3.5);
    add(&s, "d", "a", 1 / 2.6, 1 / 2.6);
    ok(solve(&s, &err) == CF_EINPUT, "one that does not is refused");
    finish(&s);

    /* two pairs of one body beside a pair of others, which stays as it was */
    s = scene_of(CF_JOINED_SERIES, 1e18, false);
    add(&s, "a", "p", 100, 1e18);
    add(&s, "b", "p", 1e18, 30);
    add(&s, "c", "d", 7, 8);
    ok(!solve(&s, &err), "a body that two share: %s", err.text);
    ok(of(&s, 0, 1) == 1e18 && of(&s, 1, 1) == 1e18, "is rigid");
    near_rel(of(&s, 0, 0), 100, "a");
    near_rel(of(&s, 1, 0), 30, "b");
    ok(of(&s, 2, 0) == 7 && of(&s, 2, 1) == 8, "others stay as they are");
    finish(&s);
}

static void smaller(void)
{
    struct cf_error err = {""};
    struct scene s = scene_of(CF_JOINED_SMALLER, NONE, false);

    add(&s, "a", "p", 0.3, 0.3);
    add(&s, "b", "p", 0.6, 0.6);
    add(&s, "a", "b", 0.3, 0.3);
    ok(!solve(&s, &err), "the smaller of two: %s", err.text);
    ok(of(&s, 0, 0) == 0.3 && of(&s, 0, 1) == 0.6 && of(&s, 1, 0) == 0.6, "0.3, 0.6, 0.6");
    finish(&s);
    s = scene_of(CF_JOINED_SMALLER, NONE, false);
    add(&s, "a", "p", 0.3, 0.3);
    add(&s, "b", "p", 0.6, 0.6);
    add(&s, "a", "b", 0.5, 0.5);
    ok(solve(&s, &err) == CF_EINPUT, "a cannot be 0.3 and 0.5");
    finish(&s);
}

/* Harmonic means, or means, of v over w in each body, of two pairs of one body p. */
static void floors(enum cf_joined how, const double v[2], const double w[2])
{
    bool mean = how == CF_JOINED_MEAN;
    struct cf_error err = {""};
    struct scene s = scene_of(how, NONE, false);

    const char *const name[] = {mean ? "w" : "v", mean ? "v" : "w"};
    s.join[0] = (struct cf_join){name[0], .how = how, .neutral = NONE};
    s.join[1] = (struct cf_join){name[1], .how = how, .neutral = NONE, .above = name[0]};
    add(&s, "a", "p", v[0], v[0]);
    add(&s, "b", "p", v[1], v[1]);
    for (size_t i = 0; i < 2; i++)
        for (int which = 0; which < 2; which++)
            cf_mapping_add(&s.m[i], "w", "1", w[i], which ? CF_OF_BODY_2 : CF_OF_BODY_1, "");
    ok(!solve(&s, &err), "two means: %s", err.text);
    for (size_t i = 0; i < 2; i++) {
        const double of_w[] = {cf_mapping_of(&s.m[i], "w", 0), cf_mapping_of(&s.m[i], "w", 1)};
        const double of_v[] = {of(&s, i, 0), of(&s, i, 1)};
        near_rel(mean ? (of_w[0] + of_w[1]) / 2 : 2 / (1 / of_w[0] + 1 / of_w[1]), w[i], "w");
        near_rel(mean ? (of_v[0] + of_v[1]) / 2 : 2 / (1 / of_v[0] + 1 / of_v[1]), v[i], "v");
        ok(of_v[0] >= of_w[0] * (1 - 1e-9) && of_v[1] >= of_w[1] * (1 - 1e-9), "not below w");
    }
    finish(&s);
}

TEST(export_joins)
{
    plan(77);
    products();
    series();
    smaller();
    floors(CF_JOINED_HARMONIC, (double[]){0.5, 0.4}, (double[]){0.4, 0.2});
    floors(CF_JOINED_HARMONIC, (double[]){0.2, 0.5}, (double[]){0.2, 0.25});
    floors(CF_JOINED_HARMONIC, (double[]){0.5, 0.5}, (double[]){0.45, 0.2});
    floors(CF_JOINED_MEAN, (double[]){0.5, 0.4}, (double[]){0.4, 0.2});
    floors(CF_JOINED_MEAN, (double[]){0.2, 0.5}, (double[]){0.2, 0.25});
    floors(CF_JOINED_MEAN, (double[]){0.5, 0.5}, (double[]){0.45, 0.2});
    return done();
}
