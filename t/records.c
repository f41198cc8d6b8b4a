/* Records over time, by a protocol that the program knows nothing of: channels at rates of their
 * own and in files of their own, put beside each other; clocks that step back, begin anew, skip and
 * repeat; sensors that are clipped or dead; windows of time that are left out. All data here are
 * synthetic, and every message is compared whole. */

#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/registry.h"
#include "lib/scratch.h"
#include "study/study.h"
#include "tap.h"

/* ---- a recorder: a place that is driven, a force and a speed that are read, a clock */

enum { PLACE, FORCE, SPEED, CLOCK, NCHANNEL };

static const struct cf_channel_row channel[NCHANNEL] = {
    [PLACE] = {"x", "m", "place", CF_ROLE_IMPOSED, -10, 10, 0, NULL, "place", "x", false},
    [FORCE] = {"force", "N", "force", CF_ROLE_MEASURED, -1e4, 1e4, 1u << CF_FAMILY_NORMAL, NULL,
               "force", "F", true},
    [SPEED] = {"speed", "m/s", "speed", CF_ROLE_MEASURED, -100, 100, 1u << CF_FAMILY_NORMAL, NULL,
               "speed", "v", true},
    [CLOCK] = {"time", "s", "time", CF_ROLE_IMPOSED, -1e12, 1e12, 0, NULL, "time", "t", false},
};

static size_t imposed(const struct cf_dataset *d, size_t row)
{
    (void) d;
    (void) row;
    return PLACE;
}

static double abscissa(const struct cf_dataset *d, size_t row)
{
    return cf_dataset_value(d, row, PLACE);
}

/* A row has something in it; it is told where a force is above 9 kN. */
static int check_row(const struct cf_dataset *d, size_t row, char note[], size_t size,
                     struct cf_error *err)
{
    note[0] = '\0';
    if (cf_dataset_value(d, row, FORCE) > 9e3)
        snprintf(note, size, "force above 9 kN");
    if (cf_dataset_value(d, row, SPEED) == 13)
        return cf_fail(err, CF_EINPUT, "a speed of 13 m/s");
    return CF_OK;
}

static const size_t conditions[] = {CLOCK};

static const struct cf_protocol recorder = {
    .name = "recorder",
    .what = "a force and a speed over time",
    .nchannel = NCHANNEL,
    .channel = channel,
    .axis = {"x", "m", true, -10, 10, "places", "place", "x", false},
    .axis_channel = PLACE,
    .headline = FORCE,
    .ncondition = 1,
    .condition = conditions,
    .bodiless = true,
    .begin_with = "linear",
    .record = true,
    .clock = CLOCK,
    .check_row = check_row,
    .imposed = imposed,
    .abscissa = abscissa,
};

static const struct cf_protocol *const protocols[] = {&recorder, NULL};
static const struct cf_registry registry = {NULL, protocols};

static struct scratch scratch;

static char *in_folder(const char *name, char path[128])
{
    snprintf(path, 128, "%s/%s", scratch.folder, name);
    return path;
}

static void spew(const char *name, const char *text)
{
    char path[128];
    scratch_write(in_folder(name, path), text);
}

/* Read a data set of these keys. */
static struct cf_study *read_set(const char *keys, struct cf_error *err)
{
    char text[2048];

    snprintf(text, sizeof text,
             "contactfit: study/1\ndata:\n  - name: log\n    protocol: recorder\n%s\n", keys);
    scratch_write(scratch.file, text);
    err->text[0] = '\0';
    return cf_study_read_data(scratch.file, &registry, err);
}

/* A message without the folder's name: "study.yaml:7:5: ...". */
static char *bare(const char *text, char out[], size_t size)
{
    size_t n = strlen(scratch.folder) + 1, used = 0;

    while (*text && used + 1 < size)
        if (strncmp(text, scratch.folder, n - 1) == 0)
            text += n;
        else
            out[used++] = *text++;
    out[used] = '\0';
    return out;
}

/* The data set of these keys is refused with this message. */
static void refused(const char *what, const char *keys, const char *message)
{
    static char text[4096];
    struct cf_error err;
    struct cf_study *study = read_set(keys, &err);

    is_str(bare(err.text, text, sizeof text), message, "%s", what);
    cf_study_free(study);
}

