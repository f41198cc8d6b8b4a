/* The impact protocol against falls and rebounds in closed form, and its checks of rows. */

#include "experiment/protocol.h"

#include <gsl/gsl_errno.h>
#include <math.h>

#include "estimate/solve.h"
#include "lab.h"
#include "tap.h"

static const double g = 9.81;

/* A data set of one row: the columns by name, and their sigma. */
static void one_row(struct cf_dataset *d, size_t n, const char *const name[], const double value[],
                    const double sigma[])
{
    const struct cf_protocol *protocol = cf_protocol_find("impact");

    *d = (struct cf_dataset){.pair = lab_pair(0.05, 0.02)};
    cf_dataset_alloc(d, protocol, 1, NULL);
    for (size_t i = 0; i < n; i++) {
        size_t column = cf_protocol_channel(protocol, name[i]);
        lab_put(d, 0, column, value[i], sigma[i]);
    }
}

/* From 0.8 m at e = 0.5: 0.2 m back, at half the speed. */
static void heights(struct cf_curves *curves)
{
    static const char *const name[] = {"drop_height"};
    const struct cf_law *law = cf_law_find("e-constant");
    const struct cf_protocol *protocol = cf_protocol_find("impact");
    size_t h = cf_protocol_channel(protocol, "rebound_height"),
           u = cf_protocol_channel(protocol, "rebound_speed"),
           t = cf_protocol_channel(protocol, "duration");
    struct cf_prediction at;
    struct cf_dataset d;

    one_row(&d, 1, name, (double[]){0.8}, (double[]){0});
    ok(cf_predict_row(curves, law, (double[]){0.5}, &d, 0, 0, &at, NULL) == CF_OK,
       "an e-law predicts a drop");
    is_near(protocol->abscissa(&d, 0), 3.9618177646, 1e-10, "speed after 0.8 m");
    is_near(at.value[h], 0.2, 1e-14, "a quarter of the height");
    is_near(at.value[u], 1.9809088823, 1e-10, "half of the speed");
    is_near(at.by_imposed[h], 0.25, 1e-14, "dh1/dh0 = e^2");
    is_near(at.by_imposed[u], 0.5 * g / 3.9618177646, 1e-9, "du/dh0 = e g/v");
    is_near(at.by_param[h][0], 0.8, 1e-14, "dh1/de = 2 e h0");
    ok(!(at.known >> t & 1u), "and no contact time");
    cf_dataset_clear(&d);
}

/* The fast prediction and direct integration of every column. */
static void both_ways(struct cf_curves *curves)
{
    static const char *const name[] = {"speed"};
    const struct cf_law *law = cf_law_find("azad-featherstone");
    const struct cf_protocol *protocol = cf_protocol_find("impact");
    const double p[2] = {2e7, 3e3};
    struct cf_prediction fast, slow;
    struct cf_dataset d;

    one_row(&d, 1, name, (double[]){1.7}, (double[]){0});
    cf_predict_row(curves, law, p, &d, 0, 0, &fast, NULL);
    cf_predict_row(NULL, law, p, &d, 0, 1e-13, &slow, NULL);
    for (size_t i = 0; i < protocol->nchannel; i++)
        if (protocol->channel[i].role == CF_ROLE_MEASURED)
            is_near(fast.value[i] / slow.value[i], 1, 1e-11, "%s by curve and by integration",
                    protocol->channel[i].name);
    cf_dataset_clear(&d);
}

/* A speed's own error moves e by its slope: sqrt(0.01^2 + (0.1 * 0.2)^2). */
static void carried_over(struct cf_curves *curves)
{
    static const char *const name[] = {"speed", "restitution"}, *const free_names[] = {"slope",
                                                                                       NULL};
    struct cf_dataset d;
    struct cf_problem q;
    double theta = log(0.1), change;

    one_row(&d, 2, name, (double[]){2, 0.8}, (double[]){0.2, 0.01});
    d.series[cf_protocol_channel(d.protocol, "restitution")].kind = CF_SIGMA_GIVEN;
    struct cf_spec spec = lab_spec("e-linear", free_names, &d, 1);
    cf_problem_init(&q, &spec, spec.law, curves, CF_ROW_FIT, CF_SCOPE_ALL, NULL);
    cf_sigma_reset(&q);
    is_near(q.observation[0].sigma, 0.01, 1e-15, "the stated sigma first");
    cf_sigma_update(&q, &theta, &change, NULL);
    is_near(q.observation[0].sigma, 0.022360679774998, 1e-12, "then the speed's error on top");
    cf_problem_free(&q);
    cf_dataset_clear(&d);
}

static void rows(void)
{
    static const struct {
        const char *what;
        size_t n;
        const char *name[3];
        double value[3], sigma[3];
        const char *error, *note;
    } row[] = {
        {"one within 3 sigma",
         2,
         {"speed", "restitution"},
         {1, 1.02},
         {0, 0.01},
         "",
         "restitution 1.02 is above 1 but within 3 sigma (0.01): accepted"},
        {"one beyond 3 sigma",
         2,
         {"speed", "restitution"},
         {1, 1.04},
         {0, 0.01},
         "restitution 1.04: must be at most 1 + 3 sigma; an impact gives back no more than it got",
         ""},
        {"higher than it fell",
         2,
         {"drop_height", "rebound_height"},
         {0.5, 0.6},
         {0, 0},
         "rebound_height 0.6 m: must be at most 0.5 m + 3 sigma (and no sigma is given); an impact "
         "gives back no more than it got",
         ""},
        {"nothing imposed",
         1,
         {"restitution"},
         {0.5},
         {0.01},
         "neither speed nor drop_height: one of them is needed",
         ""},
        {"mm read as m",
         2,
         {"speed", "drop_height"},
         {3.13, 500},
         {0, 0},
         "speed 3.13 m/s against drop_height 500 m is implausible: a fall from there ends at 99 "
         "m/s, and 3.13 m/s takes 0.499 m; is one of them in another unit (mm, cm)?",
         ""},
        {"a fall with drag",
         3,
         {"speed", "drop_height", "restitution"},
         {2.9, 0.5, 0.8},
         {0, 0, 0},
         "",
         ""},
    };

    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct cf_dataset d;
        struct cf_error err = {""};
        char note[200];
        one_row(&d, row[i].n, row[i].name, row[i].value, row[i].sigma);
        int status = d.protocol->check_row(&d, 0, note, sizeof note, &err);
        ok((status != CF_OK) == (*row[i].error != '\0'), "%s: %s", row[i].what,
           *row[i].error ? "refused" : "accepted");
        is_str(err.text, row[i].error, "%s: the message", row[i].what);
        is_str(note, row[i].note, "%s: the note", row[i].what);
        cf_dataset_clear(&d);
    }
}

TEST(protocol)
{
    struct cf_curves *curves = cf_curves_alloc();

    gsl_set_error_handler_off();
    plan(8 + 6 + 2 + 18);
    heights(curves);
    both_ways(curves);
    carried_over(curves);
    rows();
    cf_curves_free(curves);
    return done();
}
