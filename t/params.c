/* Conversion of parameters: every alias, and every wrong parameter with its whole message. */

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "law/law.h"
#include "tap.h"

#define LENGTH(table) ((int) (sizeof table / sizeof table[0]))

enum { MAX_GIVEN = 7 };

static const double NONE = (double) NAN; /* no radius is known */

static size_t count(const struct cf_named given[])
{
    size_t n = 0;
    while (n < MAX_GIVEN && given[n].name)
        n++;
    return n;
}

/* Worked by hand: k = 4/3 * 3e9 * sqrt(0.01), lambda = 1.5 * 2e-6 * 1e8, ... */
static const struct {
    const char *law;
    struct cf_named given[MAX_GIVEN];
    double radius_m, p[2];
} good[] = {
    {"azad-featherstone", {{"k", 2.37e7}, {"lambda", 531}}, NONE, {2.37e7, 531}},
    {"azad-featherstone", {{"lambda", 531}, {"k", 2.37e7}}, NONE, {2.37e7, 531}},
    {"azad-featherstone", {{"effective_modulus", 3e9}, {"lambda", 5}}, 0.01, {4e8, 5}},
    {"azad-featherstone", {{"k", 1e8}, {"lambda_star", 1e5}}, 0.04, {1e8, 2e4}},
    {"azad-featherstone", {{"kk_time", 2e-6}, {"k", 1e8}}, NONE, {1e8, 300}},
    {"azad-featherstone", {{"kk_time", 2e-6}, {"effective_modulus", 3e9}}, 0.01, {4e8, 1200}},
    {"hunt-crossley", {{"k", 1e8}, {"hc_slope", 0.2}}, NONE, {1e8, 0.3}},
    {"hunt-crossley", {{"k", 1e8}, {"drake_dissipation", 0.3}}, NONE, {1e8, 0.3}},
    {"hunt-crossley", {{"k", 1e8}, {"lambda", 5e6}}, NONE, {1e8, 0.05}},
    {"tsuji", {{"effective_modulus", 3e9}, {"alpha", 0.2}}, 0.01, {4e8, 0.2}},
    {"lee-wang", {{"effective_modulus", 3e9}, {"lambda", 7e5}}, 0.01, {4e8, 7e5}},
    /* 200/0.01^1.5, 8/0.01^0.5 */
    {"power",
     {{"pivot_damping", 8}, {"pivot_force", 200}, {"pivot", 0.01}, {"n", 1.5}, {"p", 0.5}},
     NONE,
     {2e5, 80}},
    /* 4/3 * 91e9/(1 - 0.3^2) * 0.1 */
    {"hunt-crossley",
     {{"youngs_modulus_1", 91e9}, {"poissons_ratio_1", 0.3}, {"a", 0.1}},
     0.01,
     {4e10 / 3, 0.1}},
    /* a second body as stiff halves that; 1/R = 1/0.02 + 1/0.02 */
    {"hunt-crossley",
     {{"youngs_modulus_1", 91e9},
      {"poissons_ratio_1", 0.3},
      {"youngs_modulus_2", 91e9},
      {"poissons_ratio_2", 0.3},
      {"radius_1", 0.02},
      {"radius_2", 0.02},
      {"a", 0.1}},
     NONE,
     {2e10 / 3, 0.1}},
    /* a named radius goes before the bodies' */
    {"azad-featherstone",
     {{"effective_modulus", 3e9}, {"lambda", 5}, {"radius_1", 0.04}},
     0.01,
     {8e8, 5}},
    /* a ball in a hollow, 1/R = 1/0.008 - 1/0.04 = 1/0.01 */
    {"azad-featherstone",
     {{"effective_modulus", 3e9}, {"lambda", 5}, {"radius_1", 0.008}, {"radius_2", -0.04}},
     NONE,
     {4e8, 5}},
};

static void conversions(void)
{
    for (int i = 0; i < LENGTH(good); i++) {
        struct cf_error err = {""};
        double p[CF_MAX_PARAM];
        int status = cf_law_params(cf_law_find(good[i].law), good[i].given, count(good[i].given),
                                   good[i].radius_m, 0, p, &err);
        ok(status == CF_OK && fabs(p[0] / good[i].p[0] - 1) < 1e-14 &&
               fabs(p[1] / good[i].p[1] - 1) < 1e-14,
           "%s from %s and %s %s", good[i].law, good[i].given[0].name, good[i].given[1].name,
           err.text);
    }
}