/* It is read with just these remarks, one a line. */
static struct cf_study *remarks(const char *what, const char *keys, const char *want)
{
    static char all[8192], text[8192];
    struct cf_error err;
    struct cf_study *study = read_set(keys, &err);

    all[0] = '\0';
    for (size_t i = 0; study && i < study->nnote; i++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s\n", study->note[i]);
    is_str(bare(study ? all : err.text, text, sizeof text), want, "%s", what);
    return study;
}

static void told(const char *what, const char *keys, const char *want)
{
    cf_study_free(remarks(what, keys, want));
}

/* ---- files of their own */

static double value(const struct cf_study *study, size_t row, size_t c)
{
    return cf_dataset_value(study->spec.data, row, c);
}

/* x at 0, 2, 4... ms, force at 0, 1, 2, ... ms by a rate, speed at three times. */
static void test_files(void)
{
    char x[1024] = "t_ms,x_mm\n", f[2048] = "n;f_N\n";
    struct cf_study *study;
    size_t bad = 0;

    for (int i = 0; i < 10; i++)
        snprintf(x + strlen(x), sizeof x - strlen(x), "%d,%d.5\n", 2 * i, i);
    for (int i = 0; i < 20; i++)
        snprintf(f + strlen(f), sizeof f - strlen(f), "%d;%d,25\n", i, i);
    spew("x.csv", x);
    spew("f.csv", f);
    spew("v.csv", "when_ms,v_m_s\n3.5,1\n\n4.0000000001,2\n30,3\n");
    study = remarks("channels with files of their own",
                    "    columns:\n"
                    "      x: {file: x.csv, from: x_mm, time: t_ms}\n"
                    "      force: {file: f.csv, from: 2, unit: N, decimal: \",\", rate: 1 kHz}\n"
                    "      speed: {file: v.csv, from: v_m_s, time: when_ms}\n",
                    "");
    if (!study)
        return;
    const struct cf_dataset *d = study->spec.data;
    ok(d->nrow == 22, "the union of their times: %zu rows", d->nrow);
    for (size_t i = 0; i < d->nrow && d->nrow == 22; i++) {
        double t = value(study, i, CLOCK), force = value(study, i, FORCE);
        size_t sample = i < 4 ? i : i - 1;
        if (i == 4)
            bad += t != 0.0035 || !isnan(force) || value(study, i, SPEED) != 1;
        else if (i == 21)
            bad += t != 0.03 || !isnan(force) || value(study, i, SPEED) != 3;
        else
            bad += fabs(t - 1e-3 * (double) sample) > 1e-15 || force != (double) sample + 0.25 ||
                   (sample % 2 ? !isnan(value(study, i, PLACE))
                               : fabs(value(study, i, PLACE) - 1e-3 * ((double) sample / 2 + 0.5)) >
                                     1e-15);
    }
    ok(bad == 0, "each channel in its own rows and nowhere else");
    ok(value(study, 5, SPEED) == 2 && value(study, 5, FORCE) == 4.25,
       "times that agree to rounding are one row");
    ok(d->npart == 3 && strcmp(d->part[1].file, "f.csv") == 0 && d->part[1].nrow == 20 &&
           strlen(d->part[2].sha256) == 64 && strcmp(d->part[0].sha256, d->part[1].sha256),
       "three files, each with its hash");
    ok(strlen(d->sha256) == 64 && strcmp(d->sha256, d->part[0].sha256), "and one of all");
    ok(cf_dataset_line(d, 5, SPEED) == 4 && cf_dataset_line(d, 5, FORCE) == 6 &&
           cf_dataset_line(d, 5, PLACE) == 4,
       "the line of each value in its file");
    is_str(cf_dataset_file(d, SPEED), "v.csv", "and the file");
    cf_study_free(study);
}

static void test_start(void)
{
    struct cf_study *study;

    spew("x.csv", "when,x_m\n2026-11-22T18:30:05,1\n2026-11-22T18:30:05.5,2\n");
    spew("f.csv", "f_N\n1\n2\n3\n");
    study = remarks(
        "a rate that starts at a date",
        "    file: x.csv\n"
        "    columns:\n"
        "      time: when\n"
        "      x: x_m\n"
        "      force: {file: f.csv, from: f_N, rate: 4 Hz, start: \"2026-11-22 18:30:04.75\"}\n",
        "study.yaml:7: column when names no unit: read as s\n");
    ok(study && study->spec.data->nrow == 4 && value(study, 0, CLOCK) == 0 &&
           value(study, 1, CLOCK) == 0.25 && value(study, 1, PLACE) == 1 &&
           value(study, 1, FORCE) == 2 && value(study, 3, CLOCK) == 0.75 &&
           value(study, 3, PLACE) == 2 && isnan(value(study, 3, FORCE)),
       "times count from the first date of all files");
    cf_study_free(study);
    spew("x.csv", "when,x_m,f_N\n2026-11-22T18:30:05,1,7\n2026-11-22T18:30:05.5,2,8\n");
    study = remarks("a choice of rows with dates",
                    "    file: x.csv\n    where: {x_m: 2}\n"
                    "    columns: {time: {from: when, unit: s}, x: x_m, force: f_N}\n",
                    "");
    ok(study && study->spec.data->nrow == 1 && value(study, 0, CLOCK) == 0.5,
       "counts from the first row of the file");
    cf_study_free(study);
    spew("x.csv", "t_s,x_m\n0.5,1\n0.75,2\n");
    study = remarks("a rate that starts at a time",
                    "    file: x.csv\n"
                    "    columns:\n"
                    "      time: t_s\n"
                    "      x: x_m\n"
                    "      force: {file: f.csv, from: f_N, rate: 4 Hz, start: 250 ms}\n"
                    "    sigma: {force: 0.1 N}\n",
                    "");
    ok(study && study->spec.data->nrow == 3 && value(study, 0, FORCE) == 1 &&
           value(study, 1, PLACE) == 1 && value(study, 2, FORCE) == 3 &&
           cf_dataset_sigma(study->spec.data, 2, FORCE) == 0.1 && study->spec.data->line[2] == 3,
       "beside those of a column");
    cf_study_free(study);
}

static void test_bad_files(void)
{
    static const char *const x = "    file: x.csv\n    columns:\n      time: t_s\n      x: x_m\n";
    static const struct {
        const char *what, *entry, *message;
    } row[] = {
        {"no clock", "force: {file: f.csv, from: f_N}",
         "study.yaml:9:7: force: a file of its own needs one of time: COLUMN and rate: 1 kHz, and "
         "has neither"},
        {"two clocks", "force: {file: f.csv, from: f_N, time: t, rate: 1 Hz}",
         "study.yaml:9:7: force: a file of its own needs one of time: COLUMN and rate: 1 kHz, and "
         "has both"},
        {"a start of times", "force: {file: f.csv, from: f_N, time: f_N, start: 1 s}",
         "study.yaml:9:50: start: is of counted samples: it needs a rate"},
        {"a start of a column", "force: {from: x_m, start: 1 s}",
         "study.yaml:9:26: start: is of counted samples: it needs a rate"},
        {"no such file", "force: {file: g.csv, from: f_N, rate: 1 Hz}",
         "study.yaml:9:21: file: g.csv: cannot be read: No such file or directory"},
        {"no such column", "force: {file: f.csv, from: g_N, rate: 1 Hz}",
         "study.yaml:9:34: no column g_N in f.csv (did you mean f_N?): it has f_N"},
        {"no such number", "force: {file: f.csv, from: 2, rate: 1 Hz}",
         "study.yaml:9:34: no column 2 in f.csv: it has f_N"},
        {"dates beside times",
         "force: {file: f.csv, from: f_N, rate: 1 Hz, start: \"2026-11-22T18:30:05\"}",
         "study.yaml:9:45: the times of f.csv are dates, and those of x.csv are none: of samples "
         "with a rate, start: states when they began"},
        {"a bad cell", "force: {file: bad.csv, from: f_N, rate: 1 Hz}",
         "bad.csv:3:1: f_N x: a number is wanted"},
        {"where", "force: {file: f.csv, from: f_N, rate: 1 Hz}\n    where: \"x > 1 m\"",
         "study.yaml:10:5: where: chooses rows of one table, and channels have files of their own: "
         "exclude leaves out windows of time"},
        {"a line",
         "force: {file: f.csv, from: f_N, rate: 1 Hz}\n    exclude: [{row: 3, because: x}]",
         "study.yaml:10:16: row: is a line of a file, and here are several: state a window of "
         "time, as in {from: 1.2 s, to: 3.4 s, because: ...}"},
        {"a group by a column", "force: {file: f.csv, from: f_N, rate: 1 Hz}\ngroup: {by: [x_m]}",
         "study.yaml:10:14: by: x_m: a column of one table, and channels have files of their own: "
         "state it for the data set, as group: {x_m: ...}"},
        {"a row that the protocol refuses", "speed: {file: v.csv, from: v_m_s, rate: 4 Hz}",
         "v.csv:3:1: a speed of 13 m/s"},
        {"no time", "force: {file: holes.csv, from: f_N, time: t_s}",
         "holes.csv:3:1: no time: rows of several files are put beside each other by it: give it, "
         "or exclude the row"},
    };

    spew("x.csv", "t_s,x_m\n0,1\n1,2\n");
    spew("f.csv", "f_N\n1\n2\n");
    spew("v.csv", "v_m_s\n1\n13\n");
    spew("bad.csv", "f_N\n1\nx\n");
    spew("holes.csv", "t_s,f_N\n0,1\n,2\n");
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char keys[1024];
        snprintf(keys, sizeof keys, "%s      %s", x, row[i].entry);
        refused(row[i].what, keys, row[i].message);
    }
    refused("a clock in a file of its own",
            "    columns:\n      time: {file: x.csv, from: t_s, rate: 1 Hz}\n",
            "study.yaml:6:7: time: each file has its own clock, which stands with its channels: "
            "force: {file: ..., time: COLUMN}");
    refused("a channel without a file",
            "    columns:\n      x: {file: x.csv, from: x_m, time: t_s}\n      force: f_N\n",
            "study.yaml:7:7: force: of which file? The data set names none");
    refused("a file without a clock",
            "    file: x.csv\n    columns:\n      x: x_m\n"
            "      force: {file: f.csv, from: f_N, rate: 1 Hz}\n",
            "study.yaml:3:5: no time: channels with files of their own are put beside those of "
            "x.csv by it");
}

