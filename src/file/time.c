#include "file/time.h"

#include <string.h>

/* Digits of text[n] as a number; -1 where one is none. */
static int digits(const char *text, size_t n)
{
    int value = 0;

    for (size_t i = 0; i < n; i++) {
        if (text[i] < '0' || text[i] > '9')
            return -1;
        value = 10 * value + (text[i] - '0');
    }
    return value;
}

static bool is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

/* Days from 1 January 1970 to a day of the Gregorian calendar; false where there is no such day. */
static bool days_of(int year, int month, int day, long long *days)
{
    static const int before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};

    if (year < 1 || month < 1 || month > 12 || day < 1)
        return false;
    int length = before[month] - before[month - 1] + (month == 2 && is_leap(year)), y = year - 1;
    if (day > length)
        return false;
    *days =
        365LL * (year - 1970) + (y / 4 - y / 100 + y / 400) - (1969 / 4 - 1969 / 100 + 1969 / 400);
    *days += before[month - 1] + (month > 2 && is_leap(year)) + day - 1;
    return true;
}

/* "18:30:05": seconds of the day; false where it is none. */
static bool clock_of(const char *text, long long *seconds)
{
    int hour = digits(text, 2), minute, second;

    if (hour < 0 || hour > 23 || text[2] != ':')
        return false;
    minute = digits(text + 3, 2);
    if (minute < 0 || minute > 59 || text[5] != ':')
        return false;
    second = digits(text + 6, 2);
    *seconds = 3600LL * hour + 60LL * minute + second;
    return second >= 0 && second <= 59;
}

/* ".25": up to nine digits; more are cut. */
static const char *fraction_of(const char *text, long long *ns)
{
    long long unit = 100000000;

    *ns = 0;
    if (*text != '.' && *text != ',')
        return text;
    for (text++; *text >= '0' && *text <= '9'; text++, unit /= 10)
        *ns += unit * (*text - '0');
    return text;
}

/* "", "Z", "+01:00" or "-0130": seconds to take away. */
static bool zone_of(const char *text, long long *seconds, bool *zoned)
{
    int hour, minute;
    size_t colon;

    *seconds = 0;
    *zoned = *text != '\0';
    if (!*text || strcmp(text, "Z") == 0)
        return true;
    if ((*text != '+' && *text != '-') || (hour = digits(text + 1, 2)) < 0)
        return false;
    colon = text[3] == ':';
    minute = digits(text + 3 + colon, 2);
    if (hour > 23 || minute < 0 || minute > 59 || text[5 + colon])
        return false;
    *seconds = (*text == '-' ? -1 : 1) * (3600LL * hour + 60LL * minute);
    return true;
}

bool cf_time_parse(const char *text, long long *ns, bool *zoned)
{
    long long days, clock, fraction, zone;

    if (strlen(text) < strlen("2026-11-22T18:30:05") || text[4] != '-' || text[7] != '-' ||
        (text[10] != 'T' && text[10] != ' '))
        return false;
    if (!days_of(digits(text, 4), digits(text + 5, 2), digits(text + 8, 2), &days) ||
        !clock_of(text + 11, &clock))
        return false;
    /* nanoseconds since 1970 fit from 1678 to 2262 */
    if (days < -106000 || days > 106000)
        return false;
    if (!zone_of(fraction_of(text + strlen("2026-11-22T18:30:05"), &fraction), &zone, zoned))
        return false;
    *ns = (86400 * days + clock - zone) * 1000000000 + fraction;
    return true;
}

int cf_time_rate(const struct cf_yaml *node, struct cf_time_source *time, struct cf_error *err)
{
    const struct cf_yaml *rate = cf_yaml_get(node, "rate");

    if (!rate)
        return CF_OK;
    time->counted = !cf_yaml_get(node, "from");
    return cf_yaml_positive(rate, "Hz", &time->rate_Hz, err);
}

/* A cell of a column whose first one is a date. */
static int read_date(const struct cf_csv *csv, const struct cf_time_source *time, size_t row,
                     long long first, bool zoned, double *time_s, struct cf_error *err)
{
    char room[CF_CSV_ROOM];
    const char *cell = cf_csv_cell(csv, row, time->column, room);
    long long ns;
    bool own;

    if (!cf_time_parse(cell, &ns, &own))
        return cf_fail(err, CF_EINPUT,
                       "%s:%zu:%zu: %.60s %.60s: a date and a time are wanted, as in the first row",
                       csv->path, csv->line[row], cf_csv_at(csv, row, time->column),
                       csv->full[time->column], *cell ? cell : "(empty)");
    if (own != zoned)
        return cf_fail(
            err, CF_EINPUT, "%s:%zu:%zu: %.60s %.60s: a time %s zone, and the first row's is %s",
            csv->path, csv->line[row], cf_csv_at(csv, row, time->column), csv->full[time->column],
            cell, own ? "with a" : "without", own ? "without" : "with one");
    *time_s = 1e-9 * (double) (ns - first);
    return CF_OK;
}

int cf_time_start(const struct cf_yaml *node, struct cf_time_source *time, struct cf_error *err)
{
    const struct cf_yaml *start = cf_yaml_get(node, "start");

    if (!start)
        return CF_OK;
    if (!(time->rate_Hz > 0))
        return cf_yaml_fail_key(start, err, "start: is of counted samples: it needs a rate");
    time->dated =
        start->kind == CF_YAML_TEXT && cf_time_parse(start->text, &time->zero_ns, &time->zoned);
    return time->dated ? CF_OK : cf_yaml_quantity(start, "s", &time->start_s, err);
}

int cf_time_read(const struct cf_csv *csv, const struct cf_time_source *time, size_t row,
                 double *time_s, struct cf_error *err)
{
    struct cf_time_source from = *time;
    char room[CF_CSV_ROOM];
    int status;

    if (time->counted) {
        size_t sample = csv->passing ? csv->nrow - 1 : row;
        *time_s = time->start_s + (double) sample / time->rate_Hz;
        return CF_OK;
    }
    if (!time->begun && !(time->rate_Hz > 0))
        from.dated =
            cf_time_parse(cf_csv_cell(csv, 0, time->column, room), &from.zero_ns, &from.zoned);
    if (from.dated && !(time->rate_Hz > 0))
        return read_date(csv, time, row, from.zero_ns, from.zoned, time_s, err);
    status = cf_csv_number(csv, row, time->column, time_s, err);
    if (!status)
        *time_s =
            time->rate_Hz > 0 ? time->start_s + *time_s / time->rate_Hz : *time_s * time->factor;
    return status;
}