/* Every alias of every law, to the parameter and back by its row. */
static void round_trips(void)
{
    const double k = 2.37e7, R = 0.0231, pivot = 1.7e-4;
    int wrong = 0, n = 0, pivoted = 0;

    for (const struct cf_law *const *law = cf_laws; *law; law++)
        for (size_t s = 0; s < (*law)->nalias; s++, n++) {
            const struct cf_alias *row = &(*law)->alias[s];
            const struct cf_param *exponent =
                row->pivot_by ? &(*law)->param[row->pivot_by - 1] : NULL;
            double p[CF_MAX_PARAM], want = (*law)->param[row->target].typical;
            double scale = row->factor * pow(R, row->radius_power) * pow(k, row->k_power);
            struct cf_named given[4];
            size_t length = 0;
            if (exponent) {
                scale /= pow(pivot, exponent->typical);
                given[length++] = (struct cf_named){exponent->name, exponent->typical};
                given[length++] = (struct cf_named){"pivot", pivot};
                pivoted++;
            }
            given[length++] = (struct cf_named){row->name, want / scale};
            if (cf_law_k(*law) < (*law)->nparam && row->target != cf_law_k(*law))
                given[length++] = (struct cf_named){"k", k};
            wrong += cf_law_params(*law, given, length, R, 1, p, NULL) != CF_OK ||
                     !(fabs(p[row->target] / want - 1) < 1e-14);
        }
    ok(wrong == 0 && n >= 15 && pivoted >= 2, "all %d aliases go there and back, %d at a pivot", n,
       pivoted);
}

static const struct {
    const char *law;
    struct cf_named given[MAX_GIVEN];
    double radius_m;
    int status;
    const char *text;
} bad[] = {
    {"hunt-crossley",
     {{"k", 1e8}},
     NONE,
     CF_EINPUT,
     "hunt-crossley needs a [s/m], damping factor, lambda/k: it is missing"},
    {"hunt-crossley",
     {{"k", 1e8}, {"drake_disipation", 0.1}},
     NONE,
     CF_EINPUT,
     "hunt-crossley has no parameter drake_disipation: did you mean drake_dissipation?"},
    {"tsuji",
     {{"xyzzyxyzzyxyzzy", 1}},
     NONE,
     CF_EINPUT,
     "tsuji has no parameter xyzzyxyzzyxyzzy: see contactfit models tsuji"},
    {"tsuji", {{"k", 1e8}, {"alpha", 0.1}, {"k", 2e8}}, NONE, CF_EINPUT, "k is given twice"},
    {"tsuji", {{"radius_1", 0.1}, {"radius_1", 0.1}}, NONE, CF_EINPUT, "radius_1 is given twice"},
    {"azad-featherstone",
     {{"lambda", 5}, {"k", 1e8}, {"kk_time", 1e-6}},
     NONE,
     CF_EINPUT,
     "lambda and kk_time both give lambda of azad-featherstone: give one of them"},
    {"azad-featherstone",
     {{"k", 1e8}, {"youngs_modulus_1", 1e9}, {"poissons_ratio_1", 0.3}, {"lambda", 5}},
     0.01,
     CF_EINPUT,
     "k and youngs_modulus_1 both give k of azad-featherstone: give one of them"},
    {"azad-featherstone",
     {{"kk_time", 1e-6}},
     NONE,
     CF_EINPUT,
     "azad-featherstone needs k [N/m^1.5], Hertz stiffness, (4/3) E* sqrt(R): it is missing"},
    {"power",
     {{"pivot_force", 200}, {"pivot", 0.01}, {"lambda", 5}, {"p", 0.5}},
     NONE,
     CF_EINPUT,
     "power needs n [1], exponent of the spring: it is missing"},
    {"power",
     {{"pivot_force", 200}, {"lambda", 5}, {"n", 1.5}, {"p", 0.5}},
     NONE,
     CF_EINPUT,
     "pivot_force needs the depth at which it is meant: pivot [m] is missing"},
    {"azad-featherstone",
     {{"k", 1e8}, {"lambda_star", 1e5}},
     NONE,
     CF_EINPUT,
     "lambda_star needs the radius of the bodies: radius_1 is missing"},
    {"azad-featherstone",
     {{"effective_modulus", 1e9}, {"lambda", 5}},
     (double) INFINITY,
     CF_EINPUT,
     "effective_modulus needs the radius of the bodies: radius_1 is missing"},
    {"azad-featherstone",
     {{"youngs_modulus_1", 1e9}, {"poissons_ratio_1", 0.3}, {"lambda", 5}},
     NONE,
     CF_EINPUT,
     "youngs_modulus_1 needs the radius of the bodies: radius_1 is missing"},
    {"azad-featherstone",
     {{"youngs_modulus_1", 1e9}, {"lambda", 5}},
     0.01,
     CF_EINPUT,
     "youngs_modulus_1 is given without poissons_ratio_1"},
    {"azad-featherstone",
     {{"youngs_modulus_1", 1e9}, {"poissons_ratio_1", 0.3}, {"poissons_ratio_2", 0.3}},
     0.01,
     CF_EINPUT,
     "poissons_ratio_2 is given without youngs_modulus_2"},
    {"azad-featherstone",
     {{"k", 1e8}, {"lambda", 5}, {"radius_2", 0.1}},
     0.01,
     CF_EINPUT,
     "radius_2 is given without radius_1"},
    {"azad-featherstone",
     {{"k", 1e8}, {"lambda", 5}, {"radius_1", 0.05}, {"radius_2", -0.04}},
     0.01,
     CF_ERANGE,
     "radius_1 = 0.05 m does not fit into the hollow of radius_2 = -0.04 m"},
    {"linear",
     {{"youngs_modulus_1", 1e9}, {"poissons_ratio_1", 0.3}, {"lambda", 5}},
     0.01,
     CF_EINPUT,
     "youngs_modulus_1 gives a Hertz stiffness, which linear does not have"},
    {"hunt-crossley",
     {{"k", 1e8}, {"a", -1}},
     NONE,
     CF_ERANGE,
     "a = -1 s/m: must be in [0, 10000]"},
    {"hunt-crossley",
     {{"k", 1e8}, {"hc_slope", -1}},
     NONE,
     CF_ERANGE,
     "hc_slope = -1 gives a = -1.5 s/m: must be in [0, 10000]"},
    {"hunt-crossley",
     {{"k", (double) NAN}, {"a", 1}},
     NONE,
     CF_ERANGE,
     "k is not a number: a value in [1, 1e+15] N/m^1.5 is wanted"},
    {"hunt-crossley",
     {{"poissons_ratio_1", 0.51}},
     NONE,
     CF_ERANGE,
     "poissons_ratio_1 = 0.51: must be in [-0.99, 0.5]"},
    {"hunt-crossley",
     {{"radius_1", 0}},
     NONE,
     CF_ERANGE,
     "radius_1 = 0 m: must be in [1e-09, 1e+06]"},
};

