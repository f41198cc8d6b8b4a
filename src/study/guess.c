/* A column is a quantity where one of its readings (header.h) has the quantity's name, or another
 * name of it, and a unit that fits. A quantity with several columns takes one that has its very
 * name. A column that is two quantities is the one that no other column can be; where that decides
 * nothing it is left to the user, unless it alone can be what drives the rows, or what was
 * measured.
 */

#include "study/guess.h"

#include <stdio.h>
#include <string.h>

#include "core/units.h"
#include "file/yaml.h"
#include "study/header.h"

/* How well a column fits a quantity. */
enum fit { FITS_NOT, FITS_OTHER_NAME, FITS_NAME };

static bool has_dimension(const char *unit, const char *want)
{
    struct cf_unit a, b;
    return cf_unit_parse(unit, &a, NULL) == CF_OK && cf_unit_parse(want, &b, NULL) == CF_OK &&
           cf_unit_same_dimension(&a, &b);
}

/* Load cells show what they weigh: the force that a unit of mass is of. */
static const struct {
    const char *mass, *force;
} weighed[] = {{"g", "gf"}, {"kg", "kgf"}, {"lb", "lbf"}, {"oz", "ozf"}};

static const char *as_force(const char *unit, const struct cf_channel_row *channel)
{
    for (size_t i = 0; strcmp(channel->unit, "N") == 0 && i < sizeof weighed / sizeof *weighed; i++)
        if (strcmp(unit, weighed[i].mass) == 0)
            return weighed[i].force;
    return "";
}

static bool is_called(const struct cf_words *words, const char *name, size_t n)
{
    struct cf_words own;

    cf_words_read(name, n, &own);
    return cf_words_equal(words, &own);
}

/* Is that one of the names in a list, which blanks part? */
static bool is_one_of(const struct cf_words *words, const char *list)
{
    for (size_t n; *list; list += n + strspn(list + n, " ")) {
        n = strcspn(list, " ");
        if (is_called(words, list, n))
            return true;
    }
    return false;
}

static enum fit name_fits(const struct cf_channel_row *channel, const struct cf_words *words)
{
    if (is_called(words, channel->name, strlen(channel->name)))
        return FITS_NAME;
    for (const char *const *names = channel->guesses; names && *names; names++)
        if (is_one_of(words, *names))
            return FITS_OTHER_NAME;
    return FITS_NOT;
}

/* The reading of a column that fits best, of values or of their spread. */
static enum fit find(const struct cf_csv *csv, size_t column, const struct cf_channel_row *channel,
                     bool spread, struct cf_header *best)
{
    struct cf_header reading[CF_HEADER_READINGS];
    size_t n = cf_header_read(csv, column, reading);
    enum fit most = FITS_NOT;

    for (size_t i = 0; i < n; i++) {
        enum fit fit = FITS_NOT;
        if (reading[i].name.spread == spread &&
            (!*reading[i].unit || has_dimension(reading[i].unit, channel->unit) ||
             *as_force(reading[i].unit, channel)))
            fit = name_fits(channel, &reading[i].name);
        if (fit > most) {
            most = fit;
            *best = reading[i];
        }
    }
    return most;
}

static bool is_taken(const struct cf_guess *guess, size_t n, size_t column)
{
    for (size_t i = 0; i < n; i++)
        if (guess->column[i] == column)
            return true;
    return false;
}

/* Quantities among which a column is looked for. */
enum among { AMONG_ALL, AMONG_DRIVING, AMONG_MEASURED };

static bool is_among(const struct cf_protocol *protocol, size_t channel, enum among among)
{
    switch (among) {
    case AMONG_DRIVING:
        return cf_channel_drives(protocol, channel);
    case AMONG_MEASURED:
        return protocol->channel[channel].role == CF_ROLE_MEASURED;
    default:
        return true;
    }
}

