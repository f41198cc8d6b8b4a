/* Typesetting of numbers, units and formulas, and escaping. Expected texts were set by hand. */

#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/html.h"
#include "tap.h"

/* NAN is a float */
#define NONE ((double) NAN)
#define X "&#8239;&times;&#8239;10<sup>"
#define N(text) "<span class=\"n\">" text "</span>"
#define U(text) "&#8239;<span class=\"unit\">" text "</span>"

struct memory {
    char *text;
    size_t len;
    FILE *stream;
};

static FILE *begin(struct memory *memory)
{
    *memory = (struct memory){NULL, 0, NULL};
    memory->stream = open_memstream(&memory->text, &memory->len);
    if (!memory->stream)
        exit(99);
    return memory->stream;
}

static void is_written(struct memory *memory, const char *want)
{
    fclose(memory->stream);
    is_str(memory->text, want, "%s", want);
    free(memory->text);
}

/* a half-width with two digits, and the value to its last */
static const struct {
    double value, half;
    const char *unit, *want;
} uncertain[] = {
    {1.81794e8, 2.13e6, "N/m^1.5",
     N("(1.818&#8239;&plusmn;&#8239;0.021)" X "8</sup>" U("N/m<sup>1.5</sup>"))},
    {0.81234, 0.0111, "1", N("0.812&#8239;&plusmn;&#8239;0.011")},
    /* rounded up to the next decade */
    {0.5, 0.0996, "m", N("0.50&#8239;&plusmn;&#8239;0.10" U("m"))},
    {-12.54, 1.5, "s", N("&minus;12.5&#8239;&plusmn;&#8239;1.5" U("s"))},
    /* zeros would pretend to be digits */
    {9820, 113, "1", N("(9.82&#8239;&plusmn;&#8239;0.11)" X "3</sup>")},
    /* less certain than it is large */
    {2e-6, 3.1e-5, "m", N("(0.2&#8239;&plusmn;&#8239;3.1)" X "&minus;5</sup>" U("m"))},
    {812, 114, "s", N("810&#8239;&plusmn;&#8239;110" U("s"))},
    {5e8, 0, "Pa", N("5" X "8</sup>") U("Pa")},
    {0.25, NONE, "1", N("0.25")},
};
enum { NUNCERTAIN = sizeof uncertain / sizeof uncertain[0] };

static const struct {
    double value, low, high;
    const char *unit, *want;
} intervals[] = {
    {2.9134e7, 2.8411e7, 2.9907e7, "N/m^1.5",
     N("2.91 [2.84, 2.99]" X "7</sup>" U("N/m<sup>1.5</sup>"))},
    /* a half-width of 213: two digits of it */
    {9820.4, 9711, 10137, "1", N("9.82 [9.71, 10.14]" X "3</sup>")},
    {0.8123, 0.8012, 0.8234, "1", N("0.812 [0.801, 0.823]")},
    {0.1492, 0.1477, 0.1507, "s^0.2/m^0.2",
     N("0.1492 [0.1477, 0.1507]" U("s<sup>0.2</sup>/m<sup>0.2</sup>"))},
    {-3.02, -3.5, -2.5, "m", N("&minus;3.0 [&minus;3.5, &minus;2.5]" U("m"))},
    {3.602e-5, 3.564e-5, 3.64e-5, "s", N("3.60 [3.56, 3.64]" X "&minus;5</sup>" U("s"))},
    /* with many zeros behind the point, its power */
    {1.19989e-4, 1.19924e-4, 1.20054e-4, "m",
     N("1.1999 [1.1992, 1.2005]" X "&minus;4</sup>" U("m"))},
    {12.5, 11, 14, "N s/m", N("12.5 [11.0, 14.0]" U("N&#8239;s/m"))},
    /* open ends are words and not numbers */
    {5e8, 4e8, NONE, "Pa", N("5.0 [4.0, open]" X "8</sup>" U("Pa"))},
    {5e8, NONE, 6e8, "Pa", N("5.0 [open, 6.0]" X "8</sup>" U("Pa"))},
    {5e8, NONE, NONE, "Pa", N("5" X "8</sup>") U("Pa")},
    /* below 1000 zeros are rounded digits, but the first of the value */
    {43.99, NONE, 234.2, "N", N("40 [open, 230]" U("N"))},
    {-879.7, -4684, 120, "Pa", N("&minus;900 [&minus;4700, 100]" U("Pa"))},
    {1220, 430, 3300, "N", N("1.2 [0.4, 3.3]" X "3</sup>" U("N"))},
};
enum { NINTERVAL = sizeof intervals / sizeof intervals[0] };

static const struct {
    double value;
    int digits;
    const char *want;
} numbers[] = {
    {0, 3, N("0")},
    {0.00887, 3, N("0.00887")},
    {0.000887, 2, N("0.00089")},
    {8.8e-7, 3, N("8.8" X "&minus;7</sup>")},
    {123456, 3, N("1.23" X "5</sup>")},
    {-42.5, 3, N("&minus;42.5")},
    {9.9999, 3, N("10")},
    {99999.9, 3, N("1" X "5</sup>")},
    {1000, 3, N("1000")},
    {NONE, 3, "<span class=\"none\">&ndash;</span>"},
    {HUGE_VAL, 3, "<span class=\"none\">&ndash;</span>"},
};
enum { NNUMBER = sizeof numbers / sizeof numbers[0] };

