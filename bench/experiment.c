/* Experiments whose truth is known, made without contactfit: laws, their integration, rigs and
 * noise are written here once more, so that a fault of the program is not also one of its data.
 *
 * experiment FOLDER SEED KEY=VALUE...: write a study and its table, which are synthetic, into the
 * folder, and print the true values of what is fitted, "NAME VALUE" a line, in SI.
 *
 * Keys of the truth:
 *   experiment=impact|bounce|film|slide|slide_rotary|pulse|indent
 *   truth=LAW and its parameters by name: those of contactfit, zener (a Hertz spring beside one of
 *       so many times its stiffness, soft, that relaxes in tau_s), yielding (azad-featherstone,
 *       whose e falls with v^-1/4 above v_y). A curve of friction without mu-, f- or t- is one of
 *       a coefficient where there is a load, else of a force.
 * of the rig:
 *   rows= from= to= [m/s]; sets=, of so many rows each; repeats= at each place; days= among which
 *       the rows are dealt; throws= bounces= v0= [m/s] fps= contact= [m]; load= loads=N,N,... [N];
 *       dt= [s]; depth= [m] rate= [m/s] touch= [m] before= (of depth); mass= [kg] radius= [m];
 *       directions=both|one; lever= [m], with speeds [rad/s]
 *   speed_error= of what is imposed, relative
 * of the noise:
 *   measure=NAME:RELATIVE,... its standard deviation in parts of the mean reading; scatter= of e
 *       from impact to impact, shift= of e from throw to throw, jitter= of a stamp [s], noise= of a
 *       position [m]; tau= of a day, in sigmas
 *   digits= significant ones of what is measured
 * of faults:
 *   apart= the second set's dissipation is so many times more; spread= standard deviation of ln of
 *       it from set to set; gain= of all that is measured; offset= [N], power= of the load, drift=
 *       of friction over the session, clip= in parts of the largest force, serial= correlation from
 *       row to row, contact_error= [m]
 * of the study:
 *   differs=NAME: each set is a specimen with that parameter of its own
 *   fit=LAW (default: truth) rivals=LAW,... group=yes stated=yes (the sigmas of what is measured)
 *       speed_sigma= (a share that the study states) prior=NAME:RELATIVE (drawn about the truth)
 *       fixed=NAME,... (at their true values) nuisance=NAME,... (of the data set)
 */

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiment_laws.h"

enum { MOST = 4096, CHANNELS = 4, NAME = 40, PATH = 500 };
static const double pi = 3.14159265358979323846, g_m_s2 = 9.80665;

static void fail(const char *format, const char *what)
{
    fputs("experiment: ", stderr);
    fprintf(stderr, format, what);
    fputc('\n', stderr);
    exit(2);
}

/* ---- keys and chance */

struct world {
    char **key; /* "KEY=VALUE" */
    int nkey;
    bool *used;
    uint64_t state; /* of chance */
    FILE *study, *table;
};

static const char *text(struct world *w, const char *key, const char *otherwise)
{
    size_t len = strlen(key);

    for (int i = 0; i < w->nkey; i++)
        if (strncmp(w->key[i], key, len) == 0 && w->key[i][len] == '=') {
            w->used[i] = true;
            return w->key[i] + len + 1;
        }
    return otherwise;
}

static double number(struct world *w, const char *key, double otherwise)
{
    const char *given = text(w, key, NULL);
    char *end;

    if (!given)
        return otherwise;
    double value = strtod(given, &end);
    if (*end || end == given)
        fail("%s: a number is wanted", key);
    return value;
}

static size_t count(struct world *w, const char *key, size_t otherwise)
{
    return (size_t) number(w, key, (double) otherwise);
}

