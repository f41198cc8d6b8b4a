/* A protocol and two laws that the program knows nothing of, defined here and nowhere else: a
 * spring on a balance, whose force is read at imposed extensions of either sign. Through a registry
 * they go the whole way of a study: check, fit, page, figures, predict, design, selftest, validate,
 * compare. The stiffness is held against the closed form of least squares. All data here are
 * synthetic. */

#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/commands.h"
#include "document/fit_file.h"
#include "document/view.h"
#include "experiment/registry.h"
#include "study/study.h"
#include "tap.h"

/* ---- two laws: a spring, and one that hardens */

enum { STIFFNESS, HARDENING };

static const struct cf_param params[] = {
    [STIFFNESS] = {"k", "N/m", 1e-3, 1e9, 1, 1e5, 100, CF_SCALE_LOG, "stiffness"},
    [HARDENING] = {"c", "N/m^3", -1e9, 1e9, -1e6, 1e6, 10, CF_SCALE_LINEAR, "hardening"},
};

static double cubic(const struct cf_law *law, const double p[])
{
    return law->nparam > HARDENING ? p[HARDENING] : 0;
}

static double spring_force(const struct cf_law *law, const double p[], const struct cf_contact *at)
{
    double z = at->depth_m;
    return z > 0 ? p[STIFFNESS] * z + cubic(law, p) * z * z * z : 0;
}

static void spring_slope(const struct cf_law *law, const double p[], const struct cf_contact *at,
                         struct cf_force_slope *out)
{
    double z = at->depth_m > 0 ? at->depth_m : 0;

    *out = (struct cf_force_slope){0};
    out->by_depth = p[STIFFNESS] + 3 * cubic(law, p) * z * z;
    out->by_param[STIFFNESS] = z;
    if (law->nparam > HARDENING)
        out->by_param[HARDENING] = z * z * z;
}

static double spring_energy(const struct cf_law *law, const double p[], const struct cf_contact *at)
{
    double z = at->depth_m > 0 ? at->depth_m : 0;
    return p[STIFFNESS] * z * z / 2 + cubic(law, p) * z * z * z * z / 4;
}

static const struct cf_law spring = {
    .name = "test-spring",
    .cite = "Hooke 1678",
    .what = "a force in proportion to the extension",
    .formula = "k z",
    .family = CF_FAMILY_NORMAL,
    .nparam = 1,
    .param = params,
    .force = spring_force,
    .slope = spring_slope,
    .energy = spring_energy,
};

static const struct cf_law hardening = {
    .name = "test-hardening",
    .cite = "Duffing 1918",
    .what = "a spring that grows stiffer",
    .formula = "k z + c z^3",
    .family = CF_FAMILY_NORMAL,
    .nparam = 2,
    .param = params,
    .force = spring_force,
    .slope = spring_slope,
    .energy = spring_energy,
};

/* ---- the protocol */

enum { EXTENSION, FORCE, NCHANNEL };
enum { ZERO, CUTOFF, NAPPARATUS };

static const struct cf_channel_row channel[NCHANNEL] = {
    [EXTENSION] = {"extension", "m", "how far the spring is drawn out", CF_ROLE_IMPOSED, -1, 1, 0,
                   NULL, "extension", "x", false},
    [FORCE] = {"force", "N", "reading of the balance", CF_ROLE_MEASURED, -1e4, 1e4,
               1u << CF_FAMILY_NORMAL, NULL, "force of the spring", "F", true},
};

static const struct cf_param apparatus[NAPPARATUS] = {
    [ZERO] = {"zero", "m", -1, 1, -0.1, 0.1, 0, CF_SCALE_LINEAR, "extension of the slack spring"},
    [CUTOFF] = {"cutoff", "Hz", 0, 1e6, 1, 1e3, 20, CF_SCALE_LOG,
                "at which extensions were smoothed"},
};

/* What smoothing at another cutoff than the usual one makes of the force: so much an octave. */
static const double octave = 3e-4;

