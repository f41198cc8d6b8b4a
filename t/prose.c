/* Sentences of the library on a page. Expected texts were set by hand. */

#define _POSIX_C_SOURCE 200809L
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "report/prose.h"
#include "tap.h"

#define X "&#8239;&times;&#8239;10<sup>"
#define LONG20 "k^2_k^2_k^2_k^2_k^2_"
#define LONG LONG20 LONG20 LONG20 LONG20 "k"
#define N(text) "<span class=\"n\">" text "</span>"
#define U(text) "&#8239;<span class=\"unit\">" text "</span>"

static const char fit_text[] =
    "{\"parameters\": {\"k\": {}, \"lambda\": {}, \"b\": {}, \"a\": {}, \"v_s\": {}, \"stroke\": "
    "{}}, \"data\": [{\"name\": \"drops\", \"channels\": ["
    "{\"name\": \"peak_force\", \"label\": \"greatest force\"},"
    "{\"name\": \"ball-lid_z_m\", \"label\": \"position of ball along z\"}]}]}";

static const struct {
    const char *plain, *html;
} sentences[] = {
    /* minus signs, and hyphens where they are none */
    {"it falls (rank correlation -0.41)", "it falls (rank correlation &minus;0.41)"},
    {"from -0.3 to 0.5, by -2.", "from &minus;0.3 to 0.5, by &minus;2."},
    {"power -0.00 of it", "power 0.00 of it"},
    {"re-run lines 3-5 of 2010-01-02", "re-run lines 3-5 of 2010-01-02"},
    {"try --law e-power -o DIR", "try --law e-power -o DIR"},
    {"good - or bad", "good &ndash; or bad"},
    /* powers of ten have the digits they had */
    {"rms 1.25e-07 of 3e+06", "rms " N("1.25" X "&minus;7</sup>") " of " N("3" X "6</sup>")},
    {"-2e-05 m/s off", N("&minus;2" X "&minus;5</sup>") U("m/s") " off"},
    {"0x1e-5 nan inf 1e 2e+", "0x1e-5 nan inf 1e 2e+"},
    /* units, which are no symbols */
    {"0.1 to 234 N s/m^1.5, at 5 kg", "0.1 to 234" U("N&#8239;s/m<sup>1.5</sup>") ", at 5" U("kg")},
    {"k in [N/m^1.5] and [1]",
     "<i>k</i> in [<span class=\"unit\">N/m<sup>1.5</sup></span>] and [1]"},
    {"of 12 rows", "of 12 rows"},
    /* symbols */
    {"b is 4, a is 5 of a kind", "<i>b</i> is 4, a is 5 of a kind"},
    {"x = 3, a < 4 and m <= 5", "<i>x</i> = 3, <i>a</i> &lt; 4 and <i>m</i> &le; 5"},
    {"lambda, k and v_s exactly", "<i>λ</i>, <i>k</i> and <i>v</i><sub>s</sub> exactly"},
    {"v_s: half of it", "<i>v</i><sub>s</sub>: half of it"},
    {"stroke of the stroke_s", "stroke of the stroke s"},
    {"b[gas at 5 mm/s] and c_t", "<i>b</i>[gas at 5" U("mm/s") "] and <i>c</i><sub>t</sub>"},
    {"6.5 sigma, in sigmas", "6.5 <i>σ</i>, in <i>σ</i>"},
    {"(chi^2 39.25)", "(<i>χ</i><sup>2</sup> 39.25)"},
    {"e at 2 m/s", "<i>e</i> at 2" U("m/s")},
    {"E*: k = (4/3) E* sqrt(R)", "<i>E</i>*: <i>k</i> = (4/3) <i>E</i>* &radic;<i>R</i>"},
    {"1.5 kk_time k (lambda_star)", "1.5 <i>A</i> <i>k</i> (<i>λ*</i>)"},
    {"only lambda/(k^0.6 m^0.4), so",
     "only <i>λ</i>/(<i>k</i><sup>0.6</sup> <i>m</i><sup>0.4</sup>), so"},
    {"share, t_s/t_c - 1 of it",
     "share, <i>t</i><sub>s</sub>/<i>t</i><sub>c</sub> &minus; 1 of it"},
    {"data/t_c.csv and a/b_c", "data/t_c.csv and a/b_c"},
    /* relations */
    {">= 3 and +- 0.4 -> 5", "&ge; 3 and &plusmn; 0.4 &rarr; 5"},
    /* probabilities */
    {"(p = 0.0025)", "(<i>p</i> = 0.0025)"},
    {"(p = 2e-07): so", "(<i>p</i> = " N("2" X "&minus;7</sup>") "): so"},
    {"(p < 1e-300)", "(<i>p</i> " N("&lt;&#8239;10<sup>&minus;16</sup>") ")"},
    {"p = 3e-17, t = 3e-17",
     "<i>p</i> " N("&lt;&#8239;10<sup>&minus;16</sup>") ", <i>t</i> = " N("3" X "&minus;17</sup>")},
    {"p > 1e-20", "<i>p</i> &gt; " N("1" X "&minus;20</sup>")},
    /* channels */
    {"peak_force of drops: ball-lid_z_m", "greatest force of drops: position of ball along z"},
    /* what is for a study */
    {"(fit: {lambda: {per: data_set}}) -1", "(fit: {lambda: {per: data_set}}) &minus;1"},
    {"sigma: estimate, hold_out: 3", "sigma: estimate, hold_out: 3"},
    {"say \"lambda_star -1\" [\"-2\"]", "say &quot;lambda_star -1&quot; [&quot;-2&quot;]"},
    {"an open \" and {lambda {b} -1", "an open &quot; and {lambda {b} -1"},
    /* markup */
    {"<b> & 1<2", "&lt;b&gt; &amp; 1&lt;2"},
    /* a word too long to be one thing is text, wherever it ends */
    {LONG " k^2", LONG " <i>k</i><sup>2</sup>"},
    {"", ""},
    {"( [ ,", "( [ ,"},
};
enum { NSENTENCE = sizeof sentences / sizeof sentences[0] };

static void is_set(const json_t *fit, const char *plain, size_t n, const char *html)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (!out)
        exit(99);
    if (n)
        cf_prose_part(fit, plain, n, out);
    else
        cf_prose(fit, plain, out);
    fclose(out);
    is_str(text, html, "%s", plain);
    free(text);
}

TEST(prose)
{
    json_error_t err;
    json_t *fit = json_loads(fit_text, 0, &err);

    plan(NSENTENCE + 4);
    for (size_t i = 0; i < NSENTENCE; i++)
        is_set(fit, sentences[i].plain, 0, sentences[i].html);
    is_set(NULL, "b is lambda, peak_force -1", 0, "b is <i>λ</i>, peak force &minus;1");
    is_set(fit, "lambda, given k", 6, "<i>λ</i>");
    is_set(fit, "at -0.5 it", 7, "at &minus;0.5");
    is_set(fit, "say {k -1}", 8, "say {k -");
    json_decref(fit);
    return done();
}
