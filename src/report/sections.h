/* The sections of a page; private to src/report. Each writes whole elements, with every text from
 * the fit escaped, and nothing when the fit has nothing for it. */

#ifndef CF_REPORT_SECTIONS_H
#define CF_REPORT_SECTIONS_H

#include <jansson.h>
#include <stdio.h>

#include "report/figure.h"
#include "report/render.h"

void cf_section_style(FILE *out); /* <style>, for the head of a page */

/* What all pages share: the head, up to the start of <main>, with the title "TITLE: KIND of LAW";
 * and the end. */
void cf_page_begin(const json_t *fit, const char *kind, FILE *out);
int cf_page_end(FILE *out, struct cf_error *err);

/* A figure with its caption; without a plotter it is not drawn, and its place says so. Where a
 * page holds several fits, their anchors begin with a `prefix` of their own, else "". */
int cf_page_figure(const struct cf_figure *figure, const json_t *fit, const char *prefix,
                   struct cf_plotter *plotter, FILE *out, struct cf_error *err);

/* All of a fit's page that stands between its begin and its end. */
int cf_page_body(const json_t *fit, const char *prefix, struct cf_plotter *plotter, FILE *out,
                 struct cf_error *err);

void cf_section_verdict(const json_t *fit, FILE *out);
void cf_section_why(const json_t *fit, FILE *out);

/* Parameters and combinations in a compact list, each with half the width of its interval; and the
 * one command to run next. */
void cf_section_numbers(const json_t *fit, FILE *out);
int cf_section_next(const json_t *fit, FILE *out, struct cf_error *err);

/* A command to run next, which is freed, with what it does; NULL: CF_ENOMEM. */
int cf_section_command(char *command, const char *why, FILE *out, struct cf_error *err);

void cf_section_parameters(const json_t *fit, FILE *out);
void cf_section_intervals(const json_t *fit, FILE *out);
void cf_page_posterior(const json_t *fit, const json_t *posterior, FILE *out); /* an <li> of it */
void cf_section_tournament(const json_t *fit, FILE *out);
void cf_section_rivals(const json_t *fit, FILE *out);
void cf_section_outliers(const json_t *fit, FILE *out);
void cf_section_agreement_channels(const json_t *fit, FILE *out);
void cf_section_agreement_sets(const json_t *fit, FILE *out);
void cf_section_priors(const json_t *fit, FILE *out);

/* How near the curve is to what was measured: in sentences, with a link to the section of it; and
 * that section. */
void cf_section_near(const json_t *fit, const char *prefix, FILE *out);
void cf_section_nearness(const json_t *fit, FILE *out);
void cf_section_budget(const json_t *fit, FILE *out);
void cf_section_smoothness(const json_t *fit, FILE *out);
void cf_section_plausible(const json_t *fit, FILE *out);
void cf_section_errors(const json_t *fit, FILE *out);
void cf_section_tests(const json_t *fit, FILE *out);
void cf_section_held_out(const json_t *fit, FILE *out);
void cf_section_simulators(const json_t *fit, FILE *out);
/* What the bodies are, and their picture to scale. */
void cf_section_bodies(const json_t *fit, FILE *out);

void cf_section_data(const json_t *fit, FILE *out);
void cf_section_law(const json_t *fit, FILE *out);
void cf_section_making(const json_t *fit, FILE *out);

/* The rows that a data set leaves out, with the reasons. */
void cf_section_excluded(const json_t *excluded, FILE *out);

/* The first cells of a row about one measurement: channel, line and abscissa. */
void cf_section_row_head(const json_t *fit, const json_t *row, FILE *out);

/* The last cells of a row about a test: its p-values, and what came of it, with the word for a
 * test that rejects. */
void cf_section_outcome(const json_t *fit, const json_t *test, const char *rejected, FILE *out);

/* A table of what was measured and predicted: of the rows with this use (NULL: any) all, or those
 * that lie outside their intervals; so many stand open. How many they are; NULL for out counts. */
size_t cf_section_rows(const json_t *fit, const char *use, bool all, size_t open, FILE *out);

/* A parameter, combination or nuisance with its interval; words where the data do not identify it,
 * which is not printed as if they did. */
void cf_section_estimate(const json_t *parameter, FILE *out);

/* The word of a verdict, as one that stands out. */
void cf_section_status(const json_t *verdict, FILE *out);

/* The verdict on a parameter, and what it is given. */
void cf_section_tag(const json_t *fit, const json_t *parameter, FILE *out);

/* What is folded away until it is asked for: a heading that opens it, and below it a section with
 * this anchor, so that links to what is inside open it, too. Paper has those with `print`; others
 * only where the reader left them open. Title: HTML. */
void cf_fold_begin(const char *id, const char *title, bool print, FILE *out);
void cf_fold_end(FILE *out);

/* The sections of a fit's page that are folded, behind links to them: all but what stands in the
 * first screen, whose figure is `first` (NULL: none). */
int cf_page_sections(const json_t *fit, const char *prefix, const struct cf_figure *first,
                     struct cf_plotter *plotter, FILE *links, FILE *out, struct cf_error *err);

/* A list of sentences under a heading (HTML), nothing where it is empty; `what` are many of them.
 */
void cf_section_list(const json_t *fit, const json_t *list, const char *heading, const char *what,
                     FILE *out);

/* Parts of a row about a law in a comparison: its parameters, with `comma` (HTML) between them; the
 * root mean squares of its raw residuals in a cell. */
void cf_section_values(const json_t *fit, const json_t *rival, const char *comma, FILE *out);
void cf_section_rms(const json_t *fit, const json_t *rival, FILE *out);

#endif