static double smoothed(const struct cf_request *q)
{
    double cutoff = q->value[cf_apparatus_value(q->law, CUTOFF)];

    return 1 + octave * log2(cutoff / apparatus[CUTOFF].typical);
}

static size_t imposed(const struct cf_dataset *d, size_t row)
{
    (void) d;
    (void) row;
    return EXTENSION;
}

static double extension(const struct cf_dataset *d, size_t row)
{
    return cf_dataset_value(d, row, EXTENSION);
}

/* The law's force on either side of the slack spring. */
static int predict(void *work, const struct cf_request *q, struct cf_response *out,
                   struct cf_error *err)
{
    (void) work;
    (void) err;
    for (size_t i = 0; i < q->nrow; i++) {
        double x = extension(q->data, q->row[i]) - q->value[cf_apparatus_value(q->law, ZERO)];
        double sign = x < 0 ? -1 : 1, g = smoothed(q);
        struct cf_contact at = {.depth_m = fabs(x)};
        struct cf_force_slope slope;
        q->law->slope(q->law, q->value, &at, &slope);
        out->y[i] = g * sign * q->law->force(q->law, q->value, &at);
        if (out->by_imposed)
            out->by_imposed[i] = g * slope.by_depth;
        for (size_t k = 0; out->by_value && k < q->nby; k++)
            out->by_value[i * q->nby + k] =
                g * (q->by[k] < q->law->nparam ? sign * slope.by_param[q->by[k]] : -slope.by_depth);
    }
    return CF_OK;
}

static const struct cf_protocol spring_balance = {
    .name = "spring_balance",
    .what = "a spring on a balance: force against extension",
    .nchannel = NCHANNEL,
    .channel = channel,
    .axis = {"extension", "m", true, -1, 1, "extensions", "extension", "x", false},
    .axis_channel = EXTENSION,
    .headline = FORCE,
    .napparatus = NAPPARATUS,
    .apparatus = apparatus,
    .nsmoothing = 1,
    .smoothing = CUTOFF,
    .begin_with = "test-spring",
    .imposed = imposed,
    .abscissa = extension,
    .predict = predict,
};

static const struct cf_law *const laws[] = {&spring, &hardening, NULL};
static const struct cf_protocol *const protocols[] = {&spring_balance, NULL};
static const struct cf_registry registry = {laws, protocols};

/* ---- a run of it */

enum { ROWS = 41, HELD = 4 };
static const double true_k = 203, sigma = 0.02; /* N/m, N */

static char folder[] = "/tmp/spring_balance.XXXXXX";
static char said[1 << 20]; /* by the last command, both streams */

static const char *in_folder(const char *name, char path[256])
{
    snprintf(path, 256, "%s/%s", folder, name);
    return path;
}

static void spew(const char *name, const char *text)
{
    char path[256];
    FILE *out = fopen(in_folder(name, path), "wb");

    if (!out || fputs(text, out) == EOF || fclose(out))
        exit(99);
}

/* A file as text, "" where there is none; *text is the caller's to free(). */
static char *slurp(const char *name)
{
    char path[256], *text = calloc(1, sizeof said);
    FILE *in = fopen(in_folder(name, path), "rb");

    if (!text)
        exit(99);
    if (in) {
        text[fread(text, 1, sizeof said - 1, in)] = '\0';
        fclose(in);
    }
    return text;
}

/* -50 to 50 mm by 2.5 mm, and forces with an invented scatter of some sigma. The last extensions
 * are held out of the fit. */
static double place(size_t i)
{
    return -0.05 + 0.0025 * (double) i;
}

static double reading(size_t i, double scatter)
{
    double noise = sqrt(2) * sin(2.399963 * (double) ((i + 1) * (i + 2))); /* the golden angle */
    return round((true_k * place(i) + scatter * sigma * noise) * 1e4) / 1e4;
}

