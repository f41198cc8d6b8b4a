#include "cmd/terminal.h"

#include <stdlib.h>
#include <string.h>

#include "core/file_system.h"

/* What a terminal has where it does not say; what is so narrow that words no longer fit. */
enum { USUAL_WIDTH = 80, LEAST_WIDTH = 20, MOST_WIDTH = 10000 };

/* 0: not said. */
static size_t width_in_environment(void)
{
    const char *text = getenv("COLUMNS");

    if (!text || !*text || strlen(text) > 5 || text[strspn(text, "0123456789")])
        return 0;
    return strtoul(text, NULL, 10);
}

static bool has_colour(void)
{
    const char *off = getenv("NO_COLOR"), *term = getenv("TERM");
    return !(off && *off) && term && *term && strcmp(term, "dumb") != 0;
}

struct cf_wrap cf_terminal(FILE *stream)
{
    size_t width = width_in_environment(), columns = 0;
    bool terminal = cf_stream_terminal(stream, &columns);

    width = width ? width : columns;
    if (!width && !terminal && stream == stderr)
        return (struct cf_wrap){0, false};
    if (!width)
        width = USUAL_WIDTH;
    width = width < LEAST_WIDTH ? LEAST_WIDTH : width > MOST_WIDTH ? MOST_WIDTH : width;
    return (struct cf_wrap){width, terminal && has_colour()};
}

void cf_terminal_write(const char *text, FILE *stream)
{
    struct cf_wrap how = cf_terminal(stream);
    cf_wrap_write(text, &how, stream);
}

bool cf_terminal_end(struct cf_text_stream *text, FILE *stream)
{
    bool whole = cf_text_end(text);

    if (whole)
        cf_terminal_write(text->bytes, stream);
    free(text->bytes);
    return whole;
}
