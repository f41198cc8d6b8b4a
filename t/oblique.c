/* Oblique impacts: closed forms by hand, one contact in its plane against the motion and against
 * plain Runge-Kutta steps (t/reference/make_oblique.py), every normal law with every friction, all
 * derivatives by differences, starts by hand; and which two laws make a contact law. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiment/oblique_planar.h"
#include "experiment/registry.h"
#include "tap.h"

#define DEG (3.14159265358979323846 / 180)

enum { NAPPARATUS = CF_OBLIQUE_NAPPARATUS };

/* A solid sphere of 5 mm and 0.25 g. */
static const struct cf_pair pair = {.mass_kg = 2.5e-4,
                                    .radius_m = 2.5e-3,
                                    .modulus_Pa = 6e10,
                                    .gravity_m_s2 = 9.81,
                                    .sphere = {{"ball", 2.5e-4, 2.5e-3}}};

static const struct cf_law *law_of(struct cf_contact_laws *made, const char *name)
{
    const struct cf_law *law = NULL;
    struct cf_error err = {""};

    if (cf_registry_contact_law(NULL, made, NULL, name, &law, &err))
        printf("# %s\n", err.text);
    return law;
}

/* One shot, without a file. */
static void shoot(struct cf_dataset *d, double speed, double angle, double spin)
{
    struct cf_error err;

    *d = (struct cf_dataset){.pair = pair};
    cf_dataset_alloc(d, cf_protocol_find("oblique"), 1, &err);
    cf_dataset_put(d, 0, CF_OBLIQUE_SPEED, speed, 0, &err);
    cf_dataset_put(d, 0, CF_OBLIQUE_ANGLE, angle, 0, &err);
    cf_dataset_put(d, 0, CF_OBLIQUE_SPIN, spin, 0, &err);
}

/* ---- rigid contacts by hand: sliding takes mu (1 + e) v_n, sticking 2/7 of the slip */

static const struct {
    const char *law;
    double speed, angle_deg, spin, p[3];
    const char *channel;
    double want;
} rigid[] = {
    /* v_n = 2, v_t = 2 sqrt(3), slides: 0.1 * 1.5 * 2 = 0.3 */
    {"e-constant + rigid-coulomb", 4, 60, 0, {0.5, 0.1}, "restitution", 0.5},
    {"e-constant + rigid-coulomb",
     4,
     60,
     0,
     {0.5, 0.1},
     "tangential_restitution",
     0.913397459621556},
    {"e-constant + rigid-coulomb", 4, 60, 0, {0.5, 0.1}, "impulse_ratio", 0.1},
    {"e-constant + rigid-coulomb", 4, 60, 0, {0.5, 0.1}, "rebound_spin", 300},
    {"e-constant + rigid-coulomb", 4, 60, 0, {0.5, 0.1}, "rebound_angle", 1.264684684812752},
    /* sticks: e_t = 5/7, R w' = v_t' */
    {"e-constant + rigid-coulomb", 4, 10, 0, {0.5, 0.1}, "tangential_restitution", 5.0 / 7},
    {"e-constant + rigid-coulomb", 7, 30, 0, {0.5, 0.9}, "rebound_spin", 2.5 / 2.5e-3},
    /* v_t = R w: it rolls before, and nothing rubs */
    {"e-constant + rigid-coulomb", 4, 30, 800, {0.5, 0.1}, "tangential_restitution", 1},
    /* the surface comes from behind: friction drives the ball on */
    {"e-constant + rigid-coulomb",
     4,
     60,
     4000,
     {0.5, 0.1},
     "tangential_restitution",
     1 + 0.3 / 3.464101615137755},
    {"e-constant + rigid-coulomb", 4, 60, 4000, {0.5, 0.1}, "impulse_ratio", -0.1},
    {"e-constant + rigid-coulomb", 4, 60, 4000, {0.5, 0.1}, "rebound_spin", 3700},
    /* springs back: (2/7)(1 + 0.75) of the slip */
    {"e-constant + walton", 4, 10, 0, {0.5, 0.5, 0.75}, "tangential_restitution", 0.5},
    {"e-constant + walton", 4, 60, 0, {0.5, 0.1, 0.75}, "impulse_ratio", 0.1},
    /* friction 0 */
    {"e-constant + walton", 4, 60, 0, {0.5, 0, 0.75}, "tangential_restitution", 1},
    /* a force law tells e alone: elastic, 0.1 * 2 * 2 */
    {"azad-featherstone + rigid-coulomb", 4, 60, 0, {1e9, 0, 0.1}, "rebound_spin", 400},
};
enum { NRIGID = sizeof rigid / sizeof rigid[0] };