static const struct {
    const char *formula, *want;
} formulas[] = {
    {"sigma_0", "<i>σ</i><sub>0</sub>"},
    {"tau_dw", "<i>τ</i><sub>dw</sub>"},
    {"k[gas at 20 mm/s] + mu", "<i>k</i>[gas at 20 mm/s] + <i>μ</i>"},
    {"k[a<b", "<i>k</i>[a&lt;b"},
    {"f = k z^1.5 + lambda z^0.5 zdot",
     "<i>f</i> = <i>k</i> <i>z</i><sup>1.5</sup> + <i>λ</i> <i>z</i><sup>0.5</sup> "
     "<i>ż</i>"},
    {"lambda/(k^0.6 m^0.4)", "<i>λ</i>/(<i>k</i><sup>0.6</sup> <i>m</i><sup>0.4</sup>)"},
    {"v_small", "<i>v</i><sub>small</sub>"},
    {"kk_time", "<i>A</i>"},
    {"kk_times peak_force", "kk times peak force"},
    {"(4/3) effective_modulus sqrt(R)", "(4/3) <i>E*</i> &radic;<i>R</i>"},
    {"-sqrt(4 R^2) sqrt(", "&minus;&radic;(4 <i>R</i><sup>2</sup>) &radic;("},
    {"ln(v/(1 m/s)) (1 - x) (1 c)",
     "ln(<i>v</i>/(1" U("m/s") ")) (1 &minus; <i>x</i>) (1 <i>c</i>)"},
    {"2 x' 'x", "2 <i>x</i>&prime; &#39;<i>x</i>"},
    {"kappa_a_b lambdas", "<i>κ</i><sub>a b</sub> lambdas"},
    {"lambda_star", "<i>λ*</i>"},
    {"half-sphere normal_N.bias", "half-sphere normal N.bias"},
    {"a-b", "<i>a</i>-<i>b</i>"},
    {"1-n", "1&minus;<i>n</i>"},
    {"C v^-q", "<i>C</i> <i>v</i><sup>&minus;q</sup>"},
    {"m^(3/2)", "<i>m</i><sup>3/2</sup>"},
    {"1 - d(e)", "1 &minus; <i>d</i>(<i>e</i>)"},
    {"x^", "<i>x</i><sup></sup>"},
    {"x^(", "<i>x</i><sup></sup>("},
    {"_", "_"},
    {"<b>^(<i>)_<", "&lt;<i>b</i>&gt;<sup>&lt;i&gt;</sup>_&lt;"},
};
enum { NFORMULA = sizeof formulas / sizeof formulas[0] };

static void test_base64(void)
{
    /* RFC 4648, section 10 */
    static const char *const vector[][2] = {{"", ""},
                                            {"f", "Zg=="},
                                            {"fo", "Zm8="},
                                            {"foo", "Zm9v"},
                                            {"foob", "Zm9vYg=="},
                                            {"fooba", "Zm9vYmE="},
                                            {"foobar", "Zm9vYmFy"}};
    struct memory m;

    for (size_t i = 0; i < sizeof vector / sizeof vector[0]; i++) {
        cf_html_base64(begin(&m), vector[i][0], strlen(vector[i][0]));
        is_written(&m, vector[i][1]);
    }
    cf_html_base64(begin(&m), "\xff\xfe\xfb", 3);
    is_written(&m, "//77");
}

TEST(html)
{
    struct memory m;

    plan(NUNCERTAIN + NINTERVAL + NNUMBER + NFORMULA + 8 + 5);
    for (size_t i = 0; i < NUNCERTAIN; i++) {
        cf_html_plus_minus(begin(&m), uncertain[i].value, uncertain[i].half, uncertain[i].unit);
        is_written(&m, uncertain[i].want);
    }
    for (size_t i = 0; i < NINTERVAL; i++) {
        cf_html_interval(begin(&m), intervals[i].value, intervals[i].low, intervals[i].high,
                         intervals[i].unit);
        is_written(&m, intervals[i].want);
    }
    for (size_t i = 0; i < NNUMBER; i++) {
        cf_html_number(begin(&m), numbers[i].value, numbers[i].digits);
        is_written(&m, numbers[i].want);
    }
    for (size_t i = 0; i < NFORMULA; i++) {
        cf_html_formula(begin(&m), formulas[i].formula);
        is_written(&m, formulas[i].want);
    }
    test_base64();
    cf_html_text(begin(&m), "<a href=\"x\" b='y'>&`\n\x1b[31m µ");
    is_written(&m, "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;&#96;  [31m µ");
    cf_html_fixed(begin(&m), -0.001, 2);
    is_written(&m, "0.00");
    cf_html_probability(begin(&m), 3e-17);
    is_written(&m, N("&lt;&#8239;10<sup>&minus;16</sup>"));
    cf_html_probability(begin(&m), 3.14e-7);
    is_written(&m, N("3.1" X "&minus;7</sup>"));
    cf_html_probability(begin(&m), 0.0284);
    is_written(&m, "<span class=\"n\">0.028</span>");
    return done();
}
