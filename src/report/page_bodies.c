/* The bodies of a study: what they are, and beside it their picture, to scale. */

#include <math.h>
#include <string.h>

#include "document/view.h"
#include "report/axis.h"
#include "report/html.h"
#include "report/listing.h"
#include "report/sections.h"
#include "report/text_width.h"

/* Of the picture [px]: the largest sphere, the room between bodies, what names take below the
 * ground and the height of their letters. */
static const double largest = 80, between = 18, names = 40, letters = 13;

struct picture {
    const json_t *bodies;
    size_t n;
    double scale;      /* px a metre */
    const char *plane; /* the name of the first one; NULL: there is none */
    FILE *out;
};

static double radius_of(const struct picture *p, size_t i)
{
    return cf_view_number(json_array_get(p->bodies, i), "radius_m");
}

static const char *name_of(const struct picture *p, size_t i)
{
    return cf_view_text(json_array_get(p->bodies, i), "name");
}

/* What a sphere takes along the ground. */
static double width_of(const struct picture *p, size_t i)
{
    return between +
           fmax(2 * fabs(radius_of(p, i)) * p->scale, letters * cf_letters_width(name_of(p, i)));
}

/* A sphere on the ground, or below it the bowl that one which is hollow leaves. */
static void put_sphere(const struct picture *p, size_t i, double middle)
{
    double r = radius_of(p, i) * p->scale, size = fabs(r);

    if (r > 0)
        fprintf(p->out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>", middle, largest - r, r);
    else
        fprintf(p->out, "<path d=\"M%.1f %.1fa%.1f %.1f 0 0 0 %.1f 0\"/>", middle - size,
                largest - size, size, size, 2 * size);
    fprintf(p->out, "<text x=\"%.1f\" y=\"%.1f\" class=\"m\">", middle, largest + 18);
    cf_html_text(p->out, name_of(p, i));
    fputs("</text>", p->out);
}

/* A length of 1, 2 or 5 times a power of ten that fits into half of the largest sphere and more. */
static void put_scale(const struct picture *p, double from)
{
    double metres = largest / p->scale / 2, power = pow(10, floor(log10(metres)));
    double length = power * (metres >= 5 * power ? 5 : metres >= 2 * power ? 2 : 1);
    struct cf_prefix fits = cf_prefix_for("m", length);

    fprintf(p->out, "<path class=\"scale\" d=\"M%.1f %.1fh%.1f\"/><text x=\"%.1f\" y=\"%.1f\">",
            from, largest + 31, length * p->scale, from + length * p->scale + 6, largest + 35.5);
    fprintf(p->out, "%.3g %sm</text>", length * fits.factor, fits.symbol);
}

static void put_description(const struct picture *p)
{
    const char *before = "";

    fputs("<title>The bodies to scale</title><desc>", p->out);
    for (size_t i = 0; i < p->n; i++) {
        double radius = radius_of(p, i);
        if (!isfinite(radius))
            continue;
        struct cf_prefix fits = cf_prefix_for("m", fabs(radius));
        fputs(before, p->out);
        cf_html_text(p->out, name_of(p, i));
        fprintf(p->out, ", radius %.4g %sm%s", fabs(radius) * fits.factor, fits.symbol,
                radius < 0 ? ", hollow" : "");
        before = "; ";
    }
    if (p->plane) {
        fputs("; on ", p->out);
        cf_html_text(p->out, p->plane);
    }
    fputs("</desc>", p->out);
}

static void put_picture(const struct picture *p)
{
    double width = between / 2, at = between / 2;

    for (size_t i = 0; i < p->n; i++)
        if (isfinite(radius_of(p, i)))
            width += width_of(p, i);
    if (p->plane)
        width += between + letters * cf_letters_width(p->plane);
    width = fmax(width, largest + 80);
    fprintf(p->out,
            "<svg class=\"bodies\" role=\"img\" aria-label=\"The bodies to scale\" width=\"%.0f\" "
            "height=\"%.0f\" "
            "viewBox=\"0 0 %.0f %.0f\">",
            width, largest + names, width, largest + names);
    put_description(p);
    if (p->plane) {
        fprintf(
            p->out,
            "<path class=\"ground\" d=\"M0 %.1fh%.0f\"/><text x=\"%.0f\" y=\"%.1f\" class=\"e\">",
            largest, width, width, largest - 6);
        cf_html_text(p->out, p->plane);
        fputs("</text>", p->out);
    }
    for (size_t i = 0; i < p->n; i++)
        if (isfinite(radius_of(p, i))) {
            put_sphere(p, i, at + (width_of(p, i) - between) / 2);
            at += width_of(p, i);
        }
    put_scale(p, between / 2);
    fputs("</svg>\n", p->out);
}

static void put_words(const json_t *bodies, size_t n, FILE *out)
{
    size_t all = json_array_size(bodies);

    fputs("<p>Bodies: ", out);
    for (size_t i = 0; i < n; i++) {
        const json_t *body = json_array_get(bodies, i);
        double radius = cf_view_number(body, "radius_m"), mass = cf_view_number(body, "mass_kg");
        fputs(i ? "; " : "", out);
        cf_html_text(out, cf_view_text(body, "name"));
        fputs(", a ", out);
        cf_html_text(out, cf_view_text(body, "shape"));
        if (*cf_view_text(body, "material")) {
            fputs(" of ", out);
            cf_html_text(out, cf_view_text(body, "material"));
        }
        if (isfinite(radius)) {
            fputs(" of radius ", out);
            cf_html_number(out, radius, 5);
            cf_html_unit(out, "m");
        }
        if (isfinite(mass)) {
            fputs(isfinite(radius) ? " and mass " : " of mass ", out);
            cf_html_number(out, mass, 5);
            cf_html_unit(out, "kg");
        }
        fputs(cf_view_true(body, "fixed") ? ", fixed" : "", out);
    }
    if (n < all)
        fprintf(out, "; and %zu more, which the fit file has", all - n);
    fputs(".</p>\n", out);
}

void cf_section_bodies(const json_t *fit, FILE *out)
{
    const json_t *bodies = cf_view(fit, "study.bodies");
    size_t all = json_array_size(bodies);
    struct picture picture = {.bodies = bodies, .n = all, .out = out};
    double most = 0;

    if (!all)
        return;
    if (cf_listing_is_long(all, CF_OPEN_SETS))
        picture.n = CF_OPEN_SETS;
    for (size_t i = 0; i < picture.n; i++) {
        const char *shape = cf_view_text(json_array_get(bodies, i), "shape");
        if (!picture.plane && strcmp(shape, "plane") == 0)
            picture.plane = name_of(&picture, i);
        if (isfinite(radius_of(&picture, i)))
            most = fmax(most, fabs(radius_of(&picture, i)));
    }
    put_words(bodies, picture.n, out);
    if (!(most > 0))
        return;
    picture.scale = (largest - 2) / (2 * most);
    put_picture(&picture);
}
