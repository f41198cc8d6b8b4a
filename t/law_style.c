/* Colours and dashes of laws, and colours of markers: their contrast by the formula of WCAG 2.1,
 * and that no two look alike. */

#include "report/law_style.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "law/friction.h"
#include "law/law.h"
#include "law/rigid_friction.h"
#include "report/line_style.h"
#include "report/set_style.h"
#include "tap.h"

/* The relative luminance of "#RRGGBB" (WCAG 2.1). */
static double luminance(const char *colour)
{
    static const double weight[] = {0.2126, 0.7152, 0.0722};
    double sum = 0;

    for (int i = 0; i < 3; i++) {
        const char digits[] = {colour[1 + 2 * i], colour[2 + 2 * i], '\0'};
        double part = (double) strtol(digits, NULL, 16) / 255;
        sum += weight[i] * (part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4));
    }
    return sum;
}

static double contrast(const char *a, const char *b)
{
    double x = luminance(a) + 0.05, y = luminance(b) + 0.05;
    return x > y ? x / y : y / x;
}

static const char white[] = "#FFFFFF", dark[] = "#222222";

static bool seen(const char *colour)
{
    return contrast(colour, white) >= 3 && contrast(colour, dark) >= 3;
}

static bool alike(struct cf_style a, struct cf_style b)
{
    return strcmp(a.colour, b.colour) == 0 &&
           strcmp(a.dash ? a.dash : "", b.dash ? b.dash : "") == 0;
}

/* What laws are told apart by: the name, for friction curves without the quantity. */
static const char *stem(const char *name)
{
    static const char *const quantity[] = {"mu-", "f-", "t-"};

    for (size_t i = 0; i < 3; i++)
        if (strncmp(name, quantity[i], strlen(quantity[i])) == 0)
            return name + strlen(quantity[i]);
    return name;
}

static void laws(void)
{
    enum { ROOM = 200 };
    const char *name[ROOM];
    size_t n = 0, unseen = 0, same = 0, differ = 0;

    for (const struct cf_law *const *law = cf_laws; *law && n < ROOM; law++)
        name[n++] = (*law)->name;
    for (const struct cf_friction_law *const *law = cf_friction_laws; *law && n < ROOM; law++)
        name[n++] = (*law)->name;
    for (const struct cf_friction_law *const *law = cf_rigid_friction_laws; *law && n < ROOM; law++)
        name[n++] = (*law)->name;
    ok(n > 50 && n < ROOM, "%zu laws", n);
    for (size_t i = 0; i < n; i++) {
        unseen += !seen(cf_law_style(name[i]).colour);
        for (size_t k = 0; k < i; k++) {
            bool one = strcmp(stem(name[i]), stem(name[k])) == 0;
            bool looks = alike(cf_law_style(name[i]), cf_law_style(name[k]));
            if (!one && looks)
                printf("# %s and %s look alike\n", name[i], name[k]);
            same += !one && looks;
            differ += one && !looks;
        }
    }
    ok(unseen == 0, "each with a contrast of 3 and more on white and on a dark page");
    ok(same == 0, "no two of them look alike");
    ok(differ == 0, "but a friction curve of mu, of a force and of a torque");
}

/* Of contacts that share a law none look alike. */
static void contacts(void)
{
    static const char *const normal[] = {"azad-featherstone", "hunt-crossley", "gonthier",
                                         "e-constant", "linear"};
    static const char *const friction[] = {"coulomb", "clutch",        "bristle", "rigid-coulomb",
                                           "walton",  "bristle-fixed", "lugre"};
    char a[80], b[80];
    size_t same = 0;

    for (size_t i = 0; i < 5; i++)
        for (size_t k = 0; k < 7; k++) {
            snprintf(a, sizeof a, "%s + %s", normal[i], friction[k]);
            for (size_t j = 0; j < k; j++) {
                snprintf(b, sizeof b, "%s + %s", normal[i], friction[j]);
                same += alike(cf_law_style(a), cf_law_style(b));
            }
            for (size_t j = 0; j < i; j++) {
                snprintf(b, sizeof b, "%s + %s", normal[j], friction[k]);
                same += alike(cf_law_style(a), cf_law_style(b));
            }
        }
    ok(same == 0, "contacts that share a law differ");
    ok(alike(cf_law_style("no such law"), cf_law_style("no such law")) &&
           seen(cf_law_style("no such law").colour),
       "an unknown law has a style that stays");
}

static void lines(void)
{
    size_t same = 0;

    for (size_t i = 0; i < CF_LINE_COLOURS; i++) {
        ok(seen(cf_line_colour(i)), "colour %zu: %.2f on white, %.2f on dark", i + 1,
           contrast(cf_line_colour(i), white), contrast(cf_line_colour(i), dark));
        for (size_t k = 0; k < i; k++)
            same += strcmp(cf_line_colour(i), cf_line_colour(k)) == 0;
    }
    ok(same == 0, "and all differ");
    is_near(contrast("#000000", white), 21, 1e-12, "the contrast of black on white");
    is_near(contrast("#777777", white), 4.48, 0.005, "and of a grey, as WCAG's tools have it");
}

/* Markers in print without colours: shape, or lightness of what has the same shape. */
static void markers(void)
{
    enum { SETS = 48, GREY_SETS = 12 };
    const double lighter = 0.15;
    size_t unseen = 0, same = 0;

    for (size_t i = 0; i < SETS; i++)
        for (int use = CF_POINT_FIT; use <= CF_POINT_HELD_OUT; use++) {
            const char *colour = cf_set_style(i, (enum cf_point_use) use, false).colour;
            unseen += strcmp(colour, CF_INK) != 0 && !seen(colour);
        }
    ok(unseen == 0, "markers of %d sets: 3 and more on white and dark, but for ink", SETS);
    for (size_t i = 0; i < GREY_SETS; i++)
        for (size_t k = 0; k < i; k++) {
            struct cf_style a = cf_set_style(i, CF_POINT_FIT, false),
                            b = cf_set_style(k, CF_POINT_FIT, false);
            same +=
                a.marker == b.marker && fabs(luminance(a.colour) - luminance(b.colour)) < lighter;
        }
    ok(same == 0, "%d sets are told apart without colours", GREY_SETS);
}

TEST(law_style)
{
    plan(4 + 2 + CF_LINE_COLOURS + 3 + 2);
    laws();
    contacts();
    lines();
    markers();
    return done();
}