static void write_table(const char *name, double scatter)
{
    char text[4096];
    int used =
        snprintf(text, sizeof text, "# synthetic: see t/spring_balance.c\nextension_mm,force_N\n");

    for (size_t i = 0; i < ROWS; i++)
        used += snprintf(text + used, sizeof text - (size_t) used, "%.17g,%.17g\n", 1e3 * place(i),
                         reading(i, scatter));
    spew(name, text);
}

static void write_study(const char *name, const char *table, const char *more)
{
    char text[2048];

    snprintf(text, sizeof text,
             "contactfit: study/1\n"
             "title: A spring on a balance\n"
             "bodies:\n"
             "  weight: {sphere: {diameter: 20 mm}, mass: 100 g}\n"
             "  frame: {plane: {}, fixed: true}\n"
             "law: test-spring\n"
             "fit: {k: {}}\n"
             "rivals: [test-hardening]\n"
             "data:\n"
             "  - name: run\n"
             "    protocol: spring_balance\n"
             "    file: %s\n"
             "    columns: {extension: extension_mm, force: {from: force_N, sigma: %g N}}\n"
             "%s",
             table, sigma, more);
    spew(name, text);
}

/* Run a command with this registry; what it says goes to said[]. */
static int run(int argc, char *argv[])
{
    const char *nearest;
    const struct cf_command *command = cf_command_find(argv[1], &nearest);
    struct cf_error err = {""};
    struct cf_arguments args;
    char path[256];
    int status, keep[2] = {dup(1), dup(2)}, to;

    fflush(stdout);
    to = open(in_folder("said", path), O_RDWR | O_CREAT | O_TRUNC, 0600);
    dup2(to, 1);
    dup2(to, 2);
    status = cf_arguments_parse(command, &registry, argc, argv, &args, &err);
    args.text = stdout;
    if (!status)
        status = command->run(&args, &err);
    cf_arguments_clear(&args);
    fflush(stdout);
    dup2(keep[0], 1);
    dup2(keep[1], 2);
    close(keep[0]);
    close(keep[1]);
    close(to);
    char *text = slurp("said");
    snprintf(said, sizeof said, "%s%s\n", text, err.text);
    free(text);
    return status;
}

/* The command line of the words, each name that ends in a dot and letters being in the folder. */
static int contactfit(const char *line)
{
    static char text[1024], path[16][256];
    char *argv[16] = {(char *) "contactfit"}, *rest = NULL;
    int argc = 1;

    snprintf(text, sizeof text, "%s", line);
    for (char *word = strtok_r(text, " ", &rest); word && argc < 16;
         word = strtok_r(NULL, " ", &rest), argc++) {
        bool file = strchr(word, '.') && word[0] != '-' && strspn(word, "-0123456789.,:") == 0;
        argv[argc] = file ? (char *) in_folder(word, path[argc]) : word;
    }
    return run(argc, argv);
}

/* No word of another protocol; the unit of gravity on the page is its own, and the name of the
 * folder, which is random, may have any letters. */
static void is_clean(const char *text, const char *what)
{
    static const char *const words[] = {"speed", "Speed", "m/s", "restitution", "Restitution"};
    char *copy = strdup(text ? text : ""), *at;
    const char *found = NULL;

    if (!copy)
        exit(99);
    while ((at = strstr(copy, folder)))
        memset(at, ' ', strlen(folder));
    while ((at = strstr(copy, "m/s<sup>2")) || (at = strstr(copy, "gravity_m_s2")))
        memset(at, ' ', 9);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        found = found ? found : strstr(copy, words[i]);
    ok(text && *text && !found, "%s has no word of another protocol%s%.60s", what,
       found ? ": " : "", found ? found : "");
    free(copy);
}

static void has(const char *text, const char *what, const char *name)
{
    ok(strstr(text, what) != NULL, "%s: %s", name, what);
}

/* ---- the tests */

