#include "identify/asked.h"

#include <math.h>
#include <stdlib.h>

#include "core/limits.h"
#include "core/nearest.h"
#include "core/text.h"

/* A quantity of the pair: the fitted one unless another is given. */
static int choose(const char *name, const char *unit, double given, double *value,
                  struct cf_error *err)
{
    struct cf_error why = {""};

    if (given == 0)
        return CF_OK;
    if (!(given > 0))
        return cf_fail(err, CF_EUSAGE, "%s = %.15g %s: must be above 0", name, given, unit);
    *value = given;
    return cf_limits_check(name, unit, given, &why) ? cf_fail(err, CF_EUSAGE, "%s", why.text)
                                                    : CF_OK;
}

int cf_asked_init(struct cf_asked *asked, const struct cf_model *model, const char *data,
                  double mass_kg, double radius_m, struct cf_error *err)
{
    double p[CF_MAX_PARAM];

    *asked = (struct cf_asked){.model = model};
    int status = cf_model_data(model, data, &asked->data, err);
    if (status)
        return status;
    const struct cf_dataset *like = &model->spec.data[asked->data];
    status = cf_dataset_like(like, 1, &asked->one, err);
    if (!status)
        status = choose("mass", "kg", mass_kg, &asked->one.pair.mass_kg, err);
    if (!status)
        status = choose("radius", "m", radius_m, &asked->one.pair.radius_m, err);
    return status ? status
                  : cf_model_params(model, asked->data, asked->one.pair.radius_m, p, NULL, err);
}

void cf_asked_clear(struct cf_asked *asked)
{
    cf_dataset_clear(&asked->one);
}

bool cf_asked_predicts(const struct cf_asked *asked, size_t channel)
{
    const struct cf_channel_row *c = &asked->one.protocol->channel[channel];
    return c->role == CF_ROLE_MEASURED && cf_channel_predicted(c, asked->model->law->family);
}

int cf_asked_channel(const struct cf_asked *asked, const char *name, size_t *channel,
                     struct cf_error *err)
{
    const struct cf_protocol *protocol = asked->one.protocol;
    const char *law = asked->model->law->name, *known[CF_MAX_COLUMN], *nearest;
    char list[256], shown[CF_SHOWN];
    size_t n = 0;

    for (size_t c = 0; c < protocol->nchannel; c++)
        if (cf_asked_predicts(asked, c))
            known[n++] = protocol->channel[c].name;
    cf_join_some(list, sizeof list, known, n);
    *channel = cf_protocol_channel(protocol, name);
    if (*channel < protocol->nchannel && cf_asked_predicts(asked, *channel))
        return CF_OK;
    if (*channel < protocol->nchannel && protocol->channel[*channel].role == CF_ROLE_MEASURED)
        return cf_fail(err, CF_EUSAGE, "%s predicts no %s: it predicts %s", law, name, list);
    nearest = cf_nearest(name, known, n);
    if (nearest)
        return cf_fail(err, CF_EUSAGE, "unknown quantity %s: did you mean %s?",
                       cf_show(name, shown), nearest);
    return cf_fail(err, CF_EUSAGE, "unknown quantity \"%s\": %s predicts %s", cf_show(name, shown),
                   law, list);
}

int cf_asked_at(struct cf_asked *asked, struct cf_curves *curves, double abscissa, size_t channel,
                struct cf_answer *answer, struct cf_error *err)
{
    const struct cf_model *model = asked->model;
    const size_t first = 0;
    struct cf_model_prediction y = {.gradient =
                                        calloc(model->problem.nfree + 1, sizeof *y.gradient)};
    int status = y.gradient ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for a prediction");

    *answer = (struct cf_answer){.value = NAN, .low = NAN, .high = NAN};
    if (!status)
        status =
            cf_dataset_put(&asked->one, 0, asked->one.protocol->axis_channel, abscissa, 0, err);
    if (!status)
        status =
            cf_model_predict(model, curves, asked->data, &asked->one, 1, &first, &channel, &y, err);
    if (!status)
        answer->known = y.known, answer->identified = y.identified;
    if (!status && y.identified) {
        double half = cf_model_half_width(model, y.gradient, 0, NULL);
        answer->value = y.value;
        answer->low = y.value - half;
        answer->high = y.value + half;
    }
    free(y.gradient);
    return status;
}
