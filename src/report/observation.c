#include "report/observation.h"

#include <math.h>

#include "document/view.h"
#include "report/html.h"

static bool corrected(const json_t *row)
{
    return json_object_get(row, "true_value") != NULL;
}

struct cf_datum cf_observation_datum(const json_t *row, struct cf_scaling by)
{
    double y = cf_view_number(row, corrected(row) ? "true_value" : "value");
    double sigma = cf_view_number(row, corrected(row) ? "true_sigma" : "sigma");
    double half = isfinite(sigma) ? sigma : 0;

    return (struct cf_datum){.x = by.x * cf_view_number(row, "abscissa"),
                             .y = by.y * y,
                             .low = by.y * (y - half),
                             .high = by.y * (y + half)};
}

double cf_observation_predicted(const json_t *row)
{
    if (!corrected(row))
        return cf_view_number(row, "predicted");
    return cf_view_number(row, "true_value") -
           cf_view_number(row, "residual") * cf_view_number(row, "true_sigma");
}

void cf_observation_caption(const json_t *fit, const struct cf_shown_channel *channel, FILE *html)
{
    size_t i;
    json_t *row;

    json_array_foreach(json_object_get(fit, "observations"), i, row)
    {
        if (!corrected(row) || !cf_shown_has(fit, channel, row))
            continue;
        fputs(" Readings of ", html);
        cf_html_text(html, channel->label);
        fputs(" are drawn as true values, corrected by the gain or bias that was fitted along.",
              html);
        return;
    }
}