static void test_rigid(struct cf_contact_laws *made, int i)
{
    const struct cf_law *law = law_of(made, rigid[i].law);
    size_t channel = cf_protocol_channel(cf_protocol_find("oblique"), rigid[i].channel);
    struct cf_curves *curves = cf_curves_alloc();
    struct cf_prediction at;
    struct cf_dataset d = {0};
    struct cf_error err = {""};

    shoot(&d, rigid[i].speed, rigid[i].angle_deg * DEG, rigid[i].spin);
    if (cf_predict_row(curves, law, rigid[i].p, &d, 0, 0, &at, &err))
        printf("# %s\n", err.text);
    is_near(at.value[channel], rigid[i].want, 1e-12, "%s of %s at %g deg, spin %g",
            rigid[i].channel, rigid[i].law, rigid[i].angle_deg, rigid[i].spin);
    cf_dataset_clear(&d);
    cf_curves_free(curves);
}

/* ---- derivatives */

static const struct {
    const char *law;
    double angle_deg, spin, p[8];
    double tolerance;
} smooth[] = {
    {"e-linear + rigid-coulomb", 50, 100, {0.9, 0.02, 0.1}, 1e-6},
    {"e-linear + rigid-coulomb", 8, -20, {0.9, 0.02, 0.3}, 1e-6},
    {"e-linear + rigid-coulomb", 40, 3000, {0.9, 0.02, 0.1}, 1e-6},
    {"azad-featherstone + walton", 50, 0, {4e9, 3e3, 0.1, 0.5}, 1e-6},
    {"azad-featherstone + walton", 8, 0, {4e9, 3e3, 0.2, 0.5}, 1e-6},
    {"azad-featherstone + clutch", 5, 50, {4e9, 3e3, 0.1, 4e9, 3e3, 0.01}, 1e-5},
    {"azad-featherstone + clutch", 20, 0, {4e9, 3e3, 0.1, 4e9, 3e3, 0}, 1e-5},
    {"azad-featherstone + clutch", 60, -300, {4e9, 3e3, 0.1, 4e9, 3e3, 0.01}, 1e-5},
    {"hunt-crossley + clutch", 15, 0, {4e9, 0.05, 0.1, 4e9, 3e3, 0}, 1e-5},
    {"linear + clutch-linear", 15, 0, {1e7, 3, 0.1, 1e7, 3, 0}, 1e-5},
    {"tsuji + clutch", 15, 10, {4e9, 0.9, 0.1, 4e9, 3e3, 0}, 1e-5},
    {"azad-featherstone + coulomb", 15, 0, {4e9, 3e3, 0.1, 0.02}, 1e-5},
    {"exponential + clutch-linear", 15, 10, {1e7, 1e-5, 0.05, 0.1, 1e7, 3, 0}, 1e-4},
};
enum { NSMOOTH = sizeof smooth / sizeof smooth[0] };

struct question {
    struct cf_curves *curves;
    struct cf_dataset d;
    const struct cf_law *law;
    double value[CF_MAX_PARAM + NAPPARATUS];
    size_t channel[6], nchannel;
};

