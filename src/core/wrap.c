#include "core/wrap.h"

#include <string.h>

/* Folded lines without a mark go on this much further in. */
enum { WRAP_STEP = 2 };

static const char mark_hang = '\001', mark_first = '\002', mark_command = '\003',
                  mark_keep = '\004';

static const char *colour_of(char c)
{
    switch (c) {
    case '\005':
        return "\033[1m";
    case '\006':
        return "\033[1;32m";
    case '\016':
        return "\033[1;33m";
    case '\017':
        return "\033[1;31m";
    case '\020':
        return "\033[0m";
    default:
        return NULL;
    }
}

/* Columns of a byte: none for marks and for what continues a character of UTF-8. */
static size_t columns_of(char c)
{
    bool mark = c == mark_hang || c == mark_first || c == mark_command || colour_of(c);
    return mark || ((unsigned char) c & 0xC0) == 0x80 ? 0 : 1;
}

static size_t width_of(const char *text, size_t n)
{
    size_t columns = 0;

    for (size_t i = 0; i < n; i++)
        columns += columns_of(text[i]);
    return columns;
}

static void put(const char *text, size_t n, const struct cf_wrap *how, FILE *out)
{
    for (size_t i = 0; i < n; i++) {
        const char *colour = colour_of(text[i]);
        if (colour && how->colour)
            fputs(colour, out);
        else if (text[i] == mark_keep)
            fputc(' ', out);
        else if (columns_of(text[i]) == 0 && (unsigned char) text[i] < ' ')
            continue;
        else
            fputc((unsigned char) text[i] < ' ' || text[i] == 0x7F ? '?' : text[i], out);
    }
}

static bool is_item(const char *text)
{
    return strchr("-*>!=", text[0]) && text[1] == ' ';
}

/* Where the folded rest of a line goes on. */
static size_t indent_of(const char *line, size_t n, size_t width)
{
    const char *mark = memchr(line, mark_hang, n);
    size_t blanks = strspn(line, " "), indent = blanks + WRAP_STEP;

    if (mark && width_of(line, (size_t) (mark - line)) <= width / 2)
        return width_of(line, (size_t) (mark - line));
    if (!mark && blanks < n && is_item(line + blanks))
        indent = blanks + strlen("- ");
    return indent <= width / 2 ? indent : 0;
}

/* The word at the start of text: up to a blank or to a mark that may end the line. */
static size_t word_at(const char *text, size_t n)
{
    size_t length = 0;

    while (length < n && text[length] != ' ' && text[length] != mark_first)
        length++;
    return length;
}

static void fold_line(const char *line, size_t n, const struct cf_wrap *how, FILE *out)
{
    size_t indent = indent_of(line, n, how->width), column = 0, blanks = 0, i = 0;
    bool command = false, begun = false; /* does anything stand on this line of output? */

    while (i < n) {
        bool first = line[i] == mark_first;
        i += first;
        size_t more = strspn(line + i, " "), word = word_at(line + i + more, n - i - more);
        const char *at = line + i + more;
        size_t wide = first ? width_of(at, n - i - more) : width_of(at, word);
        bool last = i + more + word >= n;
        size_t room = how->width - (command && !last ? strlen(" \\") : 0);

        blanks += more;
        i += more + word;
        if (word == 0)
            continue;
        if (begun && wide && column + blanks + wide > room) {
            fprintf(out, "%s\n%*s", command ? " \\" : "", (int) indent, "");
            column = indent;
        } else {
            fprintf(out, "%*s", (int) blanks, "");
            column += blanks;
        }
        blanks = 0;
        put(at, word, how, out);
        column += width_of(at, word);
        begun = begun || width_of(at, word) > 0;
        command = command || memchr(at, mark_command, word);
    }
}

void cf_wrap_write(const char *text, const struct cf_wrap *how, FILE *out)
{
    while (*text) {
        size_t n = strcspn(text, "\n");
        if (how->width == 0 || width_of(text, n) <= how->width)
            put(text, n, how, out);
        else
            fold_line(text, n, how, out);
        text += n;
        if (*text) {
            fputc('\n', out);
            text++;
        }
    }
}
