#include "document/view.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

const json_t *cf_view(const json_t *fit, const char *path)
{
    while (fit && *path) {
        size_t len = strcspn(path, ".");
        char key[64];
        if (len >= sizeof key)
            return NULL;
        memcpy(key, path, len);
        key[len] = '\0';
        fit = json_object_get(fit, key);
        path += len + (path[len] == '.');
    }
    return fit;
}

double cf_view_number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : (double) NAN;
}

const char *cf_view_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

const char *cf_view_statement(const json_t *statement)
{
    const char *alone = json_string_value(statement);
    return alone ? alone : cf_view_text(statement, "text");
}

bool cf_view_true(const json_t *object, const char *key)
{
    return json_is_true(json_object_get(object, key));
}

bool cf_view_is_false(const json_t *object, const char *key)
{
    return json_is_false(json_object_get(object, key));
}

size_t cf_view_count(const json_t *object, const char *key)
{
    json_int_t n = json_integer_value(json_object_get(object, key));
    return n > 0 ? (size_t) n : 0;
}

double cf_view_item(const json_t *list, size_t i)
{
    const json_t *value = json_array_get(list, i);
    return json_is_number(value) ? json_number_value(value) : (double) NAN;
}

const json_t *cf_view_channel(const json_t *data, const char *name)
{
    const json_t *channel;
    size_t i;

    json_array_foreach(json_object_get(data, "channels"), i, channel)
    {
        if (strcmp(cf_view_text(channel, "name"), name) == 0)
            return channel;
    }
    return NULL;
}

bool cf_view_plain(const char *text)
{
    if (!*text)
        return false;
    for (; *text; text++)
        if (!isalnum((unsigned char) *text) && *text != '_' && *text != '-')
            return false;
    return true;
}

bool cf_view_determined(const json_t *parameter)
{
    const char *verdict = cf_view_text(parameter, "verdict");
    return strcmp(verdict, "flat") != 0 && strcmp(verdict, "dead") != 0;
}

bool cf_view_partly_known(const json_t *fit)
{
    const json_t *verdict = cf_view(fit, "verdict");
    const char *name;
    json_t *p;

    /* a file that does not say whether the law describes the data has none of it */
    if (strcmp(cf_view_text(verdict, "status"), "undetermined") != 0 ||
        !cf_view_is_false(verdict, "misfit"))
        return false;
    json_object_foreach((json_t *) json_object_get(fit, "parameters"), name, p)
    {
        const char *worth = cf_view_text(p, "verdict");
        if (strcmp(worth, "at bound") == 0 || strcmp(worth, "dead") == 0)
            return false;
    }
    return true;
}

const char *cf_view_limit(const json_t *parameter, double *limit)
{
    const json_t *interval = json_object_get(parameter, "interval");
    double low = cf_view_number(interval, "low"), high = cf_view_number(interval, "high");

    if (strcmp(cf_view_text(parameter, "verdict"), "at bound") != 0 || isnan(low) == isnan(high))
        return NULL;
    *limit = isnan(low) ? high : low;
    return isnan(low) ? "below" : "above";
}

bool cf_view_has_leave_one_out(const json_t *rivals)
{
    for (size_t i = 0; i < json_array_size(rivals); i++)
        if (isfinite(cf_view_number(json_array_get(rivals, i), "leave_one_out_rms_sigma")))
            return true;
    return false;
}

bool cf_view_found(const json_t *fit, enum cf_verdict_rule rule)
{
    const json_t *reason;
    size_t i;

    json_array_foreach(cf_view(fit, "verdict.reasons"), i, reason)
    {
        if (strcmp(cf_view_text(reason, "rule"), cf_rules[rule].name) == 0)
            return true;
    }
    return false;
}

bool cf_view_is_start(const json_t *parameter)
{
    return strcmp(cf_view_text(parameter, "role"), "start") == 0;
}

size_t cf_view_starts(const json_t *fit)
{
    size_t n = 0;
    const char *name;
    json_t *p;

    json_object_foreach((json_t *) json_object_get(fit, "parameters"), name, p)
    {
        n += cf_view_is_start(p);
    }
    return n;
}

const char *cf_view_need(const json_t *fit)
{
    static const struct {
        const char *word, *text;
    } text[] = {
        {"adequate", "its curve is adequate for what is needed"},
        {"not adequate", "its curve is not adequate for what is needed"},
        {"cannot tell", "whether its curve is as near as needed cannot be told"},
    };
    const char *needed = cf_view_text(cf_view(fit, "verdict"), "needed");

    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        if (strcmp(needed, text[i].word) == 0)
            return text[i].text;
    return "";
}

bool cf_view_usable(const json_t *fit)
{
    const json_t *verdict = cf_view(fit, "verdict");
    const char *needed = cf_view_text(verdict, "needed");

    if (!*needed)
        return cf_view_true(verdict, "trusted");
    return strcmp(needed, "adequate") == 0 &&
           strcmp(cf_view_text(verdict, "status"), "failed") != 0 &&
           !cf_view_found(fit, CF_RULE_IMPOSSIBLE); /* the pair is not the one that was measured */
}