/* ---- clocks */

/* A table of time, x and force: a sine at times[n], rows as printf makes them of %s. */
static void write_times(const char *name, const char *head, size_t n, const double times[])
{
    static char text[1 << 16];
    size_t used = (size_t) snprintf(text, sizeof text, "%s\n", head);

    for (size_t i = 0; i < n; i++)
        used += (size_t) snprintf(text + used, sizeof text - used, "%.17g,%.6g,%.6g\n", times[i],
                                  sin(0.3 * (double) i), 2 + cos(0.2 * (double) i));
    spew(name, text);
}

static const char *const plain =
    "    file: log.csv\n    columns: {time: t_s, x: x_m, force: f_N}\n";
enum { N = 60 };

static void even(double t[N], double step)
{
    for (int i = 0; i < N; i++)
        t[i] = step * i;
}

static void test_clock(void)
{
    char keys[512];
    double t[N];

    even(t, 0.001);
    write_times("log.csv", "t_s,x_m,f_N", N, t);
    told("an even clock", plain, "");

    for (int i = 40; i < N; i++)
        t[i] = 0.001 * (i - 40);
    write_times("log.csv", "t_s,x_m,f_N", N, t);
    refused(
        "a clock that is reset", plain,
        "log.csv:42:1: time 0 s behind 0.039 s in line 41: the clock steps back: keep one part "
        "of the record, by where and a column that numbers its parts, or by exclude: [{row: 42, "
        "to_row: end, because: ...}]");
    snprintf(keys, sizeof keys, "%s    exclude: [{row: 42, to_row: end, because: began anew}]\n",
             plain);
    struct cf_study *study = remarks("and is cut there", keys, "");
    ok(study && study->spec.data->nexclusion == 1 && study->spec.data->exclusion[0].count == 20 &&
           study->spec.data->use[39] == CF_ROW_FIT &&
           study->spec.data->use[40] == CF_ROW_EXCLUDED &&
           strcmp(cf_dataset_because(study->spec.data, N - 1), "began anew") == 0,
       "20 rows are left out for one reason");
    cf_study_free(study);

    even(t, 0.001);
    for (int i = 20; i < N; i++)
        t[i] += 0.5 + (i >= 30 ? 0.25 : 0);
    write_times("log.csv", "t_s,x_m,f_N", N, t);
    told("gaps", plain,
         "log.csv:22: time: 2 gaps, steps of more than 5 times the median of 0.001 s; the longest, "
         "of 0.501 s, ends here at 0.52 s (rules: {gap: 5})\n");
    snprintf(keys, sizeof keys, "%s    rules: {gap: 300}\n", plain);
    told("gaps by another rule", keys,
         "log.csv:22: time: 1 gap, step of more than 300 times the median of 0.001 s; it, of 0.501 "
         "s, ends here at 0.52 s (rules: {gap: 300})\n"
         "log.csv:32: time: 250 samples are missing in 1 place, the first before this line: steps "
         "there are 2 to 300 times the median of 0.001 s (rules: {gap: 300})\n");

    even(t, 0.001);
    for (int i = 0, k = 0; i < N; i++, k += i % 25 == 0 ? 3 : 1)
        t[i] = 0.001 * k;
    write_times("log.csv", "t_s,x_m,f_N", N, t);
    told("dropped samples", plain,
         "log.csv:27: time: 4 samples are missing in 2 places, the first before this line: steps "
         "there are 2 to 5 times the median of 0.001 s (rules: {gap: 5})\n");

    even(t, 0.001);
    t[10] = t[9];
    t[30] = t[29];
    write_times("log.csv", "t_s,x_m,f_N", N, t);
    told("stamps that stand twice", plain,
         "log.csv:12: time: 2 rows have the time of the row before, the first here at 0.009 s: a "
         "sample that was written twice, or a clock coarser than the samples; exclude: leaves rows "
         "out\nlog.csv:13: time: 2 samples are missing in 2 places, the first before this line: "
         "steps there are 2 to 5 times the median of 0.001 s (rules: {gap: 5})\n");

    for (int i = 0; i < N; i++)
        t[i] = 0.001 * i + (i % 2 ? 0.0002 : 0);
    write_times("log.csv", "t_s,x_m,f_N", N, t);
    told("a clock that jitters", plain,
         "log.csv: time: steps differ, from 0.0008 to 0.0012 s: their sd is 0.17 of their median, "
         "0.0012 s, and up to 0.1 is not reported (rules: {jitter: 0.1})\n");
    snprintf(keys, sizeof keys, "%s    rules: {jitter: 0.2}\n", plain);
    told("and may", keys, "");

    even(t, 10);
    write_times("log.csv", "t,x_m,f_N", N, t);
    told(
        "counts without a unit", "    file: log.csv\n    columns: {time: t, x: x_m, force: f_N}\n",
        "study.yaml:6: column t names no unit: read as s\n"
        "log.csv: time: whole numbers without a unit, read as s: the median step is 10 s; are they "
        "ms? unit: states it\n");
    told("and with one",
         "    file: log.csv\n    columns: {time: {from: t, unit: s}, x: x_m, force: f_N}\n", "");
}

