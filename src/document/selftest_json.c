#include "document/selftest_json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "core/file.h"
#include "core/text.h"
#include "document/json_load.h"
#include "document/json_place.h"
#include "document/json_value.h"

static const char kind[] = "selftest/2";

/* What a million replicates of some parameters take. */
static const size_t largest_file = (size_t) 1 << 30;

/* Each parameter of a replicate is a list: its worth, three truths, per bootstrap two, and three
 * numbers. */
enum { LENGTH = 1 + 4 + 2 * CF_NBOOTSTRAP + 3 };

static json_t *parameter_json(const struct cf_recovered *s)
{
    json_t *j = json_array();

    cf_json_add(&j, cf_json_count(s->worth));
    cf_json_add(&j, json_boolean(s->identified));
    cf_json_add(&j, json_boolean(s->covered));
    cf_json_add(&j, json_boolean(s->wald_covered));
    cf_json_add(&j, json_boolean(s->below));
    for (size_t k = 0; k < CF_NBOOTSTRAP; k++) {
        cf_json_add(&j, json_boolean(s->resampled[k]));
        cf_json_add(&j, json_boolean(s->resampled_covered[k]));
    }
    cf_json_add(&j, cf_json_number(s->z));
    cf_json_add(&j, cf_json_number(s->low));
    cf_json_add(&j, cf_json_number(s->high));
    return j;
}

static json_t *replicate_json(const struct cf_replicate *r, size_t nfree)
{
    json_t *j = json_object(), *parameters = json_array(), *found = json_array();

    for (int k = 0; k < CF_NRULE; k++)
        if (r->found[k])
            cf_json_add(&found, json_string(cf_rules[k].name));
    for (size_t i = 0; i < nfree; i++)
        cf_json_add(&parameters, parameter_json(&r->parameter[i]));
    cf_json_put(&j, "index", cf_json_count(r->index));
    cf_json_put(&j, "error", r->broken ? cf_json_shown(r->why) : json_null());
    cf_json_put(&j, "false_success", json_boolean(r->false_success));
    cf_json_put(&j, "status", cf_json_count(r->status));
    cf_json_put(&j, "found", found);
    cf_json_put(&j, "parameters", parameters);
    return j;
}

/* What all records that are counted together have in common. */
static json_t *head_json(const struct cf_selftest_source *source,
                         const struct cf_selftest_plan *plan)
{
    const struct cf_spec *design = plan->truth->spec;
    json_t *j = json_object(), *data = json_array(), *rivals = json_array();
    char seed[32];

    snprintf(seed, sizeof seed, "%llu", (unsigned long long) plan->seed);
    cf_json_put(&j, "version", json_string(PACKAGE_VERSION));
    cf_json_put(&j, "study", json_string(source->name));
    cf_json_put(&j, "study_sha256", json_string(source->sha256));
    for (size_t i = 0; i < design->ndata; i++)
        cf_json_add(&data, json_string(design->data[i].sha256));
    cf_json_put(&j, "data_sha256", data);
    cf_json_put(&j, "law", json_string(plan->fitted->law->name));
    for (size_t i = 0; i < plan->nrival; i++)
        cf_json_add(&rivals, json_string(plan->rival[i]->name));
    cf_json_put(&j, "rivals", rivals);
    cf_json_put(&j, "made_by", json_string(plan->truth->law->name));
    cf_json_put(&j, "truth", cf_json_numbers(plan->theta, plan->truth->nfree));
    cf_json_put(&j, "sigma", cf_json_numbers(plan->sigma, plan->truth->nchannel));
    cf_json_put(&j, "seed", json_string(seed));
    return j;
}

json_t *cf_selftest_json(const struct cf_selftest_source *source,
                         const struct cf_selftest_plan *plan, const struct cf_replicates *seen)
{
    json_t *j = json_object(), *all = json_array();

    for (size_t i = 0; i < seen->n; i++)
        cf_json_add(&all, replicate_json(&seen->replicate[i], seen->nfree));
    cf_json_put(&j, "contactfit", json_string(kind));
    cf_json_put(&j, "of", head_json(source, plan));
    cf_json_put(&j, "replicates", all);
    return j;
}

static double number_of(const json_t *value)
{
    return json_is_number(value) ? json_number_value(value) : (double) NAN;
}

/* Item i of a list is true; a function, because jansson's macros evaluate their argument twice. */
static bool is_set(const json_t *list, size_t i)
{
    return json_is_true(json_array_get(list, i));
}

static bool take_parameter(const json_t *j, struct cf_recovered *s)
{
    size_t n = 5;

    if (json_array_size(j) != LENGTH || json_integer_value(json_array_get(j, 0)) < 0 ||
        json_integer_value(json_array_get(j, 0)) >= CF_NWORTH)
        return false;
    s->worth = (enum cf_worth) json_integer_value(json_array_get(j, 0));
    s->identified = is_set(j, 1);
    s->covered = is_set(j, 2);
    s->wald_covered = is_set(j, 3);
    s->below = is_set(j, 4);
    for (size_t k = 0; k < CF_NBOOTSTRAP; k++) {
        s->resampled[k] = is_set(j, n++);
        s->resampled_covered[k] = is_set(j, n++);
    }
    s->z = number_of(json_array_get(j, n++));
    s->low = number_of(json_array_get(j, n++));
    s->high = number_of(json_array_get(j, n++));
    return true;
}

