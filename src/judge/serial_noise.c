#include "judge/serial_noise.h"

#include "estimate/serial.h"

/* Of a record that is shorter than so many correlation times intervals cover less than they
 * promise: the noise and the error of the law cannot be separated any more. */
static const double least_times = 20;

void cf_judge_serial(struct cf_fit *fit)
{
    const struct cf_problem *q = &fit->optimum.problem;

    for (size_t i = 0; i < q->nserial; i++) {
        const struct cf_serial *s = &q->serial[i];
        const struct cf_channel *c = &q->channel[s->channel];
        const struct cf_dataset *d = &q->spec->data[c->data];
        const char *name = d->protocol->channel[c->column].name;
        double time = cf_serial_time(&s->model), n = (double) s->n;
        if (time > n / least_times) {
            struct cf_finding *f = cf_add_finding(
                &fit->findings, CF_RULE_SHORT_RECORD,
                "the errors of %s in %s are correlated over %.3g rows, and the record has %zu: "
                "fewer than %g correlation times do not identify its noise, and the intervals are "
                "too narrow",
                name, d->name, time, s->n, least_times);
            f->data = d->name;
            f->quantity = name;
            f->size = n / time;
            f->unit = "correlation times";
            f->level = least_times;
            cf_say(&fit->advice, "record %s longer, for %.3g rows or more, or find the drift in it",
                   d->name, least_times * time);
        }
        if (!s->settled) {
            struct cf_finding *f = cf_add_finding(
                &fit->findings, CF_RULE_UNSETTLED,
                "the search for the noise model of %s of %s did not converge: each fit selected "
                "another",
                name, d->name);
            f->data = d->name;
            f->quantity = name;
        }
    }
}
