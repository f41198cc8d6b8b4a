#include "report/live.h"

#include <sha256.h>
#include <string.h>

#include "document/json_dump.h"
#include "document/json_value.h"
#include "document/view.h"
#include "report/html.h"

/* JSON in an element, which a '<' could end: whatever means something to HTML is an escape. */
static int put_escaped(const char *bytes, size_t size, void *to)
{
    FILE *out = to;

    for (size_t i = 0; i < size; i++)
        if (strchr("<>&'`", bytes[i]) && bytes[i])
            fprintf(out, "\\u%04x", (unsigned) bytes[i]);
        else
            fputc(bytes[i], out);
    return 0;
}

int cf_live_block(json_t *document, size_t digits, FILE *out, struct cf_error *err)
{
    int failed =
        !document || (digits ? json_dump_callback(document, put_escaped, out,
                                                  JSON_COMPACT | JSON_REAL_PRECISION(digits))
                             : cf_json_dump_to(document, put_escaped, out, JSON_COMPACT));

    fputs("</script>\n", out);
    json_decref(document);
    return failed ? cf_fail(err, CF_ENOMEM, "no memory for the data of a figure") : CF_OK;
}

void cf_live_policy(const char *const script[], FILE *out)
{
    SHA256_CTX hash;
    uint8_t digest[SHA256_DIGEST_LENGTH];

    fputs("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
          "style-src 'unsafe-inline'",
          out);
    if (script) {
        SHA256Init(&hash);
        for (const char *const *piece = script; *piece; piece++)
            SHA256Update(&hash, (const uint8_t *) *piece, strlen(*piece));
        SHA256Final(digest, &hash);
        fputs("; script-src 'sha256-", out);
        cf_html_base64(out, (const char *) digest, sizeof digest);
        fputc('\'', out);
    }
    fputs("\">\n", out);
}

void cf_live_script(const char *const script[], FILE *out)
{
    fputs("<script>", out);
    for (const char *const *piece = script; *piece; piece++)
        fputs(*piece, out);
    fputs("</script>\n", out);
}

static json_t *label_and_unit(const json_t *item)
{
    json_t *pair = json_array();

    cf_json_add(&pair, cf_json_shown(cf_view_text(item, "label")));
    cf_json_add(&pair, cf_json_shown(cf_view_text(item, "unit")));
    return pair;
}

static json_t *set_of(const json_t *data)
{
    json_t *set = json_object(), *channels = json_object(), *channel;
    size_t i;

    json_array_foreach(json_object_get(data, "channels"), i, channel)
    {
        cf_json_put(&channels, cf_view_text(channel, "name"), label_and_unit(channel));
    }
    cf_json_put(&set, "name", cf_json_shown(cf_view_text(data, "name")));
    cf_json_put(&set, "file", cf_json_shown(cf_view_text(data, "file")));
    cf_json_put(&set, "axis", label_and_unit(json_object_get(data, "axis")));
    cf_json_put(&set, "channels", channels);
    return set;
}

/* In the order that the script knows. */
static json_t *row_of(const json_t *observation)
{
    static const char *const numbers[] = {"value", "sigma", "predicted", "residual"};
    json_t *row = json_array();

    cf_json_add(&row, cf_json_count(cf_view_count(observation, "data")));
    cf_json_add(&row, cf_json_count(cf_view_count(observation, "line")));
    cf_json_add(&row, cf_json_shown(cf_view_text(observation, "channel")));
    cf_json_add(&row, cf_json_number(cf_view_number(observation, "abscissa")));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        cf_json_add(&row, cf_json_number(cf_view_number(observation, numbers[i])));
    cf_json_add(&row, cf_json_shown(cf_view_text(observation, "use")));
    return row;
}

size_t cf_live_count(const json_t *fit)
{
    return json_array_size(json_object_get(fit, "observations"));
}

int cf_live_rows(const json_t *fit, const char *prefix, FILE *out, struct cf_error *err)
{
    json_t *document, *sets, *rows, *item;
    size_t i;

    if (cf_live_count(fit) > CF_LIVE_ROWS) {
        fprintf(out,
                "<p class=\"note\">The figures are pictures alone: this page would hold %zu rows "
                "for its script, more than %d.</p>\n",
                cf_live_count(fit), CF_LIVE_ROWS);
        return CF_OK;
    }
    document = json_object();
    sets = json_array();
    rows = json_array();

    json_array_foreach(json_object_get(fit, "data"), i, item)
    {
        cf_json_add(&sets, set_of(item));
    }
    json_array_foreach(json_object_get(fit, "observations"), i, item)
    {
        cf_json_add(&rows, row_of(item));
    }
    cf_json_put(&document, "name", cf_json_shown(cf_view_text(fit, "name")));
    cf_json_put(&document, "sets", sets);
    cf_json_put(&document, "rows", rows);
    fprintf(out, "<script type=\"application/json\" id=\"%slive-rows\">", prefix);
    return cf_live_block(document, 0, out, err);
}