static void test_counter(void)
{
    static const char *const us =
        "    file: log.csv\n    columns: {time: t_us, x: x_m, force: f_N}\n";
    char keys[512];
    double t[N];
    struct cf_study *study;

    for (int i = 0; i < N; i++)
        t[i] = fmod(4294900000. + 2500. * i, 4294967296.);
    write_times("log.csv", "t_us,x_m,f_N", N, t);
    refused("a counter that begins anew", us,
            "log.csv:29:1: time 0.000204 s behind 4294.965 s in line 28: the clock steps back by "
            "4294.9648 s, and 2^32 of its counts are 4294.9673 s: it is a counter that began anew; "
            "rules: {wrap: 32} lets it go on");
    snprintf(keys, sizeof keys, "%s    rules: {wrap: 32}\n", us);
    study =
        remarks("and goes on", keys,
                "log.csv:29: time: its counter began anew 1 time, the last one here: it goes on "
                "(rules: {wrap: 32})\n");
    ok(study && fabs(value(study, N - 1, CLOCK) - value(study, 0, CLOCK) - 0.0025 * (N - 1)) < 1e-9,
       "as if it had not");
    cf_study_free(study);
    snprintf(keys, sizeof keys, "%s    rules: {wrap: 31.5}\n", us);
    refused("half a bit", keys, "study.yaml:7:19: wrap: 31.5: a whole number of bits is wanted");
    snprintf(keys, sizeof keys, "%s    rules: {gaps: 3}\n", us);
    refused("a rule that is none", keys, "study.yaml:7:13: unknown rule gaps: did you mean gap?");
}