/* How many of these quantities, where they have no column yet, this one may be. */
static size_t channels_of(const struct cf_csv *csv, const struct cf_protocol *protocol,
                          const struct cf_guess *guess, size_t column, enum among among)
{
    struct cf_header reading;
    size_t n = 0;

    for (size_t i = 0; i < cf_protocol_read(protocol); i++)
        n += guess->column[i] == csv->ncolumn && is_among(protocol, i, among) &&
             find(csv, column, &protocol->channel[i], false, &reading) != FITS_NOT;
    return n;
}

/* The free columns that fit a quantity best. */
struct candidates {
    size_t n;
    size_t nsure, sure; /* of them, those that are no other quantity; one of these */
};

static struct candidates columns_of(const struct cf_csv *csv, const struct cf_protocol *protocol,
                                    const struct cf_guess *guess, size_t channel, enum among among)
{
    struct candidates all = {.n = 0};
    enum fit most = FITS_OTHER_NAME;
    struct cf_header reading;

    for (size_t j = 0; j < csv->ncolumn; j++) {
        enum fit fit = is_taken(guess, cf_protocol_read(protocol), j)
                           ? FITS_NOT
                           : find(csv, j, &protocol->channel[channel], false, &reading);
        if (fit > most)
            all = (struct candidates){.n = 0}, most = fit;
        if (fit < most)
            continue;
        all.n++;
        if (channels_of(csv, protocol, guess, j, among) == 1)
            all.nsure++, all.sure = j;
    }
    return all;
}

/* The unit that a study must state of this reading; *assumed: it is a guess, too. */
static const char *unit_to_state(const struct cf_header *reading,
                                 const struct cf_channel_row *channel, bool *assumed)
{
    *assumed = !*reading->unit && strcmp(channel->unit, "1") != 0;
    if (*assumed)
        return channel->unit;
    return reading->known || strcmp(reading->unit, "1") == 0 ? "" : reading->unit;
}

static void put_unit(char to[32], const char *unit)
{
    snprintf(to, 32, "%s", unit);
}

/* The one column of the standard deviations of a quantity, where its values are no means: the sd
 * beside a mean is that of what was averaged, and no sigma of the mean. */
static void take_sigma(const struct cf_csv *csv, const struct cf_protocol *protocol, size_t channel,
                       struct cf_guess *guess)
{
    const struct cf_channel_row *c = &protocol->channel[channel];
    struct cf_header reading;
    bool assumed;
    size_t n = 0;

    for (size_t j = 0; j < csv->ncolumn; j++) {
        if (find(csv, j, c, true, &reading) == FITS_NOT || reading.name.mean)
            continue;
        guess->sigma[channel] = n++ ? csv->ncolumn : j;
        put_unit(guess->sigma_unit[channel],
                 *reading.unit ? unit_to_state(&reading, c, &assumed) : "");
    }
}

/* A column that says of how many numbers a row is the mean; ncolumn. */
static size_t count_column(const struct cf_csv *csv)
{
    struct cf_header reading[CF_HEADER_READINGS];

    for (size_t j = 0; j < csv->ncolumn; j++)
        for (size_t i = cf_header_read(csv, j, reading); i-- > 0;)
            if (!*reading[i].unit &&
                is_one_of(&reading[i].name, "n samples count number n_samples"))
                return j;
    return csv->ncolumn;
}

/* What stands beside a measured column: standard deviations of its means; or of what they are the
 * means of, and of how many. */
static void take_floor(const struct cf_csv *csv, const struct cf_channel_row *c, bool mean,
                       size_t channel, struct cf_guess *guess)
{
    size_t of_mean = csv->ncolumn, of_log = csv->ncolumn, count = count_column(csv);
    struct cf_header reading;

    for (size_t j = 0; j < csv->ncolumn; j++) {
        if (find(csv, j, c, true, &reading) == FITS_NOT)
            continue;
        if (reading.name.mean)
            of_mean = j;
        else
            of_log = j;
    }
    guess->floor[channel] = of_mean;
    if (of_mean < csv->ncolumn || !mean || count == csv->ncolumn)
        return;
    guess->floor[channel] = of_log;
    guess->count[channel] = of_log < csv->ncolumn ? count : csv->ncolumn;
}

