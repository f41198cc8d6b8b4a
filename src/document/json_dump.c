/* jansson writes every real with the same number of digits: 15, which does not always read back, or
 * 17, which shows 0.95 as 0.94999999999999996. What it writes passes through here, where the
 * numbers outside texts are made shorter. */

#include "document/json_dump.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/decimal.h"
#include "core/text.h"

enum { MOST_OF_NUMBER = 64 };

struct filter {
    json_dump_callback_t put;
    void *to;
    bool in_text, escaped; /* within quotes; behind a backslash there */
    size_t n;
    char number[MOST_OF_NUMBER + 1]; /* the one that has begun */
};

/* As jansson has it: a real shows that it is one, by a point or an exponent, which has no more
 * signs and zeros than it needs. */
static void write_real(double value, char text[CF_DECIMAL + 2])
{
    char *e, *digits;

    cf_decimal(value, text);
    e = strchr(text, 'e');
    if (!e) {
        if (!strchr(text, '.'))
            memcpy(text + strlen(text), ".0", sizeof ".0");
        return;
    }
    digits = e + 1 + (e[1] == '-');
    memmove(digits, digits + strspn(digits, "+0"), strlen(digits + strspn(digits, "+0")) + 1);
}

static int end_number(struct filter *f)
{
    char text[CF_DECIMAL + 2];

    if (f->n == 0)
        return 0;
    f->number[f->n] = '\0';
    if (strpbrk(f->number, ".eE")) {
        write_real(cf_decimal_value(f->number), text);
        f->n = strlen(text);
        memcpy(f->number, text, f->n);
    }
    int failed = f->put(f->number, f->n, f->to);
    f->n = 0;
    return failed;
}

static bool is_of_number(const struct filter *f, char c)
{
    return !f->in_text && f->n < MOST_OF_NUMBER &&
           strchr(f->n ? "0123456789+-.eE" : "0123456789-", c);
}

static void see(struct filter *f, char c)
{
    if (f->escaped)
        f->escaped = false;
    else if (f->in_text && c == '\\')
        f->escaped = true;
    else if (c == '"')
        f->in_text = !f->in_text;
}

/* What is no number goes on in pieces as long as may be. */
static int pass(const char *bytes, size_t size, void *of)
{
    struct filter *f = of;
    size_t from = 0;

    for (size_t i = 0; i < size; i++) {
        if (bytes[i] && is_of_number(f, bytes[i])) {
            if (i > from && f->put(bytes + from, i - from, f->to))
                return -1;
            f->number[f->n++] = bytes[i];
            from = i + 1;
            continue;
        }
        if (end_number(f))
            return -1;
        see(f, bytes[i]);
    }
    return size > from ? f->put(bytes + from, size - from, f->to) : 0;
}

int cf_json_dump_to(const json_t *json, json_dump_callback_t put, void *to, size_t flags)
{
    struct filter f = {.put = put, .to = to};

    return json_dump_callback(json, pass, &f, flags | JSON_REAL_PRECISION(17)) || end_number(&f)
               ? -1
               : 0;
}

static int put_stream(const char *bytes, size_t size, void *to)
{
    return fwrite(bytes, 1, size, to) == size ? 0 : -1;
}

/* jansson needs memory while it writes: what there is none for is not begun. */
int cf_json_dump(const json_t *json, FILE *out, size_t flags)
{
    struct cf_text_stream text;
    int failed = !cf_text_begin(&text) || cf_json_dump_to(json, put_stream, text.out, flags);

    if (!cf_text_end(&text) || failed || fwrite(text.bytes, 1, text.size, out) != text.size)
        failed = -1;
    free(text.bytes);
    return failed ? -1 : 0;
}