static void ask(struct question *q, double y[], double by[], double by_imposed[])
{
    const size_t row = 0;
    size_t all[CF_MAX_PARAM + NAPPARATUS];
    struct cf_error err = {""};

    for (size_t i = 0; i < CF_MAX_PARAM + NAPPARATUS; i++)
        all[i] = i;
    const struct cf_request request = {.data = &q->d,
                                       .law = q->law,
                                       .value = q->value,
                                       .nrow = 1,
                                       .row = &row,
                                       .nchannel = q->nchannel,
                                       .channel = q->channel,
                                       .nby = by ? q->law->nparam + NAPPARATUS : 0,
                                       .by = all};
    struct cf_response response = {y, by, by_imposed};
    if (cf_protocol_predict(q->curves, &request, &response, &err))
        printf("# %s\n", err.text);
}

/* Greatest difference of derivatives by one number, in parts of the values. */
static double off_by(struct question *q, double *number, double step, const double by[],
                     size_t stride)
{
    double up[6], down[6], kept = *number, worst = 0;

    *number = kept + step;
    ask(q, up, NULL, NULL);
    *number = kept - step;
    ask(q, down, NULL, NULL);
    *number = kept;
    for (size_t c = 0; c < q->nchannel; c++) {
        double size = fmax(fabs(up[c]), fabs(down[c])), slope = (up[c] - down[c]) / (2 * step);
        if (!isnan(size) && size > 0)
            worst = fmax(worst, fabs(by[c * stride] - slope) * fmax(fabs(kept), 1e3 * step) / size);
    }
    return worst;
}

static void test_slopes(struct cf_contact_laws *made, int i)
{
    struct question q = {.curves = cf_curves_alloc(), .law = law_of(made, smooth[i].law)};
    double y[6], by[6 * (CF_MAX_PARAM + NAPPARATUS)], by_imposed[6], worst = 0, by_angle;
    size_t n = q.law->nparam + NAPPARATUS;
    size_t last =
        q.law->family == CF_FAMILY_NORMAL ? CF_OBLIQUE_DURATION : CF_OBLIQUE_IMPULSE_RATIO;
    struct cf_error err;

    /* speed and spin of the apparatus: no column has them */
    cf_dataset_alloc(&q.d, cf_protocol_find("oblique"), 1, &err);
    q.d.pair = pair;
    cf_dataset_put(&q.d, 0, CF_OBLIQUE_ANGLE, smooth[i].angle_deg * DEG, 0, &err);
    memcpy(q.value, smooth[i].p, q.law->nparam * sizeof *q.value);
    double *numbers = q.value + q.law->nparam;
    numbers[CF_OBLIQUE_APPARATUS_SPEED] = 3.9;
    numbers[CF_OBLIQUE_APPARATUS_SPIN] = smooth[i].spin;
    numbers[CF_OBLIQUE_OFFSET] = 0.01;
    numbers[CF_OBLIQUE_INERTIA] = 0.4;
    for (size_t c = CF_OBLIQUE_RESTITUTION; c <= last; c++)
        q.channel[q.nchannel++] = c;
    ask(&q, y, by, by_imposed);
    for (size_t k = 0; k < n; k++) {
        double size = q.value[k] != 0 ? fabs(q.value[k]) : k < q.law->nparam ? 0 : 1;
        if (size > 0)
            worst = fmax(worst, off_by(&q, &q.value[k], 1e-4 * size, &by[k], n));
    }
    ok(worst < smooth[i].tolerance, "%s at %g deg: slopes by all numbers (%.0e)", smooth[i].law,
       smooth[i].angle_deg, worst);
    by_angle = off_by(&q, &q.d.series[CF_OBLIQUE_ANGLE].value[0], 1e-5, by_imposed, 1);
    ok(by_angle < smooth[i].tolerance, "and by the angle (%.0e)", by_angle);
    cf_dataset_clear(&q.d);
    cf_curves_free(q.curves);
}

/* ---- one contact in its plane: against Runge-Kutta steps, and every pair of laws against the
 * motion */