static void take(const struct cf_csv *csv, const struct cf_protocol *protocol, size_t channel,
                 size_t column, struct cf_guess *guess)
{
    const struct cf_channel_row *c = &protocol->channel[channel];
    struct cf_header reading;

    if (find(csv, column, c, false, &reading) == FITS_NOT)
        return;
    guess->column[channel] = column;
    put_unit(guess->unit[channel], unit_to_state(&reading, c, &guess->assumed[channel]));
    snprintf(guess->as_force[channel], sizeof guess->as_force[channel], "%s",
             as_force(reading.unit, c));
    if (*guess->as_force[channel])
        put_unit(guess->unit[channel], CF_YAML_FILL_IN);
    if (!reading.name.mean)
        take_sigma(csv, protocol, channel, guess);
    if (c->role == CF_ROLE_MEASURED && !protocol->recording)
        take_floor(csv, c, reading.name.mean, channel, guess);
}

/* Take columns that can be one quantity alone, each the only such of it, until none is left. */
static void take_sure(const struct cf_csv *csv, const struct cf_protocol *protocol,
                      enum among among, struct cf_guess *guess)
{
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < cf_protocol_read(protocol); i++) {
            struct candidates all = {.n = 0};
            if (guess->column[i] == csv->ncolumn && is_among(protocol, i, among))
                all = columns_of(csv, protocol, guess, i, among);
            if (all.nsure != 1)
                continue;
            take(csv, protocol, i, all.sure, guess);
            more = true;
        }
    }
}

static bool has_some(const struct cf_csv *csv, const struct cf_protocol *protocol,
                     const struct cf_guess *guess, enum among among)
{
    for (size_t i = 0; i < protocol->nchannel; i++)
        if (guess->column[i] < csv->ncolumn && is_among(protocol, i, among))
            return true;
    return false;
}

void cf_guess_columns(const struct cf_csv *csv, const struct cf_protocol *protocol,
                      struct cf_guess *guess)
{
    *guess = (struct cf_guess){.column = {0}};
    for (size_t i = 0; i < protocol->nchannel; i++)
        guess->column[i] = guess->sigma[i] = guess->floor[i] = guess->count[i] = csv->ncolumn;
    take_sure(csv, protocol, AMONG_ALL, guess);
    /* without something that drives the rows and something measured it is no experiment */
    for (enum among among = AMONG_DRIVING; among <= AMONG_MEASURED; among++) {
        if (has_some(csv, protocol, guess, among))
            continue;
        take_sure(csv, protocol, among, guess);
        take_sure(csv, protocol, AMONG_ALL, guess);
    }
    for (size_t i = 0; i < cf_protocol_read(protocol); i++)
        guess->asked[i] = guess->column[i] == csv->ncolumn &&
                          columns_of(csv, protocol, guess, i, AMONG_ALL).n > 0;
}

bool cf_guess_may(const struct cf_csv *csv, const struct cf_protocol *protocol,
                  const struct cf_guess *guess, size_t channel, size_t column, char unit[32])
{
    const struct cf_channel_row *c = &protocol->channel[channel];
    struct cf_header reading;
    bool assumed;

    if (!guess->asked[channel] || is_taken(guess, cf_protocol_read(protocol), column) ||
        find(csv, column, c, false, &reading) == FITS_NOT)
        return false;
    put_unit(unit, unit_to_state(&reading, c, &assumed));
    return true;
}

bool cf_guess_by_unit(const struct cf_csv *csv, const struct cf_channel_row *channel, size_t column)
{
    struct cf_header reading[CF_HEADER_READINGS];
    size_t n = cf_header_read(csv, column, reading);

    for (size_t i = 0; i < n; i++)
        if (!reading[i].name.spread && *reading[i].unit &&
            has_dimension(reading[i].unit, channel->unit) && strcmp(channel->unit, "1") != 0)
            return true;
    return false;
}