/* The rules that were found, by their names. */
static bool take_found(const json_t *j, bool found[CF_NRULE])
{
    for (size_t i = 0; i < json_array_size(j); i++) {
        const char *name = json_string_value(json_array_get(j, i));
        int k = 0;
        while (name && k < CF_NRULE && strcmp(cf_rules[k].name, name) != 0)
            k++;
        if (!name || k == CF_NRULE)
            return false;
        found[k] = true;
    }
    return json_is_array(j);
}

/* A replicate into its place; seen[] says which have come. */
static int take_replicate(const struct cf_json_place *place, const json_t *j, bool seen[],
                          struct cf_replicates *out)
{
    json_int_t index = json_integer_value(json_object_get(j, "index"));
    json_int_t verdict = json_integer_value(json_object_get(j, "status"));
    const json_t *parameters = json_object_get(j, "parameters");

    if (!json_is_integer(json_object_get(j, "index")) || index < 0 || index >= (json_int_t) out->n)
        return cf_json_refuse(place, "replicate %lld: from 0 to %zu are wanted", (long long) index,
                              out->n - 1);
    if (seen[index])
        return cf_json_refuse(place, "replicate %lld is there twice", (long long) index);
    if (verdict < 0 || verdict >= CF_NVERDICT || json_array_size(parameters) != out->nfree)
        return cf_json_refuse(place, "replicate %lld is none of this version", (long long) index);
    struct cf_replicate *r = &out->replicate[index];
    r->index = (size_t) index;
    r->status = (enum cf_verdict_status) verdict;
    r->broken = json_is_string(json_object_get(j, "error"));
    if (r->broken && !(r->why = cf_format("%s", json_string_value(json_object_get(j, "error")))))
        return cf_fail(place->err, CF_ENOMEM, "no memory for the reason of a failure");
    r->false_success = json_is_true(json_object_get(j, "false_success"));
    bool known = take_found(json_object_get(j, "found"), r->found);
    for (size_t i = 0; i < out->nfree && known; i++)
        known = take_parameter(json_array_get(parameters, i), &r->parameter[i]);
    if (!known)
        return cf_json_refuse(place, "replicate %lld is none of this version", (long long) index);
    seen[index] = true;
    return CF_OK;
}

/* Where two records are not of the same, the key that says so. */
static const char *difference(const json_t *a, const json_t *b)
{
    const char *key;
    json_t *value;

    json_object_foreach((json_t *) a, key, value)
    {
        if (!json_equal(value, json_object_get(b, key)))
            return key;
    }
    return NULL;
}

static int take_record(const char *path, const json_t *head, bool seen[], struct cf_replicates *out,
                       struct cf_error *err)
{
    const struct cf_json_place place = {.file = path, .err = err};
    char *text = NULL;
    size_t len = 0, i;
    json_t *record = NULL, *item;
    int status = cf_file_read(path, largest_file, &text, &len, NULL, err);

    if (!status)
        status = cf_json_load(path, text, len, &record, err);
    free(text);
    if (status)
        return status;
    const char *is = json_string_value(json_object_get(record, "contactfit"));
    if (!is || strcmp(is, kind) != 0)
        status = cf_json_refuse(&place,
                                "no record of a self-test: those have \"contactfit\": "
                                "\"%s\"",
                                kind);
    const char *other = status ? NULL : difference(head, json_object_get(record, "of"));
    if (other)
        status = cf_json_refuse(&place, "a record of another self-test: its %s differs", other);
    json_array_foreach(json_object_get(record, "replicates"), i, item)
    {
        if (!status)
            status = take_replicate(&place, item, seen, out);
    }
    json_decref(record);
    return status;
}

/* All are there? */
static int check_all(const struct cf_selftest_source *source, const bool seen[], size_t n,
                     struct cf_error *err)
{
    size_t first = 0, last;

    while (first < n && seen[first])
        first++;
    for (last = first; last < n && !seen[last];)
        last++;
    return first == n
               ? CF_OK
               : cf_fail(err, CF_EINPUT,
                         "replicates %zu to %zu are in no record: --tasks %zu:%zu makes "
                         "them",
                         first, last - 1, source->first_task + first, source->first_task + last);
}

int cf_selftest_merge(const struct cf_selftest_source *source, const struct cf_selftest_plan *plan,
                      size_t n, char *const path[], struct cf_replicates *out, struct cf_error *err)
{
    json_t *head = head_json(source, plan);
    bool *seen = calloc(plan->replicates + 1, sizeof *seen);
    size_t nfree;
    int status = cf_selftest_parameters(plan, &nfree, err);

    *out = (struct cf_replicates){0};
    if (!status)
        status = cf_replicates_alloc(out, plan->replicates, nfree, err);
    if (!status && (!head || !seen))
        status = cf_fail(err, CF_ENOMEM, "no memory for %zu replicates", plan->replicates);
    for (size_t i = 0; i < n && !status; i++)
        status = take_record(path[i], head, seen, out, err);
    if (!status)
        status = check_all(source, seen, plan->replicates, err);
    json_decref(head);
    free(seen);
    return status;
}

int cf_selftest_tasks(const char *text, size_t most, size_t *from, size_t *to, struct cf_error *err)
{
    char shown[CF_SHOWN], *end;

    *from = strtoul(text, &end, 10);
    *to = *end == ':' ? strtoul(end + 1, &end, 10) : 0;
    if (*text < '0' || *text > '9' || *end || *to <= *from || *to > most)
        return cf_fail(err, CF_EUSAGE,
                       "--tasks %s: FROM:TO is wanted, the replicates from FROM up to before TO, "
                       "of 0:%zu",
                       cf_show(text, shown), most);
    return CF_OK;
}