/* t/reference/make_oblique.py: k, lambda, mu, k_t, d_t, c_v as below; 3.9 m/s; e, e_t, us. */
static const double steps[][4] = {
    {3, 0.811019245592, 0.781607659678, 12.3760677128},
    {12, 0.811693658009, 0.627145204347, 12.4291946662},
    {22, 0.813425836255, 0.618578171806, 12.5673981921},
    {35, 0.817385503041, 0.739914838836, 12.8931200046},
};
enum { NSTEPS = sizeof steps / sizeof steps[0] };

static void test_steps(struct cf_contact_laws *made, int i)
{
    const struct cf_law *law = law_of(made, "azad-featherstone + clutch");
    static const double p[] = {4e9, 3e3, 0.1, 4e9, 1.5e3, 0.02};
    const struct cf_oblique_slopes none = {0};
    double angle = steps[i][0] * DEG, v_t = 3.9 * sin(angle), v_n = 3.9 * cos(angle);
    struct cf_oblique_contact c = {.input = {v_n, v_t, 0.4}};
    struct cf_error err = {""};

    if (cf_oblique_planar(law, p, &pair, &none, &c, &err))
        printf("# %s\n", err.text);
    is_near(c.value[CF_OBLIQUE_OUT_NORMAL] / v_n, steps[i][1], 1e-8,
            "Runge-Kutta steps at %g deg: e", steps[i][0]);
    is_near(1 - c.value[CF_OBLIQUE_OUT_CHANGE] / v_t, steps[i][2], 1e-8, "e_t");
    is_near(1e6 * c.value[CF_OBLIQUE_OUT_DURATION], steps[i][3], 1e-7, "duration");
}

/* Parameters of a contact like that of a hard ball, by name. */
static double hard(const struct cf_param *param)
{
    static const struct {
        const char *name, *unit;
        double value;
    } known[] = {{"k", "N/m^1.5", 4e9},   {"lambda", "N s/m^1.5", 3e3},
                 {"k_t", "N/m^1.5", 4e9}, {"d_t", "N s/m^1.5", 3e3},
                 {"k", "N/m", 1e7},       {"lambda", "N s/m", 3},
                 {"k_t", "N/m", 1e7},     {"d_t", "N s/m", 3},
                 {"sigma_0", "1/m", 1e5}, {"sigma_1", "s/m", 0.05},
                 {"v_e", "m/s", 0.05},    {"v_s", "m/s", 0.1}};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, param->name) == 0 && strcmp(known[i].unit, param->unit) == 0)
            return known[i].value;
    return param->typical;
}

static void test_pairs(struct cf_contact_laws *made)
{
    const struct cf_oblique_slopes none = {0};
    struct cf_oblique_scene *scene = cf_oblique_scene_alloc();
    double worst = 0, apart = 0;
    size_t pairs = 0, failed = 0;
    const char *where = "";

    for (const struct cf_law *const *normal = cf_laws; *normal; normal++)
        for (const struct cf_friction_law *const *f = cf_friction_laws; *f; f++) {
            const struct cf_law *law;
            double p[CF_MAX_PARAM];
            struct cf_error err = {""};
            if ((*normal)->family != CF_FAMILY_NORMAL ||
                cf_contact_law(made, *normal, *f, &law, &err) || !cf_oblique_is_planar(law))
                continue;
            for (size_t i = 0; i < law->nparam; i++)
                p[i] = hard(&law->param[i]);
            for (int deg = 5; deg < 90; deg += 25) {
                struct cf_oblique_contact a = {
                    .input = {3 * cos(deg * DEG), 3 * sin(deg * DEG), 0.4}};
                struct cf_oblique_contact b = a;
                pairs++;
                if (cf_oblique_planar(law, p, &pair, &none, &a, &err) ||
                    cf_oblique_motion(scene, law, p, &pair, 1e-11, &none, &b, &err)) {
                    printf("# %d deg: %s\n", deg, err.text);
                    failed++;
                    continue;
                }
                for (size_t o = 0; o < CF_OBLIQUE_NOUTPUT; o++)
                    apart = fmax(apart, fabs(a.value[o] / b.value[o] - 1));
                if (apart > worst) {
                    worst = apart;
                    where = law->name;
                }
            }
        }
    ok(pairs > 300 && failed == 0, "%zu contacts of all normal laws with all frictions, %zu failed",
       pairs, failed);
    ok(worst < 1e-7, "in the plane as in the motion (%.0e, %s)", worst, where);
    cf_oblique_scene_free(scene);
}

