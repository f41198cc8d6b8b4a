#include "estimate/carried.h"

double cf_carried_sigma(const struct cf_problem *q, const struct cf_observation *o,
                        double by_imposed)
{
    const struct cf_dataset *d = &q->spec->data[o->data];
    return by_imposed * cf_dataset_sigma(d, o->row, d->protocol->imposed(d, o->row));
}

double cf_carried_beside(const struct cf_problem *q, const struct cf_observation *o,
                         double by_imposed)
{
    const struct cf_derived *recording = q->spec->data[o->data].protocol->recording;
    bool made = recording && o->column == recording->reading;

    return made && q->channel[o->channel].estimated ? cf_carried_sigma(q, o, by_imposed) : 0;
}