/* A protocol with a channel more than there is room for. */
static void too_wide(void)
{
    struct cf_channel_row many[CF_MAX_COLUMN + 1];
    struct cf_protocol wide = *protocols[0];
    const struct cf_protocol *const list[] = {&wide, NULL};
    const struct cf_registry other = {laws, list};
    struct cf_error err = {""};
    struct cf_dataset d = {0};
    char path[256];

    for (size_t i = 0; i <= CF_MAX_COLUMN; i++)
        many[i] = wide.channel[0];
    wide.channel = many;
    wide.nchannel = CF_MAX_COLUMN + 1;
    ok(!cf_study_read(in_folder("spring.yaml", path), &other, &err), "a protocol of 13 channels");
    has(err.text, "spring.yaml:11:15: ", "is refused where it is named");
    has(err.text, "protocol spring_balance has 13 channels: at most 12 have room",
        "with the limit");
    ok(cf_dataset_alloc(&d, &wide, 1, &err) == CF_ERANGE && !d.series, "and gets no data set");
    wide.nchannel = CF_MAX_COLUMN;
    ok(cf_dataset_check(&wide, NULL) == CF_OK, "one of 12 fits");
}

static void test_before(void)
{
    is_str(contactfit("check spring.yaml") == CF_OK ? "" : said, "", "check");
    has(said, "41 values, -0.05 to 0.05 m", "check");
    has(said, "yes, to about 0.12 %", "check");
    is_clean(said, "check");
    write_study("wrong.yaml", "spring.csv", "");
    char *text = slurp("wrong.yaml"), *at = strstr(text, "spring_balance");
    memcpy(at, "spring_balamce", 14);
    spew("wrong.yaml", text);
    free(text);
    ok(contactfit("check wrong.yaml") == CF_EINPUT, "a protocol that the registry has not");
    has(said, "unknown protocol spring_balamce: did you mean spring_balance?", "named nearly");
    write_study("wrong.yaml", "spring.csv\n    segments: {by: run}", "");
    ok(contactfit("check wrong.yaml") == CF_EINPUT, "a key of traces");
    has(said, "segments belongs to traces, and protocol spring_balance is a table", "by its name");
    too_wide();
    contactfit("init spring_balance spring.csv");
    has(said, "law: test-spring", "init");
    has(said, "fit: {k: {}}", "init");
    has(said, "rivals: [test-hardening]", "init");
    has(said, "extension: {from: extension_mm}", "init");
    is_clean(said, "init");
}

/* What moves at half and at double of the cutoff that the protocol names. */
static void test_smoothness(const json_t *fit, double k, double error)
{
    const json_t *smoothness = cf_view(fit, "smoothness"),
                 *cutoff = json_array_get(cf_view(smoothness, "cutoffs"), 0),
                 *p = json_array_get(cf_view(smoothness, "parameters"), 0);
    double half = k / (1 - octave), twice = k / (1 + octave);

    is_str(cf_view_text(cutoff, "name"), "cutoff", "the number of the apparatus that smooths");
    is_near(cf_view_number(cutoff, "value_Hz"), 20, 0, "as it is");
    is_near(cf_view_number(p, "at_half"), half, 1e-7 * k, "the stiffness at half of it");
    is_near(cf_view_number(p, "at_double"), twice, 1e-7 * k, "and at double");
    is_near(cf_view_number(p, "change_at_half"), (half - k) / error, 0.01 * (half - k) / error,
            "in its standard errors");
    ok(!json_object_get(p, "text"), "which is too little to be told");

    write_study("cutoff.yaml", "spring.csv", "    nuisance: {cutoff: {}}\n");
    contactfit("check cutoff.yaml");
    ok(strstr(said, "cutoff is stated or chosen, and never fitted") != NULL,
       "it is never fitted: %s", said);
}

/* Least squares of F = k x by hand: k = sum x F / sum x^2, its standard error sigma/sqrt(sum x^2).
 */