static void errors(void)
{
    for (int i = 0; i < LENGTH(bad); i++) {
        struct cf_error err = {"no message"};
        double p[CF_MAX_PARAM];
        int status = cf_law_params(cf_law_find(bad[i].law), bad[i].given, count(bad[i].given),
                                   bad[i].radius_m, 0, p, &err);
        is_str(err.text, bad[i].text, "message: %s", bad[i].text);
        ok(status == bad[i].status, "and its status");
    }
}

static void optional(void)
{
    struct cf_error err = {""};
    struct cf_named given[] = {{"a", 0.3}};
    double p[CF_MAX_PARAM];
    int status = cf_law_params(cf_law_find("hunt-crossley"), given, 1, NONE, 1, p, &err);

    ok(status == CF_OK && isnan(p[0]) && p[1] == 0.3, "what is optional stays NaN");
    given[0] = (struct cf_named){"lambda", 5e6};
    status = cf_law_params(cf_law_find("hunt-crossley"), given, 1, NONE, 1, p, &err);
    ok(status == CF_EINPUT, "but an alias that needs k must have it");
    is_str(err.text, "lambda needs k, which is missing", "and says so");
    given[0] = (struct cf_named){"pivot_force", 200};
    status = cf_law_params(cf_law_find("power"), given, 1, NONE, 1, p, &err);
    ok(status == CF_EINPUT, "one at a pivot must have the exponent");
    is_str(err.text, "pivot_force needs n, which is missing", "and says so");
}

static void laws(void)
{
    struct cf_error err = {""};
    const struct cf_law *law;
    char list[1024] = "";

    for (const struct cf_law *const *row = cf_laws; *row; row++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", (*row)->name);
    }
    ok(cf_law_get("tsuji", &law, &err) == CF_OK && strcmp(law->name, "tsuji") == 0,
       "a law by its name");
    ok(cf_law_get("hunt-crosley", &law, &err) == CF_EINPUT && !law, "a misspelt one is not found");
    is_str(err.text, "unknown law hunt-crosley: did you mean hunt-crossley?", "but guessed");
    cf_law_get("xyzzyxyzzyxyzzy", &law, &err);
    ok(strncmp(err.text, "unknown law xyzzyxyzzyxyzzy: must be one of ", 44) == 0 &&
           strcmp(err.text + 44, list) == 0,
       "a strange one gets the list: %s", err.text);
    ok(!cf_law_find("Tsuji"), "names are exact");
}

TEST(params)
{
    plan(LENGTH(good) + 1 + 2 * LENGTH(bad) + 5 + 5);
    conversions();
    round_trips();
    errors();
    optional();
    laws();
    return done();
}