/* ---- sensors */

static void write_values(double force(int i), int n)
{
    static char text[1 << 16];
    size_t used = (size_t) snprintf(text, sizeof text, "t_s,x_m,f_N\n");

    for (int i = 0; i < n; i++)
        used += (size_t) snprintf(text + used, sizeof text - used, "%g,%g,%.6g\n", 0.01 * i,
                                  sin(0.1 * i), force(i));
    spew("log.csv", text);
}

static double clipped(int i)
{
    double f = 8 * sin(0.05 * i);
    return f > 5 ? 5 : f;
}

static double resting(int i)
{
    return round(1e3 * (5 - 5 * exp(-0.05 * i))) / 1e3;
}

static double dead(int i)
{
    (void) i;
    return 5;
}

static void test_sensors(void)
{
    char keys[512];

    write_values(clipped, 200);
    told("a clipped sensor", plain,
         "log.csv:16: force: 71 rows in 2 runs at its greatest value, 5 N, the first from here on, "
         "at 0.14 s: is the sensor at its limit? exclude: [{from: , to: , because: }] leaves them "
         "out (rules: {clipped: 10})\n");
    snprintf(keys, sizeof keys, "%s    rules: {clipped: 100}\n", plain);
    told("by another rule", keys, "");
    write_values(resting, 400);
    told("one that comes to rest is not clipped", plain, "");
    write_values(dead, 200);
    told("a dead sensor", plain,
         "log.csv: force: 5 N in all 200 rows: is the sensor dead, or not connected?\n");
}