static void test_fit(void)
{
    double xx = 0, xy = 0, k, low, high;
    json_t *fit = NULL;
    char path[256];

    for (size_t i = 0; i < ROWS - HELD; i++) {
        xx += place(i) * place(i);
        xy += place(i) * reading(i, 1);
    }
    is_str(contactfit("fit spring.yaml -j 1") == CF_OK ? "" : said, "", "fit");
    is_clean(said, "what fit says");
    if (cf_fit_file_read(in_folder("spring.json", path), &fit, NULL))
        exit(99);
    const json_t *p = cf_view(fit, "parameters.k"), *data = json_array_get(cf_view(fit, "data"), 0);
    k = cf_view_number(p, "value");
    low = cf_view_number(cf_view(p, "interval"), "low");
    high = cf_view_number(cf_view(p, "interval"), "high");
    is_str(cf_view_text(cf_view(fit, "verdict"), "status"), "good", "the verdict");
    is_near(k, xy / xx, 1e-9, "the stiffness of least squares");
    ok(low < true_k && true_k < high, "the true one lies in its interval");
    is_near((high - low) / 2, 1.959963984540054 * sigma / sqrt(xx), 1e-6 * k, "its half width");
    is_near(cf_view_number(cf_view(data, "axis"), "low"), -0.05, 1e-12, "the axis has a sign");
    is_str(cf_view_text(cf_view(data, "axis"), "name"), "extension", "and a name");
    is_str(cf_view_text(cf_view(data, "axis"), "scale"), "linear", "and is linear");
    ok(cf_view_count(cf_view(fit, "held_out"), "n") == HELD, "rows held out are predicted");
    ok(json_array_size(cf_view(fit, "rivals")) == 2, "the rival is compared");
    is_near(cf_view_number(cf_view(data, "apparatus.zero"), "value"), 0, 0, "the apparatus");
    test_smoothness(fit, k, sigma / sqrt(xx));
    ok(!json_object_get(fit, "simulators"), "no impact is foreseen in simulators");
    json_decref(fit);
    char *text = slurp("spring.json");
    is_clean(text, "the fit file");
    free(text);
}

static void test_page(void)
{
    static const char *const figures[] = {"force", "residuals", "profiles", "starts"};
    char name[64];

    char *page = slurp("spring.html");
    has(page, "<figure id=\"force\">", "page");
    has(page, "Force of the spring against extension. Points are", "page");
    has(page, ">Extension</th>", "page");
    is_clean(page, "the page");
    ok(contactfit("report spring.json") == CF_OK, "report");
    char *again = slurp("spring.html");
    is_str(again, page, "the same page again, without the registry's help");
    free(again);
    free(page);
    ok(contactfit("plot spring.json --figure headline") == CF_OK, "plot, by the general name");
    ok(contactfit("plot spring.json --figure headline-log") == CF_EINPUT, "no logarithm here");
    ok(contactfit("plot spring.json") == CF_OK, "plot");
    is_clean(said, "plot");
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        snprintf(name, sizeof name, "spring-%s.svg", figures[i]);
        char *svg = slurp(name);
        is_clean(svg, name);
        if (i < 2)
            has(svg, "extension ", name);
        if (i == 0)
            has(svg, "force of the spring ", name);
        if (i < 2)
            has(svg, "/ mm", name);
        free(svg);
    }
}

