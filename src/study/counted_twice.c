/* Is a reading counted twice? The same line of the same file may give data sets different columns,
 * but no column the same value in two of them: twice as many rows make intervals too narrow. */

#include <stdlib.h>
#include <string.h>

#include "study/parts.h"

/* A measured value, and where it comes from. */
struct reading {
    const struct cf_dataset *data;
    size_t set, line, column;
    double value;
};

static int compare_source(const void *a, const void *b)
{
    const struct reading *x = a, *y = b;
    int file = strcmp(x->data->sha256, y->data->sha256);

    if (file)
        return file;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    if (x->column != y->column)
        return x->column < y->column ? -1 : 1;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return (x->set > y->set) - (x->set < y->set);
}

/* Is the data set of a file that another one is of, too? */
static bool has_twin(const struct cf_spec *spec, size_t set)
{
    for (size_t i = 0; i < spec->ndata && spec->data[set].file; i++)
        if (i != set && spec->data[i].file &&
            cf_protocol_same(spec->data[i].protocol, spec->data[set].protocol) &&
            strcmp(spec->data[i].sha256, spec->data[set].sha256) == 0)
            return true;
    return false;
}

/* Those of data sets with a twin into list[], NULL: to be counted. Returns their number. */
static size_t gather(const struct cf_spec *spec, struct reading list[])
{
    size_t n = 0;

    for (size_t i = 0; i < spec->ndata; i++) {
        const struct cf_dataset *d = &spec->data[i];
        bool twin = has_twin(spec, i);
        for (size_t row = 0; row < d->nrow && twin; row++)
            for (size_t c = 0; c < d->protocol->nchannel; c++) {
                if (d->use[row] == CF_ROW_EXCLUDED || !cf_dataset_has(d, row, c) ||
                    d->protocol->channel[c].role != CF_ROLE_MEASURED)
                    continue;
                if (list)
                    list[n] = (struct reading){d, i, cf_dataset_line(d, row, c), c,
                                               cf_dataset_value(d, row, c)};
                n++;
            }
    }
    return n;
}

/* May a data set repeat what others have: `repeat: true`? */
static int read_repeat(const struct cf_yaml *root, size_t set, bool *repeats, struct cf_error *err)
{
    const struct cf_yaml *at = cf_yaml_get(&cf_yaml_get(root, "data")->item[set], "repeat");

    *repeats = false;
    return at ? cf_yaml_bool(at, repeats, err) : CF_OK;
}

int cf_study_counted_once(const struct cf_study *study, const struct cf_yaml *root,
                          struct cf_error *err)
{
    const struct cf_spec *spec = &study->spec;
    size_t n = gather(spec, NULL);
    struct reading *list = calloc(n + 1, sizeof *list);
    int status = list ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu readings", n);

    if (!status) {
        gather(spec, list);
        qsort(list, n, sizeof *list, compare_source);
    }
    for (size_t i = 1; i < n && !status; i++) {
        const struct reading *a = &list[i - 1], *b = &list[i];
        bool repeats;
        if (a->set == b->set || a->line != b->line || a->column != b->column ||
            a->value != b->value || strcmp(a->data->sha256, b->data->sha256) != 0)
            continue;
        status = read_repeat(root, b->set, &repeats, err);
        if (!status && !repeats)
            status = cf_yaml_fail(
                &cf_yaml_get(root, "data")->item[b->set], err,
                "%s: %s of line %zu of %s is in data set %s already: counted twice it makes "
                "intervals too narrow: leave one out, or state repeat: true",
                b->data->name, b->data->protocol->channel[b->column].name, b->line, b->data->file,
                a->data->name);
    }
    free(list);
    return status;
}