/* Where it slides all through, every law of f = mu f_n has the same impulse. */
static void test_sliding(struct cf_contact_laws *made)
{
    static const char *const names[] = {"azad-featherstone + clutch", "linear + coulomb",
                                        "power + dahl", "azad-featherstone-two-body + clutch"};
    struct cf_curves *curves = cf_curves_alloc();

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct cf_law *law = law_of(made, names[i]);
        double p[CF_MAX_PARAM];
        struct cf_prediction at;
        struct cf_dataset d = {0};
        struct cf_error err = {""};
        for (size_t j = 0; j < law->nparam; j++)
            p[j] = strcmp(law->param[j].name, "mu") == 0        ? 0.05
                   : strcmp(law->param[j].name, "c_v") == 0     ? 0
                   : strcmp(law->param[j].name, "sigma_0") == 0 ? 1e9
                                                                : hard(&law->param[j]);
        shoot(&d, 3, 70 * DEG, 0);
        if (cf_predict_row(curves, law, p, &d, 0, 0, &at, &err))
            printf("# %s\n", err.text);
        is_near(at.value[CF_OBLIQUE_IMPULSE_RATIO], 0.05, i == 2 ? 1e-4 : 1e-8,
                "%s slides with its mu", names[i]);
        cf_dataset_clear(&d);
    }
    cf_curves_free(curves);
}

/* ---- by hand */

static void test_hand(struct cf_contact_laws *made, const char *channel, double tolerance)
{
    enum { N = 12 };

    const struct cf_law *law = law_of(made, "e-constant + walton");
    static const double p[] = {0.9, 0.12, 0.3};
    const struct cf_protocol *protocol = cf_protocol_find("oblique");
    struct cf_curves *curves = cf_curves_alloc();
    size_t c = cf_protocol_channel(protocol, channel);
    struct cf_hand start[CF_MOST_HAND];
    struct cf_prediction at;
    struct cf_dataset d = {0};
    struct cf_error err;

    cf_dataset_alloc(&d, protocol, N, &err);
    d.pair = pair;
    for (size_t i = 0; i < N; i++) {
        cf_dataset_put(&d, i, CF_OBLIQUE_SPEED, 4, 0, &err);
        cf_dataset_put(&d, i, CF_OBLIQUE_ANGLE, (double) (5 + 6 * i) * DEG, 0, &err);
        cf_predict_row(curves, law, p, &d, i, 0, &at, &err);
        cf_dataset_put(&d, i, c, at.value[c], 0, &err);
        if (i % 4 == 0)
            cf_dataset_put(&d, i, CF_OBLIQUE_RESTITUTION, 0.9, 0, &err);
    }
    ok(!protocol->hand(&d, law, start, &err), "%s starts by hand", channel);
    is_near(start[1].value, 0.12, tolerance, "mu");
    is_near(start[0].value, 0.9, tolerance, "e");
    is_near(start[2].value, 0.3, tolerance, "beta_0");
    cf_dataset_clear(&d);
    cf_curves_free(curves);
}

/* ---- contact laws */

