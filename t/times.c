/* Times in tables: dates by the C library's calendar, counted samples, and what is refused. */

#define _GNU_SOURCE

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "file/time.h"
#include "lib/scratch.h"
#include "tap.h"

static bool is(const char *text, long long want, bool zone)
{
    long long ns = 0;
    bool zoned = !zone;

    return cf_time_parse(text, &ns, &zoned) && ns == want && zoned == zone;
}

/* Every day from 1700 to 2250, and what timegm() makes of it. */
static void calendar(void)
{
    struct tm day = {.tm_year = 1700 - 1900, .tm_mday = 1, .tm_hour = 18, .tm_min = 3, .tm_sec = 9};
    size_t bad = 0, n = 0;

    for (; day.tm_year < 2250 - 1900; day.tm_mday++, n++) {
        char text[64];
        time_t seconds = timegm(&day);
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &day);
        bad += !is(text, 1000000000LL * (long long) seconds, false);
    }
    ok(n == 200884 && bad == 0, "%zu days, %zu of them wrong", n, bad);
}

static void texts(void)
{
    const long long noon = 1795348800000000000; /* 2026-11-22T12:00:00Z, by date -d */
    static const char *const none[] = {"",
                                       "12.5",
                                       "2026-11-22",
                                       "2026-11-22T12:00",
                                       "2026-11-31T12:00:00",
                                       "2025-02-29T12:00:00",
                                       "1900-02-29T12:00:00",
                                       "2026-13-01T12:00:00",
                                       "2026-00-01T12:00:00",
                                       "2026-11-00T12:00:00",
                                       "2026-11-22T24:00:00",
                                       "2026-11-22T12:60:00",
                                       "2026-11-22T12:00:60",
                                       "2026-11-22T12:00:00X",
                                       "2026-11-22T12:00:00+1",
                                       "2026-11-22T12:00:00+01:0",
                                       "2026-11-22T12:00:00+01:000",
                                       "2026-11-22T12:00:00+24:00",
                                       "2026-11-22x12:00:00",
                                       "2026/11/22 12:00:00",
                                       "9999-01-01T00:00:00",
                                       "0001-01-01T00:00:00"};

    ok(is("2026-11-22T12:00:00", noon, false), "a date and a time");
    ok(is("2026-11-22 12:00:00Z", noon, true), "a blank, and a zone");
    ok(is("2026-11-22 13:30:00+01:30", noon, true), "east of it");
    ok(is("2026-11-22 10:45:00-0115", noon, true), "west, without a colon");
    ok(is("2026-11-22T12:00:00.25", noon + 250000000, false), "a fraction");
    ok(is("2026-11-22T12:00:00,000000001", noon + 1, false), "a nanosecond, behind a comma");
    ok(is("2026-11-22T12:00:00.1234567899Z", noon + 123456789, true), "what is finer is cut");
    ok(is("2000-02-29T00:00:00", 951782400000000000, false), "29 February 2000");
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        long long ns;
        bool zoned;
        ok(!cf_time_parse(none[i], &ns, &zoned), "none: \"%s\"", none[i]);
    }
}

/* The times of a table's first column, up to the first that fails. */
static size_t times(const char *table, double rate_Hz, bool counted, double time_s[], size_t most,
                    struct cf_error *err)
{
    struct scratch scratch;
    const struct cf_time_source source = {.factor = 1e-3, .rate_Hz = rate_Hz, .counted = counted};
    size_t n = 0;

    scratch_open(&scratch, "none.yaml");
    scratch_write(scratch.file, "");
    scratch_write(scratch.table, table);
    struct cf_csv *csv = cf_csv_read(scratch.table, &cf_csv_plain, CF_CSV_MEMORY, err);
    while (csv && n < csv->nrow && n < most &&
           cf_time_read(csv, &source, n, &time_s[n], err) == CF_OK)
        n++;
    cf_csv_free(csv);
    scratch_close(&scratch);
    return n;
}

static void columns(void)
{
    struct cf_error err = {""};
    double t[4];

    ok(times("t,x\n5,1\n7.5,2\n", 0, false, t, 4, &err) == 2 && t[0] == 0.005 && t[1] == 0.0075,
       "numbers, by their unit");
    ok(times("t,x\n2026-11-22T23:59:59.999999999,1\n2026-11-23T00:00:00.000000001,2\n", 0, false, t,
             4, &err) == 2 &&
           t[0] == 0 && t[1] == 2e-9,
       "dates, from the first row on, to the nanosecond");
    ok(times("t,x\n2026-11-22T12:00:00Z,1\n2026-11-22T14:00:01.5+02:00,2\n", 0, false, t, 4,
             &err) == 2 &&
           t[1] == 1.5,
       "zones");
    ok(times("i,x\n100,1\n101,2\n103,2\n", 1000, false, t, 4, &err) == 3 && t[0] == 0.1 &&
           t[2] == 0.103,
       "counted samples");
    ok(times("x,y\n3,1\n1,2\n", 8000, true, t, 4, &err) == 2 && t[0] == 0 && t[1] == 1.0 / 8000,
       "rows that are samples");
    ok(times("t,x\n2026-11-22T12:00:00,1\n12.5,2\n", 0, false, t, 4, &err) == 1,
       "a date and a number");
    ok(strstr(err.text, ":3:1: t 12.5: a date and a time are wanted, as in the first row") != NULL,
       "is refused: %s", err.text);
    ok(times("t,x\n12.5,1\n2026-11-22T12:00:00,2\n", 0, false, t, 4, &err) == 1,
       "a number and a date: %s", err.text);
    ok(times("t,x\n2026-11-22T12:00:00,1\n2026-11-22T12:00:01Z,2\n", 0, false, t, 4, &err) == 1,
       "no zone and a zone");
    ok(strstr(err.text, "a time with a zone, and the first row's is without") != NULL,
       "are refused: %s", err.text);
    ok(times("t,x\n2026-11-22T12:00:00Z,1\n2026-11-22T12:00:01,2\n", 0, false, t, 4, &err) == 1 &&
           strstr(err.text, "a time without zone, and the first row's is with one"),
       "and the other way: %s", err.text);
}

TEST(times)
{
    plan(42);
    calendar();
    texts();
    columns();
    return done();
}