/* ---- what is left out */

static void test_windows(void)
{
    char keys[512];
    double t[N];
    struct cf_study *study;

    even(t, 0.1);
    write_times("log.csv", "t_s,x_m,f_N", N, t);
    snprintf(keys, sizeof keys,
             "%s    exclude: [{from: 1050 ms, to: 2.05 s, because: door}, {row: 20, because: x},"
             " {from: 5.55 s, because: end}]\n",
             plain);
    study = remarks("windows of time", keys, "");
    const struct cf_dataset *d = study ? study->spec.data : NULL;
    ok(d && d->use[10] == CF_ROW_FIT && d->use[11] == CF_ROW_EXCLUDED &&
           d->use[20] == CF_ROW_EXCLUDED && d->use[21] == CF_ROW_FIT && d->use[55] == CF_ROW_FIT &&
           d->use[56] == CF_ROW_EXCLUDED,
       "their ends");
    ok(d && d->nexclusion == 4 && strcmp(cf_dataset_because(d, 11), "door") == 0 &&
           strcmp(cf_dataset_because(d, 18), "x") == 0 &&
           strcmp(cf_dataset_because(d, 20), "door") == 0 && !cf_dataset_because(d, 21),
       "their reasons");
    cf_study_free(study);
    snprintf(keys, sizeof keys, "%s    exclude: [{from: 7 s, to: 8 s, because: x}]\n", plain);
    refused("a window behind the end", keys,
            "study.yaml:7:22: from: no row of data set log lies in this window: its time runs from "
            "0 to 5.9 s");
    snprintf(keys, sizeof keys, "%s    exclude: [{from: 3 s, to: 2 s, because: x}]\n", plain);
    refused("a window that ends before it begins", keys,
            "study.yaml:7:22: from: 3 s is behind to: 2 s: no row can be there");
    snprintf(keys, sizeof keys, "%s    exclude: [{from: 3 m, because: x}]\n", plain);
    refused("a window of place", keys,
            "study.yaml:7:22: from: 3 m: a length [m] where a time [s] is wanted");
    snprintf(keys, sizeof keys, "%s    exclude: [{row: 70, to_row: end, because: x}]\n", plain);
    refused("lines behind the end", keys,
            "study.yaml:7:21: row: no row of data set log stands in line 70 of its file or behind "
            "it, up to to_row: the first is in line 2, the last in line 61");

    spew("x.csv", "t_s,x_m\n0,1\n1,2\n2,3\n3,4\n");
    spew("f.csv", "f_N\n1\nbroken\nbroken\n4\n5\n");
    study = remarks("a window of several files",
                    "    file: x.csv\n    columns:\n      time: t_s\n      x: x_m\n"
                    "      force: {file: f.csv, from: f_N, rate: 2 Hz}\n"
                    "    exclude: [{from: 0.5 s, to: 1 s, because: unplugged}]\n",
                    "");
    d = study ? study->spec.data : NULL;
    ok(d && d->nrow == 6 && d->use[1] == CF_ROW_EXCLUDED && d->use[2] == CF_ROW_EXCLUDED &&
           d->use[3] == CF_ROW_FIT && value(study, 3, FORCE) == 4,
       "cells in it are not looked at");
    cf_study_free(study);
}