static const struct {
    const char *name, *like, *is, *refused;
} named[] = {
    {"linear + clutch-linear", NULL, "linear + clutch-linear", NULL},
    {"linear+clutch-linear", NULL, "linear + clutch-linear", NULL},
    {"kuwabara-kono + clutch", NULL, "azad-featherstone + clutch", NULL},
    {"e-log", "e-constant + walton", "e-log + walton", NULL},
    {"rigid-coulomb", "e-constant + walton", "e-constant + rigid-coulomb", NULL},
    {"e-log", NULL, "e-log", NULL},
    {"e-log + clutch", NULL, NULL,
     "e-log has no force over time, which friction clutch needs: take a force law such as "
     "azad-featherstone, or friction rigid-coulomb or walton"},
    {"mu-coulomb + clutch", NULL, NULL,
     "mu-coulomb is a friction curve: friction clutch wants a law of the normal direction beside "
     "it, such as azad-featherstone"},
    {"linear + cluch", NULL, NULL, "unknown friction law cluch: did you mean clutch?"},
    {"linaer + clutch", NULL, NULL, "unknown law linaer: did you mean linear?"},
};
enum { NNAMED = sizeof named / sizeof named[0] };

static void test_name(struct cf_contact_laws *made, int i)
{
    const struct cf_law *law = NULL, *like = named[i].like ? law_of(made, named[i].like) : NULL;
    struct cf_error err = {""};
    int status = cf_registry_contact_law(NULL, made, like, named[i].name, &law, &err);

    if (named[i].refused)
        is_str(status ? err.text : "", named[i].refused, "%s is refused", named[i].name);
    else
        is_str(status ? err.text : law->name, named[i].is, "%s beside %s", named[i].name,
               named[i].like ? named[i].like : "nothing");
}

/* No two parts have a parameter of one name, and none is cut. */
static void test_all_names(struct cf_contact_laws *made)
{
    const char *friction[CF_MOST_FRICTIONS];
    size_t n = cf_contact_friction_names(friction), refused = 0, all = 0;

    for (const struct cf_law *const *normal = cf_laws; *normal; normal++)
        for (size_t i = 0; i < n; i++) {
            const struct cf_friction_law *f = cf_contact_friction_find(friction[i]);
            const struct cf_law *law;
            struct cf_error err = {""};
            if ((*normal)->curve || ((*normal)->family == CF_FAMILY_RESTITUTION && !f->impulse) ||
                ((*normal)->family == CF_FAMILY_FOUNDATION && !f->over_area))
                continue;
            all++;
            if (!cf_contact_law(made, *normal, f, &law, &err))
                continue;
            printf("# %s\n", err.text);
            refused++;
        }
    ok(all > 150 && refused == 0, "%zu contact laws, %zu refused", all, refused);
}

static void test_kappa(struct cf_contact_laws *made)
{
    const struct cf_law *law = law_of(made, "azad-featherstone + clutch");
    const struct cf_named given[] = {{"k", 4e9},     {"lambda", 1}, {"mu", 0.1},
                                     {"kappa", 0.5}, {"d_t", 1},    {"c_v", 0}};
    double p[CF_MAX_PARAM];
    struct cf_error err = {""};

    if (cf_law_params(law, given, 6, (double) NAN, 0, p, &err))
        printf("# %s\n", err.text);
    is_near(p[3], 3e9, 1e-14, "kappa of 1/2: k_t is 3/4 k");
    law = law_of(made, "linear + clutch");
    ok(!cf_law_alias(law, "kappa"), "a linear spring and one of the patch have no kappa");
}

TEST(oblique)
{
    struct cf_contact_laws made = {0};

    plan(NRIGID + 2 * NSMOOTH + 3 * NSTEPS + 2 + 4 + 12 + NNAMED + 1 + 2);
    for (int i = 0; i < NRIGID; i++)
        test_rigid(&made, i);
    for (int i = 0; i < NSMOOTH; i++)
        test_slopes(&made, i);
    for (int i = 0; i < NSTEPS; i++)
        test_steps(&made, i);
    test_pairs(&made);
    test_sliding(&made);
    test_hand(&made, "tangential_restitution", 1e-12);
    test_hand(&made, "rebound_spin", 1e-12);
    test_hand(&made, "rebound_angle", 1e-12);
    for (int i = 0; i < NNAMED; i++)
        test_name(&made, i);
    test_all_names(&made);
    test_kappa(&made);
    cf_contact_laws_clear(&made);
    return done();
}
