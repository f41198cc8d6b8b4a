/* A fit in a terminal: what is longer than a line is broken between words. Expected lines were set
 * by hand. */

#define _POSIX_C_SOURCE 200809L

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/wrap.h"
#include "report/summary.h"
#include "tap.h"

static const char fit[] =
    "{'verdict': {'status': 'misfit', 'summary': 'it is none'}, 'law': 'hertz',"
    "'study': {'options': {'level': 0.95}},"
    "'parameters': {"
    "'k': {'value': 2.52e8, 'unit': 'N/m^1.5', 'verdict': 'fine', 'verdict_text': 'fine, given e,"
    " v_small, mu_c, sigma_0_star, sigma_1_star, sigma_2_star, v_s and tau_dw exactly',"
    " 'interval': {'low': 2.42e8, 'high': 2.62e8}},"
    "'mu': {'value': 0.1704, 'unit': '1', 'verdict': 'fine', 'verdict_text': 'fine, given all of "
    "the"
    " numbers', 'interval': {'low': 0.1677, 'high': 0.1731}},"
    "'e': {'value': 0.85, 'unit': '1', 'verdict': 'held'}},"
    "'nuisances': [{'name': 'bodies.plane.height[pressed]', 'unit': 'm', 'value': 1.2e-4,"
    " 'prior': true, 'interval': {'low': 1.1e-4, 'high': 1.3e-4}}],"
    "'errors': {'shared': [{'channel': 'rebound_height', 'level': 'speed', 'identified': true,"
    " 'sigma': 0.00298, 'low': 0.000771, 'high': 0.0125, 'unit': 'm', 'groups': 4, 'rows': 40},"
    "{'channel': 'ratio', 'level': 'throw', 'identified': false, 'groups': 2, 'rows': 7}],"
    "'serial': [{'model': 'ar', 'order': 1, 'channel': 'spring_force', 'data': 'plate at 20 mm/s',"
    " 'correlation_rows': 3.82, 'rows': 1750, 'effective_rows': 229}]},"
    "'leave_one_out': {'rms_sigma': 1.02, 'n': 187}, 'outliers': [{'kind': 'outlier', 'text': 'a, "
    "line 2: e 0.5'}, {'kind': 'outlier', 'text':"
    " 'a, line 3: e 0.6'}, {'kind': 'influential', 'text': 'b, line 4: e 0.7'}, {'kind': 'outlier',"
    " 'text': 'b, line 5: e 0.8'}, {'kind': 'outlier', 'text': 'b, line 6: e 0.9'}],"
    "'rivals': [{'law': 'hertz', 'own': true, 'status': 'ok', 'delta_aicc': 0, 'weight': 1,"
    " 'rms_sigma': 0.5}, {'law': 'linear', 'status': 'failed', 'why': 'linear could not be "
    "evaluated"
    " at any of 2 starts, of which the first is at its own bound'}]}";

static const char want[] =
    "misfit: it is none\n"
    "\n"
    "  hertz, intervals at 95 %\n"
    "  k                            2.52e+08     [2.42e+08, 2.62e+08] N/m^1.5\n"
    "                               (fine, given e, v_small, mu_c, sigma_0_star,\n"
    "                               sigma_1_star, sigma_2_star, v_s and tau_dw\n"
    "                               exactly)\n"
    "  mu                           0.1704       [0.1677, 0.1731]\n"
    "                               (fine, given all of the numbers)\n"
    "  e                            0.85          (held)\n"
    "  bodies.plane.height[pressed] 0.00012      [0.00011, 0.00013] m\n"
    "                               (nuisance, with a prior)\n"
    "\n"
    "  tau of rebound_height, shared by the rows of one speed: 0.00298 [0.000771,\n"
    "    0.0125] m (4 groups, 40 rows)\n"
    "  tau of ratio, shared by the rows of one throw: not identified, taken as 0 (2\n"
    "    groups, 7 rows)\n"
    "\n"
    "  errors of spring_force of plate at 20 mm/s are correlated over 3.82 rows (ar,\n"
    "    order 1): 1750 rows are worth 229\n"
    "\n"
    "  leave-one-group-out error: 1.02 sigma rms over 187 measurements (about 1 is\n"
    "    good)\n"
    "  outlier: a, line 2: e 0.5\n"
    "  outlier: a, line 3: e 0.6\n"
    "  influential: b, line 4: e 0.7\n"
    "  outlier: b, line 5: e 0.8\n"
    "  and 1 more row, on the page\n"
    "\n"
    "  law                  delta AICc  weight  rms/sigma  loo/sigma\n"
    "* hertz                      0.00   1.000       0.50          -\n"
    "  linear               not compared: linear could not be evaluated at any of 2\n"
    "                       starts, of which the first is at its own bound\n";

/* JSON with its quotes as ', its lines and blanks before words as they are. */
static char *written(const char *json)
{
    const struct cf_wrap narrow = {.width = 80};
    char *text = strdup(json), *out = NULL, *whole = NULL;
    size_t size = 0, room = 0;
    FILE *stream = open_memstream(&whole, &room), *folded = open_memstream(&out, &size);
    json_t *j;

    if (!text || !stream || !folded)
        exit(99);
    for (char *c = text; *c; c++)
        *c = *c == '\'' ? '"' : *c;
    j = json_loads(text, 0, NULL);
    cf_summary_write(j, stream);
    fclose(stream);
    cf_wrap_write(whole, &narrow, folded);
    fclose(folded);
    free(whole);
    json_decref(j);
    free(text);
    return out;
}

TEST(summary)
{
    char *got, *rest = NULL;
    const char *expected = want;
    size_t longest = 0;

    plan(28 + 1);
    got = written(fit);
    for (char *line = strtok_r(got, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        size_t length;
        expected += strspn(expected, "\n");
        length = strcspn(expected, "\n");
        ok(strlen(line) == length && strncmp(line, expected, length) == 0, "%s", line);
        expected += length;
        longest = strlen(line) > longest ? strlen(line) : longest;
    }
    ok(longest <= 80 && strcmp(expected, "\n") == 0, "no line has more than 80 columns");
    free(got);
    return done();
}