static void test_missing(void)
{
    spew("log.csv", "t_s,x_m,f_N\n0,1,1\n1,2,NaN\n2,3,-999\n3,4,2\n");
    refused("NaN", plain,
            "log.csv:3:5: f_N NaN: a number is wanted; what was not measured is an empty cell, or "
            "one that missing: NaN names");
    struct cf_study *study =
        remarks("NaN that is named",
                "    file: log.csv\n    missing: [NaN, -999]\n"
                "    columns: {time: t_s, x: x_m, force: f_N}\n",
                "log.csv: 2 cells, the last in line 4, hold what missing: names: taken as not "
                "measured\n");
    ok(study && study->spec.data->nrow == 4 && isnan(value(study, 1, FORCE)) &&
           isnan(value(study, 2, FORCE)) && value(study, 3, FORCE) == 2,
       "is no value");
    cf_study_free(study);

    spew("log.csv", "t_s,x_m,f_N,s_N\n0,1,1,0.1\n1,2,,\n2,3,-,0.1\n3,4,-,-\n4,5,2,0.2\n");
    study = remarks("a sigma of nothing",
                    "    file: log.csv\n    missing: \"-\"\n"
                    "    columns: {time: t_s, x: x_m, force: {from: f_N, sigma: {from: s_N}}}\n",
                    "log.csv: 2 cells, the last in line 5, hold what missing: names: taken as not "
                    "measured\n");
    ok(study && isnan(value(study, 1, FORCE)) && isnan(value(study, 3, FORCE)) &&
           cf_dataset_sigma(study->spec.data, 4, FORCE) == 0.2,
       "need not be there");
    cf_study_free(study);
}

/* Rows that pass and rows that are kept are told of alike. */
static void test_rows(void)
{
    static const char *const same[] = {"", "    where: {x_m: {from: 0}}\n"};

    for (size_t i = 0; i < 2; i++) {
        char keys[512];
        spew("log.csv", "t_s,x_m,f_N\n0,1,1\n1,2,x\n2,3,9500\n3,400,1\n");
        snprintf(keys, sizeof keys, "%s%s", plain, same[i]);
        refused(i ? "bad rows that are kept" : "bad rows that pass", keys,
                "log.csv:3:5: f_N x: a number is wanted\n"
                "log.csv:5:3: x 400: must be at most 10 m");
        spew("log.csv", "t_s,x_m,f_N\n0,1,1\n1,2,2\n2,3,9500\n3,4,1\n4,5\n");
        refused(i ? "a short row that is kept" : "a short row that passes", keys,
                "log.csv:6:3: 2 cells where the header has 3");
        spew("log.csv", "t_s,x_m,f_N\n0,1,1\n\n1,2,2\n2,3,9500\n3,4,1\n");
        struct cf_study *study =
            remarks(i ? "a remark on one that is kept" : "a remark on one that passes", keys,
                    "log.csv:5: force above 9 kN\n");
        ok(study && study->spec.data->nrow == 4 && study->spec.data->line[1] == 4 &&
               strlen(study->spec.data->sha256) == 64,
           "lines and hash");
        cf_study_free(study);
    }
}

TEST(records)
{
    static const char *const file[] = {"x.csv",   "f.csv",     "v.csv",
                                       "bad.csv", "holes.csv", "log.csv"};

    scratch_open(&scratch, "study.yaml");
    plan(74);
    test_files();
    test_start();
    test_bad_files();
    test_clock();
    test_counter();
    test_sensors();
    test_windows();
    test_missing();
    test_rows();
    for (size_t i = 0; i < sizeof file / sizeof *file; i++) {
        char path[128];
        remove(in_folder(file[i], path));
    }
    scratch_close(&scratch);
    return done();
}