/* splitmix64, Steele, Lea & Flood 2014; in (0, 1) */
static double uniform(struct world *w)
{
    uint64_t z = (w->state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return ((double) ((z ^ (z >> 31)) >> 11) + 0.5) / 9007199254740992.0;
}

/* Box & Muller 1958 */
static double normal(struct world *w)
{
    double r = sqrt(-2 * log(uniform(w)));
    return r * cos(2 * pi * uniform(w));
}

/* ---- the truth */

/* By its name, or that of a curve of friction without what it acts as. */
static const struct truth *truth_of(struct world *w, const char *named)
{
    char name[NAME], all[MOST];
    bool loaded = number(w, "load", 0) > 0 || text(w, "loads", NULL);
    const struct truth *law = find_truth(named);

    if (law)
        return law;
    snprintf(name, sizeof name, "%s-%s", loaded ? "mu" : "f", named);
    law = find_truth(name);
    if (!law) {
        list_truths(all, sizeof all);
        fprintf(stderr, "experiment: the laws are%s\n", all);
        fail("%s: no such law", named);
    }
    return law;
}

/* The law and its parameters, of which what damps is so many times `more`. */
static const struct truth *read_truth(struct world *w, double more, double p[MOST_PARAMETERS])
{
    const struct truth *law = truth_of(w, text(w, "truth", ""));

    for (size_t i = 0; law->parameter[i]; i++) {
        p[i] = number(w, law->parameter[i], NAN);
        if (isnan(p[i]))
            fail("%s=: the truth needs a number", law->parameter[i]);
        p[i] *= law->loss && i == law->loss ? more : 1;
    }
    return law;
}

static void collide(struct world *w, double v, double more, struct impact *out)
{
    double p[MOST_PARAMETERS], v_y = number(w, "v_y", INFINITY);
    const struct truth *law = read_truth(w, more, p);

    if (law->curve)
        fail("%s makes no impact", law->name);
    if (law->restitution) {
        out->duration_s = out->depth_m = out->peak_N = NAN;
        out->e = 1 - (1 - law->restitution(p, v)) * more;
    } else {
        integrate(law, p, number(w, "mass", 0.057), v, out);
        out->e *= v > v_y ? pow(v_y / v, 0.25) : 1;
    }
}

/* ---- the study */

static void put(struct world *w, const char *format, ...)
{
    va_list more;
    va_start(more, format);
    vfprintf(w->study, format, more);
    va_end(more);
}

static FILE *open_file(const char *folder, const char *name)
{
    char path[PATH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    if (!file)
        fail("%s cannot be written", path);
    return file;
}

/* The true values of what is fitted, as far as the truth has them. */
static void print_truth(struct world *w, const struct truth *law)
{
    for (size_t i = 0; law->parameter[i]; i++)
        if (text(w, law->parameter[i], NULL))
            printf("%s %.17g\n", law->parameter[i], number(w, law->parameter[i], 0));
}

/* The next name of a list with commas, and how long it is; NULL: there is no more. */
static const char *next_name(const char **list, int *length)
{
    const char *name = *list;

    if (!name || !*name)
        return NULL;
    *length = (int) strcspn(name, ",");
    *list = name + *length + (name[*length] == ',');
    return name;
}

static void put_prior(struct world *w, const struct truth *law, const char *prior)
{
    char name[NAME];
    double relative;

    if (sscanf(prior, "%39[^:]:%lf", name, &relative) != 2)
        fail("prior=%s: NAME:RELATIVE is wanted", prior);
    double value = number(w, name, 0);
    put(w, "fit:\n");
    for (size_t i = 0; law->parameter[i]; i++)
        if (strcmp(law->parameter[i], name) == 0)
            put(w, "  %s: {prior: {value: %.17g, sigma: %.17g}}\n", name,
                value * (1 + relative * normal(w)), fabs(value * relative));
        else
            put(w, "  %s: {}\n", law->parameter[i]);
}

/* What is held, at its true value. */
static void put_fixed(struct world *w)
{
    const char *list = text(w, "fixed", NULL), *name;
    char key[NAME];
    int length;

    if (!list)
        return;
    put(w, "fixed:\n");
    while ((name = next_name(&list, &length))) {
        snprintf(key, sizeof key, "%.*s", length, name);
        put(w, "  %s: %.17g\n", key, number(w, key, NAN));
    }
}

/* Of the data set: what of the rig is found beside the law. */
static void put_nuisances(struct world *w)
{
    const char *list = text(w, "nuisance", NULL), *name;
    int length;

    if (!list)
        return;
    put(w, "    nuisance:\n");
    while ((name = next_name(&list, &length)))
        put(w, "      %.*s: {}\n", length, name);
}

static void begin_study(struct world *w, bool bodies)
{
    const char *prior = text(w, "prior", NULL), *rivals = text(w, "rivals", "");
    const struct truth *law = truth_of(w, text(w, "fit", text(w, "truth", "")));

    put(w, "contactfit: study/1\ntitle: synthetic, of a law that is known\n");
    if (bodies)
        put(w,
            "bodies:\n  ball: {sphere: {radius: %g m}, mass: %g kg}\n"
            "  floor: {plane: {}, fixed: true}\n",
            number(w, "radius", 0.025), number(w, "mass", 0.057));
    put(w, "law: %s\nrivals: [%s]\n", law->name, rivals);
    put_fixed(w);
    if (prior)
        put_prior(w, law, prior);
    if (strcmp(text(w, "group", "no"), "yes") == 0)
        put(w, "group: {by: [day]}\n");
    if (text(w, "differs", NULL))
        put(w, "group: {by: [specimen], of: [%s]}\n", text(w, "differs", NULL));
    print_truth(w, law);
}

/* ---- what is measured */

struct channel {
    char name[NAME];
    double relative, sigma; /* of its noise: in parts of the mean reading; in its unit */
};

static size_t read_channels(struct world *w, struct channel channel[CHANNELS])
{
    const char *list = text(w, "measure", "");
    size_t n = 0;

    while (*list && n < CHANNELS) {
        int used = 0;
        if (sscanf(list, "%39[^:]:%lf%n", channel[n].name, &channel[n].relative, &used) != 2)
            fail("measure=%s: NAME:RELATIVE,... is wanted", list);
        n++;
        list += used;
        list += *list == ',';
    }
    return n;
}

static double rounded(double value, double digits)
{
    if (!(digits > 0) || value == 0)
        return value;
    double unit = pow(10, floor(log10(fabs(value))) + 1 - digits);
    return round(value / unit) * unit;
}

static double reading_of(const struct impact *impact, double v, const char *name)
{
    return strcmp(name, "restitution") == 0     ? impact->e
           : strcmp(name, "rebound_speed") == 0 ? impact->e * v
           : strcmp(name, "duration") == 0      ? impact->duration_s
           : strcmp(name, "peak_force") == 0    ? impact->peak_N
                                                : NAN;
}

/* From row to row: an autoregression of order 1 whose standard deviation is 1. */
struct serial {
    double share, last;
    bool begun;
};

static double next_error(struct world *w, struct serial *s)
{
    double fresh = normal(w);
    s->last = s->begun ? s->share * s->last + sqrt(1 - s->share * s->share) * fresh : fresh;
    s->begun = true;
    return s->last;
}

/* Log-spaced from the lowest to the highest. */
static double place_of(struct world *w, size_t i, size_t n)
{
    double from = number(w, "from", 0.5), to = number(w, "to", 4);
    return n < 2 ? from : from * pow(to / from, (double) i / (double) (n - 1));
}

/* An order that chance gives. */
static void shuffle(struct world *w, size_t order[], size_t n)
{
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    for (size_t i = n; i > 1; i--) {
        size_t j = (size_t) (uniform(w) * (double) i), keep = order[i - 1];
        order[i - 1] = order[j];
        order[j] = keep;
    }
}

/* ---- impacts, a row each */

static void put_impact_columns(struct world *w, const struct channel channel[], size_t n,
                               const double mean[])
{
    const char *stated = text(w, "speed_sigma", NULL);
    bool given = strcmp(text(w, "stated", "no"), "yes") == 0;

    put(w, "    columns:\n      speed: {from: v_m_s%s%s}\n", stated ? ", sigma: " : "",
        stated ? stated : "");
    for (size_t c = 0; c < n; c++) {
        put(w, "      %s: {from: %s_SI", channel[c].name, channel[c].name);
        put(w, strcmp(channel[c].name, "duration") == 0        ? ", unit: s"
               : strcmp(channel[c].name, "rebound_speed") == 0 ? ", unit: m/s"
               : strcmp(channel[c].name, "peak_force") == 0    ? ", unit: N"
                                                               : "");
        if (given)
            put(w, ", sigma: %.6g %s}\n", channel[c].relative * mean[c],
                strcmp(channel[c].name, "duration") == 0        ? "s"
                : strcmp(channel[c].name, "rebound_speed") == 0 ? "m/s"
                : strcmp(channel[c].name, "peak_force") == 0    ? "N"
                                                                : "");
        else
            put(w, ", sigma: estimate}\n");
    }
}

static void put_impact_row(struct world *w, const struct channel channel[], size_t n, double v,
                           const double reading[])
{
    double digits = number(w, "digits", 0);

    fprintf(w->table, "%.10g", v);
    for (size_t c = 0; c < n; c++)
        fprintf(w->table, ",%.10g", rounded(reading[c], digits));
    (void) channel;
}

/* One set of rows and the table that holds them. */
static void write_impact_set(struct world *w, const char *folder, size_t set, size_t rows)
{
    struct channel channel[CHANNELS];
    size_t n = read_channels(w, channel), repeats = count(w, "repeats", 1), *order;
    size_t days = count(w, "days", 1), all = rows * repeats;
    double mean[CHANNELS] = {0}, tau = number(w, "tau", 0), day[CHANNELS][MOST];
    double more = set == 1 ? number(w, "apart", 1) : 1, gain = number(w, "gain", 1);
    struct serial serial[CHANNELS] = {{0}};
    struct impact impact = {.n = 0};
    char name[NAME];

    more *= exp(number(w, "spread", 0) * normal(w));
    for (size_t c = 0; c < n; c++)
        serial[c].share = number(w, "serial", 0);
    for (size_t i = 0; i < rows; i++) {
        double v = place_of(w, i, rows);
        collide(w, v, more, &impact);
        for (size_t c = 0; c < n; c++)
            mean[c] += reading_of(&impact, v, channel[c].name) / (double) rows;
    }
    for (size_t c = 0; c < n; c++)
        for (size_t d = 0; d < days && d < MOST; d++)
            day[c][d] = tau * channel[c].relative * mean[c] * normal(w);
    snprintf(name, sizeof name, "d%zu.csv", set);
    w->table = open_file(folder, name);
    fputs("v_m_s", w->table);
    for (size_t c = 0; c < n; c++)
        fprintf(w->table, ",%s_SI", channel[c].name);
    fputs(days > 1 ? ",day\n" : "\n", w->table);
    order = calloc(all + 1, sizeof *order);
    if (!order)
        fail("no memory for %s", name);
    if (number(w, "serial", 0) > 0)
        for (size_t i = 0; i < all; i++)
            order[i] = i;
    else
        shuffle(w, order, all);
    for (size_t i = 0; i < all; i++) {
        double imposed = place_of(w, order[i] % rows, rows), reading[CHANNELS];
        double v = imposed * (1 + number(w, "speed_error", 0) * normal(w));
        collide(w, v, more, &impact);
        for (size_t c = 0; c < n; c++)
            reading[c] = gain * reading_of(&impact, v, channel[c].name) + day[c][i % days] +
                         channel[c].relative * mean[c] * next_error(w, &serial[c]);
        put_impact_row(w, channel, n, imposed, reading);
        if (days > 1)
            fprintf(w->table, ",day %zu", i % days + 1);
        fputc('\n', w->table);
    }
    free(order);
    fclose(w->table);
    put(w, "  - name: d%zu\n    protocol: impact\n    file: d%zu.csv\n", set, set);
    if (text(w, "differs", NULL))
        put(w, "    group: {specimen: d%zu}\n", set);
    put_impact_columns(w, channel, n, mean);
}

static void write_impacts(struct world *w, const char *folder)
{
    size_t sets = count(w, "sets", 1), rows = count(w, "rows", 10);

    begin_study(w, true);
    put(w, "data:\n");
    for (size_t s = 0; s < sets; s++)
        write_impact_set(w, folder, s, rows);
}

/* ---- a ball that bounces */

/* The restitution of an impact of a throw that is off by `shift`. To *t is added how long it lasts,
 * which laws of restitution do not say. */
static double bounce_e(struct world *w, double v, double shift, double *t)
{
    struct impact impact = {.n = 0};
    collide(w, v, 1, &impact);
    *t += isnan(impact.duration_s) ? 0 : impact.duration_s;
    return fmin(1, fmax(0.01, impact.e + shift + number(w, "scatter", 0) * normal(w)));
}

/* What can be covered of one throw is the restitution of that throw. */
static void print_throw(struct world *w, double shift)
{
    static const char *const level[] = {"e", "e_at_1"}; /* of laws of restitution */

    if (count(w, "throws", 1) == 1 && shift != 0)
        for (int i = 0; i < 2; i++)
            if (text(w, level[i], NULL))
                printf("%s %.17g\n", level[i], number(w, level[i], 0) + shift);
}

static void write_bounces(struct world *w, const char *folder)
{
    size_t throws = count(w, "throws", 1), bounces = count(w, "bounces", 10);
    double jitter_s = number(w, "jitter", 1e-4);

    begin_study(w, true);
    w->table = open_file(folder, "d0.csv");
    fputs(throws > 1 ? "throw,t_s\n" : "t_s\n", w->table);
    for (size_t k = 0; k < throws; k++) {
        double v = number(w, "v0", 4) * (1 - 0.2 * uniform(w)), t = 0.1 + uniform(w);
        double shift = number(w, "shift", 0) * normal(w);
        print_throw(w, shift);
        for (size_t i = 0; i < bounces; i++) {
            if (throws > 1)
                fprintf(w->table, "%zu,", k + 1);
            fprintf(w->table, "%.7f\n", t + jitter_s * normal(w));
            v *= bounce_e(w, v, shift, &t);
            t += 2 * v / g_m_s2;
        }
    }
    fclose(w->table);
    put(w,
        "data:\n  - name: d\n    protocol: bounce\n    file: d0.csv\n    columns: {%stime: t_s}\n"
        "    apparatus: {drag_coefficient: 0}\n",
        throws > 1 ? "throw: throw, " : "");
}

/* Its centre, filmed, from where it is let go. */
static void write_film(struct world *w, const char *folder)
{
    size_t throws = count(w, "throws", 1), bounces = count(w, "bounces", 8);
    double fps = number(w, "fps", 60), noise_m = number(w, "noise", 0.002);
    double contact_m = number(w, "radius", 0.025);

    begin_study(w, true);
    w->table = open_file(folder, "d0.csv");
    fputs(throws > 1 ? "throw,t_s,y_m\n" : "t_s,y_m\n", w->table);
    for (size_t k = 0; k < throws; k++) {
        double v0 = number(w, "v0", 4) * (1 - 0.2 * uniform(w)), fall_s = v0 / g_m_s2;
        double top_m = v0 * v0 / (2 * g_m_s2), shift = number(w, "shift", 0) * normal(w);
        double v = v0, from_s = fall_s, until_s = fall_s;
        print_throw(w, shift);
        size_t bounce = 0;
        for (size_t i = 0;; i++) {
            double t = ((double) i + 0.37) / fps, s;
            while (t >= until_s && bounce < bounces) {
                v *= bounce_e(w, v, shift, &until_s);
                from_s = until_s;
                until_s += 2 * v / g_m_s2;
                bounce++;
            }
            if (t >= until_s)
                break;
            s = fmax(0, t - from_s); /* it touches until then */
            double y = bounce ? v * s - g_m_s2 * s * s / 2 : top_m - g_m_s2 * t * t / 2;
            if (throws > 1)
                fprintf(w->table, "%zu,", k + 1);
            fprintf(w->table, "%.6f,%.5f\n", t, contact_m + y + noise_m * normal(w));
        }
    }
    fclose(w->table);
    put(w,
        "data:\n  - name: d\n    protocol: bounce_heights\n    file: d0.csv\n"
        "    columns: {%stime: t_s, height: {from: y_m, sigma: estimate}}\n"
        "    apparatus: {drag_coefficient: 0, contact_height: %g m}\n",
        throws > 1 ? "throw: throw, " : "", contact_m + number(w, "contact_error", 0));
}

/* ---- sliding */

/* Under a load, of a coefficient; else the force, or the torque of an axis. */
static double friction(struct world *w, double v, double load)
{
    double p[MOST_PARAMETERS];
    const struct truth *law = read_truth(w, 1, p);

    if (!law->curve)
        fail("%s is no curve of friction", law->name);
    return law->curve(p, fabs(v)) * (load > 0 ? pow(load, number(w, "power", 1)) : 1);
}

static size_t read_loads(struct world *w, double load[MOST])
{
    const char *list = text(w, "loads", NULL);
    size_t n = 0;
    char *end;

    load[0] = number(w, "load", 0);
    for (; list && *list && n < MOST; list = *end ? end + 1 : end)
        load[n++] = strtod(list, &end);
    return n ? n : 1;
}

/* Speed, load and what opposes it, of all rows, in the order in which they are measured. */
struct slides {
    size_t rows, loads;
    double load[MOST], v[MOST], normal_N[MOST], f[MOST];
};

/* `lever`: 0 where the speed is not that of an axis, or its torque is what the law says. */
static void make_slides(struct world *w, double lever, struct slides *s)
{
    bool both = strcmp(text(w, "directions", "both"), "both") == 0;
    double drift = number(w, "drift", 0), noise = number(w, "noise", 0.01), largest = 0, mean = 0;
    double arm = lever > 0 ? lever : 1;
    struct serial serial = {.share = number(w, "serial", 0)};
    size_t order[MOST];

    s->loads = read_loads(w, s->load);
    s->rows = count(w, "rows", 24);
    if (s->rows > MOST)
        fail("%s: too many", "rows");
    shuffle(w, order, s->rows);
    for (size_t i = 0; i < s->rows; i++) {
        size_t place = order[i], per = (s->rows + s->loads - 1) / s->loads;
        double sign = both && i % 2 ? -1 : 1;
        s->normal_N[i] = s->load[place / per];
        s->v[i] = sign * place_of(w, place % per, per);
        s->f[i] = sign * (friction(w, s->v[i] * arm, s->normal_N[i]) + number(w, "offset", 0)) *
                  arm * (1 + drift * ((double) i / (double) (s->rows - 1) - 0.5));
        mean += fabs(s->f[i]) / (double) s->rows;
    }
    for (size_t i = 0; i < s->rows; i++) {
        s->f[i] += noise * mean * next_error(w, &serial);
        largest = fmax(largest, fabs(s->f[i]));
    }
    double clip = largest * number(w, "clip", INFINITY);
    for (size_t i = 0; i < s->rows; i++)
        s->f[i] = rounded(fmax(-clip, fmin(clip, s->f[i])), number(w, "digits", 0));
}

static void put_slides(struct world *w, const char *folder, bool rotary)
{
    double lever = rotary ? number(w, "lever", 0) : 0;
    const char *v = rotary ? "w_rad_s" : "v_m_s", *f = rotary ? "T_Nm" : "f_N";
    struct slides *s = calloc(1, sizeof *s);

    if (!s)
        fail("no memory for %s", "rows");
    begin_study(w, false);
    make_slides(w, lever, s);
    w->table = open_file(folder, "d0.csv");
    fprintf(w->table, s->loads > 1 ? "%s,load_N,%s\n" : "%s,%s\n", v, f);
    for (size_t i = 0; i < s->rows; i++) {
        fprintf(w->table, "%.10g,", s->v[i]);
        if (s->loads > 1)
            fprintf(w->table, "%.10g,", s->normal_N[i]);
        fprintf(w->table, "%.10g\n", s->f[i]);
    }
    fclose(w->table);
    put(w,
        "data:\n  - name: d\n    protocol: %s\n    file: d0.csv\n"
        "    columns: {speed: %s, %s%s: {from: %s, sigma: estimate}}\n",
        rotary ? "slide_rotary" : "slide", v, s->loads > 1 ? "load: load_N, " : "",
        rotary ? "torque" : "force", f);
    if (s->loads == 1 && s->load[0] > 0)
        put(w, "    apparatus: {load: %g N%s", s->load[0], lever > 0 ? "" : "}\n");
    if (lever > 0)
        put(w, "%slever: %g m}\n", s->loads == 1 ? ", " : "    apparatus: {", lever);
    free(s);
}

static void write_slides(struct world *w, const char *folder)
{
    put_slides(w, folder, false);
}

static void write_turns(struct world *w, const char *folder)
{
    put_slides(w, folder, true);
}

/* ---- the force of impacts, and of slow indentation */

static double at_time(const struct impact *impact, double t)
{
    size_t low = 0, high = impact->n - 1;

    if (t <= 0 || t >= impact->duration_s)
        return 0;
    if (t <= impact->time_s[0])
        return impact->force_N[0] * sqrt(t / impact->time_s[0]);
    if (t >= impact->time_s[high])
        return impact->force_N[high] * (impact->duration_s - t) /
               (impact->duration_s - impact->time_s[high]);
    while (high - low > 1) {
        size_t half = (low + high) / 2;
        *(impact->time_s[half] <= t ? &low : &high) = half;
    }
    double share = (t - impact->time_s[low]) / (impact->time_s[high] - impact->time_s[low]);
    return impact->force_N[low] + share * (impact->force_N[high] - impact->force_N[low]);
}

static void write_pulses(struct world *w, const char *folder)
{
    size_t rows = count(w, "rows", 1);
    double dt = number(w, "dt", 1e-5), noise = number(w, "noise", 0.01);
    double gain = number(w, "gain", 1);
    double p[MOST_PARAMETERS];
    const struct truth *law = read_truth(w, 1, p);
    struct impact impact = {.time_s = calloc(MOST_STEPS, sizeof(double)),
                            .force_N = calloc(MOST_STEPS, sizeof(double))};

    if (!impact.time_s || !impact.force_N)
        fail("no memory for %s", "a pulse");
    begin_study(w, true);
    w->table = open_file(folder, "d0.csv");
    fputs("t_s,v_m_s,impact,f_N\n", w->table);
    for (size_t i = 0; i < rows; i++) {
        struct serial serial = {.share = number(w, "serial", 0)};
        double v = place_of(w, i, rows), phase_s = -dt * uniform(w);
        integrate(law, p, number(w, "mass", 0.057), v, &impact);
        for (double t = -0.2 * impact.duration_s; t < 1.2 * impact.duration_s; t += dt)
            fprintf(w->table, "%.9g,%.9g,%zu,%.9g\n", t + 0.2 * impact.duration_s, v, i + 1,
                    gain * at_time(&impact, t + phase_s) +
                        noise * impact.peak_N * next_error(w, &serial));
    }
    fclose(w->table);
    free(impact.time_s);
    free(impact.force_N);
    put(w, "data:\n  - name: d\n    protocol: pulse\n    file: d0.csv\n"
           "    columns: {time: t_s, speed: v_m_s, impact: impact, force: {from: f_N, sigma: "
           "estimate}}\n");
}

/* Forth to a depth and back at one rate, from a little above the surface. */
static void write_strokes(struct world *w, const char *folder)
{
    size_t rows = count(w, "rows", 100);
    double depth = number(w, "depth", 1e-3), rate = number(w, "rate", 1e-3);
    double noise = number(w, "noise", 0.005), before = number(w, "before", 0.1) * depth;
    double p[MOST_PARAMETERS], touch = number(w, "touch", 0);
    const struct truth *law = read_truth(w, 1, p);
    struct serial serial = {.share = number(w, "serial", 0)};

    begin_study(w, true);
    w->table = open_file(folder, "d0.csv");
    fputs("t_s,z_m,f_N\n", w->table);
    double highest = force_at(law, p, &(struct moment){.depth_m = depth});
    for (size_t i = 0; i < rows; i++) {
        double way = 2 * (depth + before) * (double) i / (double) (rows - 1);
        bool back = way > depth + before;
        double z = back ? depth - (way - depth - before) : way - before;
        struct moment at = {.depth_m = z, .rate_m_s = back ? -rate : rate};
        fprintf(w->table, "%.9g,%.9g,%.9g\n", way / rate, z + touch,
                force_at(law, p, &at) + noise * highest * next_error(w, &serial));
    }
    fclose(w->table);
    put(w, "data:\n  - name: d\n    protocol: indent\n    file: d0.csv\n"
           "    columns: {time: t_s, depth: {from: z_m}, force: {from: f_N, sigma: estimate}}\n");
    put_nuisances(w);
}

static const struct {
    const char *name;
    void (*write)(struct world *w, const char *folder);
} experiments[] = {
    {"impact", write_impacts}, {"bounce", write_bounces},     {"film", write_film},
    {"slide", write_slides},   {"slide_rotary", write_turns}, {"pulse", write_pulses},
    {"indent", write_strokes},
};

int main(int argc, char *argv[])
{
    if (argc < 4)
        fail("usage: experiment FOLDER SEED KEY=VALUE...%s", "");
    struct world w = {.key = argv + 3,
                      .nkey = argc - 3,
                      .used = calloc((size_t) argc, sizeof *w.used),
                      .state = strtoull(argv[2], NULL, 10) * UINT64_C(0x2545f4914f6cdd1d)};
    const char *wanted = text(&w, "experiment", "");

    if (!w.used)
        return 2;
    w.study = open_file(argv[1], "study.yaml");
    for (size_t i = 0; i < sizeof experiments / sizeof *experiments; i++)
        if (strcmp(experiments[i].name, wanted) == 0) {
            experiments[i].write(&w, argv[1]);
            wanted = NULL;
            break;
        }
    if (wanted)
        fail("experiment=%s is not known", wanted);
    fclose(w.study);
    for (int i = 0; i < w.nkey; i++)
        if (!w.used[i])
            fail("%s: this experiment has no such key", w.key[i]);
    free(w.used);
    return 0;
}