static void test_predict(void)
{
    double x, y, low, high, k;
    json_t *fit = NULL;
    char path[256];

    if (cf_fit_file_read(in_folder("spring.json", path), &fit, NULL))
        exit(99);
    k = cf_view_number(cf_view(fit, "parameters.k"), "value");
    json_decref(fit);
    ok(contactfit("predict spring.json --at -20mm,0.01:0.03:3") == CF_OK, "predict --at");
    has(said, "extension_m,force_N,force_low_N,force_high_N\n", "predict");
    ok(sscanf(strchr(said, '\n') + 1, "%lf,%lf,%lf,%lf", &x, &y, &low, &high) == 4, "a row");
    is_near(x, -0.02, 1e-15, "the place");
    is_near(y, -0.02 * k, 1e-12, "the force there");
    ok(low < y && y < high, "with its band");
    char *third = strstr(said, "\n0.01,");
    third = third ? strchr(third + 1, '\n') : NULL;
    is_near(third ? atof(third + 1) : (double) NAN, 0.02, 1e-12, "a range is spaced evenly");
    is_clean(said, "predict");
    ok(contactfit("predict spring.json --extension 500mm") == CF_OK, "by the channel's own name");
    has(said,
        "0.5 m goes beyond the fitted extensions, -0.05 to 0.04 m, by more than 12.5 "
        "% of their span",
        "predict");
    is_clean(said, "predict, too far");
    ok(contactfit("predict spring.json --speed 1") == CF_EUSAGE, "and no other's");
    ok(contactfit("predict spring.json") == CF_EUSAGE, "nowhere");
    has(said, "--extension is missing: give 0.1,0.5,2 or FROM:TO:COUNT (evenly spaced)", "predict");
}

static void test_plans(void)
{
    ok(contactfit("design spring.yaml") == CF_OK, "design");
    has(said, "force at -0.0", "design");
    has(said, " (beyond the study's extensions)", "design");
    is_clean(said, "design");
    ok(contactfit("design spring.yaml --extension 30mm --json") == CF_OK, "design at a place");
    has(said, "\"extension_m\": 0.03", "design");
    ok(contactfit("design spring.yaml --at 3") == CF_EUSAGE, "beyond what the protocol takes");
    has(said, "--at: 3 m: must be from -1 to 1 m", "design");
    ok(contactfit("selftest spring.yaml -n 20 -j 1") == CF_OK, "selftest");
    has(said, "on this design the intervals hold", "selftest");
    is_clean(said, "selftest");
}

static void test_new_data(void)
{
    write_table("new.csv", -0.9);
    write_study("new.yaml", "new.csv", "");
    ok(contactfit("validate spring.json new.yaml") == CF_OK, "validate: new data agree");
    has(said, "trend with extension", "validate");
    is_clean(said, "validate");
    char *page = slurp("new-validate.html");
    has(page, "<h2>New force of the spring over the fit</h2>", "its page");
    is_clean(page, "the page of the validation");
    free(page);
    ok(contactfit("validate spring.json spring.yaml") == CF_OK, "validate: the same data");
    has(said, "values of run are among those that were fitted", "validate");
    write_table("bent.csv", -0.9);
    char *text = slurp("bent.csv"), *at = strstr(text, "\n50,");
    ok(at != NULL, "the last row");
    snprintf(at, 16, "\n50,11\n");
    spew("bent.csv", text);
    free(text);
    write_study("bent.yaml", "bent.csv", "");
    ok(contactfit("validate spring.json bent.yaml") == CF_EUNTRUSTED, "validate: others do not");
    has(said, "at 0.05 m: measured 11", "validate");
    ok(contactfit("compare spring.yaml -j 1") == CF_OK, "compare");
    is_clean(said, "compare");
    text = slurp("spring-compare.html");
    has(text, "test-hardening", "its page");
    is_clean(text, "the page of the comparison");
    free(text);
}

/* Files that this made. */
static void clean(void)
{
    char line[300];

    snprintf(line, sizeof line, "rm -r %s", folder);
    if (system(line))
        exit(99);
}

TEST(spring_balance)
{
    gsl_set_error_handler_off();
    if (!mkdtemp(folder))
        return 99;
    plan(90 + 7);
    write_table("spring.csv", 1);
    write_study("spring.yaml", "spring.csv",
                "hold-out:\n  - {data: run, where: \"extension > 41 mm\"}\n");
    test_before();
    test_fit();
    test_page();
    test_predict();
    test_plans();
    test_new_data();
    clean();
    return done();
}
