/* Channels and axes in words, as a fit file says them, and sentences about the main ones. Private
 * to src/report.
 *
 * Nothing here knows a protocol: names, labels, symbols and units come from the file, whose reader
 * has seen to it that they are plain.
 */

#ifndef CF_REPORT_CHANNEL_H
#define CF_REPORT_CHANNEL_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct cf_shown_axis {
    const char *name, *label, *symbol, *unit; /* symbol "": none; unit "1": a pure number */
    bool linear;                              /* signed; else positive and log-spaced */
};

/* A measured channel of a protocol, which several data sets may have; protocol NULL: of all whose
 * main channel it is, along the same axis. */
struct cf_shown_channel {
    const char *protocol, *name, *label, *symbol, *unit;
    struct cf_shown_axis axis;
};

/* The i-th of the measured channels of a fit's protocols, in the order of data sets and of their
 * tables; false behind the last. */
bool cf_shown_channel(const json_t *fit, size_t i, struct cf_shown_channel *out);

/* The measured channel of that name of a data set's protocol; false: it has none. */
bool cf_shown_of(const json_t *fit, size_t data, const char *name, struct cf_shown_channel *out);

/* What an entry of `adequacy` is of: a channel, or a number of runs with the axis of these; of
 * repeats, their count. */
bool cf_shown_judged(const json_t *fit, const json_t *entry, struct cf_shown_channel *out);

/* The i-th of the main channels, the headlines of data sets in their order: one for all data sets
 * that share quantity and axis, whatever their protocols. false behind the last. */
bool cf_shown_main(const json_t *fit, size_t i, struct cf_shown_channel *out);

/* The first of them, that of the main figure. false: no data set. */
bool cf_shown_headline(const json_t *fit, struct cf_shown_channel *out);

/* Is a channel of a protocol one of them? */
bool cf_shown_is_main(const json_t *fit, const struct cf_shown_channel *channel);

/* Are they of this channel: an observation or curve; the protocol of a data set? */
bool cf_shown_has(const json_t *fit, const struct cf_shown_channel *channel, const json_t *item);
bool cf_shown_in(const json_t *fit, const struct cf_shown_channel *channel, size_t data);

/* Can a place be drawn on the axis? */
bool cf_shown_on(const struct cf_shown_axis *axis, double abscissa);

/* The channel of an observation, curve or point in its own data set; NULL: none. */
const json_t *cf_row_channel(const json_t *fit, const json_t *row);

/* Label and unit of the first channel of that name; the name itself and "1" where there is none. */
const char *cf_channel_label(const json_t *fit, const char *name);
const char *cf_channel_unit(const json_t *fit, const char *name);

/* A text with {headline}, {Headline}, {label}, {Label}, {y}, {axis}, {Axis}, {axis label}, {x}
 * replaced by name, label and symbol of the main channel and its axis, capital where the word in
 * braces is; NULL for the fit stands for any, with the words themselves. As text into out[size],
 * cut where it is full; as HTML, where the text is HTML and what is put into it is escaped. */
const char *cf_words(const json_t *fit, const char *text, char out[], size_t size);
void cf_words_html(const json_t *fit, const char *text, FILE *html);

/* " Drawn are 1002 of 5000 rows: RULE." where the file does not hold all rows; else nothing. */
void cf_caption_points(const json_t *fit, FILE *html);

#endif
