#include "core/text.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file_system.h"

/* The code point of the sequence at s[0..len) and its length; length 0 when it is not valid. */
static size_t decode(const unsigned char *s, size_t len, uint32_t *code)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t n = s[0] < 0x80             ? 1
               : (s[0] & 0xE0) == 0xC0 ? 2
               : (s[0] & 0xF0) == 0xE0 ? 3
               : (s[0] & 0xF8) == 0xF0 ? 4
                                       : 0;
    if (n == 0 || n > len)
        return 0;

    uint32_t c = n == 1 ? s[0] : s[0] & (0x7Fu >> n);
    for (size_t i = 1; i < n; i++) {
        if ((s[i] & 0xC0) != 0x80)
            return 0;
        c = c << 6 | (s[i] & 0x3F);
    }
    if (c < smallest[n] || (c >= 0xD800 && c <= 0xDFFF) || c > 0x10FFFF)
        return 0;
    *code = c;
    return n;
}

size_t cf_utf8_length(const char *text, size_t len)
{
    uint32_t code;
    return len ? decode((const unsigned char *) text, len, &code) : 0;
}

size_t cf_utf8_width(const char *text)
{
    size_t n = 0;
    for (; *text; text++)
        n += (*text & 0xC0) != 0x80;
    return n;
}

/* control characters (C0, DEL, C1), line separators and marks of direction */
static bool is_unsafe(uint32_t c)
{
    return c < 0x20 || c == 0x61C || (c >= 0x7F && c < 0xA0) || (c >= 0x200E && c <= 0x200F) ||
           (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

/* Bytes of the character at text[0..len); *safe: it may be shown. */
static size_t look(const char *text, size_t len, bool *safe)
{
    uint32_t code;
    size_t n = decode((const unsigned char *) text, len, &code);

    *safe = n && (code == '\t' || !is_unsafe(code));
    return n ? n : 1;
}

const char *cf_text_unsafe(const char *text, size_t len)
{
    bool safe;

    for (size_t i = 0, n; i < len; i += n) {
        n = look(text + i, len - i, &safe);
        if (!safe)
            return text + i;
    }
    return NULL;
}

void cf_text_make_safe(char *text)
{
    size_t len = strlen(text), to = 0;
    bool safe;

    for (size_t i = 0, n; i < len; i += n) {
        n = look(text + i, len - i, &safe);
        if (safe)
            memmove(text + to, text + i, n);
        else
            text[to] = '?';
        to += safe ? n : 1;
    }
    text[to] = '\0';
}

const char *cf_show(const char *text, char out[CF_SHOWN])
{
    static const char more[] = "...";
    size_t len = strlen(text), used = 0, room = CF_SHOWN - sizeof more;

    for (size_t i = 0, n; i < len; i += n ? n : 1) {
        uint32_t code;
        n = decode((const unsigned char *) text + i, len - i, &code);
        size_t width = n && !is_unsafe(code) ? n : 1;
        if (used + width > room) {
            memcpy(out + used, more, sizeof more);
            return out;
        }
        if (n && !is_unsafe(code))
            memcpy(out + used, text + i, n);
        else
            out[used] = '?';
        used += width;
    }
    out[used] = '\0';
    return out;
}

void cf_join(char text[], size_t size, const char *const word[], size_t n, const char *last)
{
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < n && used < size; i++)
        used += (size_t) snprintf(text + used, size - used, "%s%s",
                                  i == 0       ? ""
                                  : i + 1 == n ? last
                                               : ", ",
                                  word[i]);
}

void cf_join_some(char text[], size_t size, const char *const word[], size_t n)
{
    char shown[CF_SHOWN], more[40]; /* " and 18446744073709551615 more" */
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < n; i++) {
        size_t length = strlen(cf_show(word[i], shown)) + (i ? strlen(", ") : 0);
        size_t rest = i + 1 < n ? (size_t) snprintf(more, sizeof more, " and %zu more", n) : 0;
        if (used + length + rest >= size) {
            snprintf(text + used, size - used, i ? " and %zu more" : "%zu of them", n - i);
            return;
        }
        used += (size_t) snprintf(text + used, size - used, "%s%s", i ? ", " : "", shown);
    }
}

char *cf_joined(const char *const word[], size_t n, const char *last)
{
    size_t size = 1;
    char *text;

    for (size_t i = 0; i < n; i++)
        size += strlen(word[i]) + (i + 1 == n ? strlen(last) : strlen(", "));
    text = malloc(size);
    if (text)
        cf_join(text, size, word, n, last);
    return text;
}

char *cf_format_list(const char *format, va_list args)
{
    va_list again;
    int length;
    char *text;

    va_copy(again, args);
    length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    text = length >= 0 ? malloc((size_t) length + 1) : NULL;
    if (text)
        vsnprintf(text, (size_t) length + 1, format, args);
    return text;
}

/* Room for size bytes more and for the '\0' behind them. */
static bool grow(struct cf_text_stream *text, size_t size)
{
    size_t need = text->size + size + 1;

    if (need <= text->room)
        return true;
    size_t room = need < 2 * text->room ? 2 * text->room : need;
    char *more = realloc(text->bytes, room);
    if (!more)
        return false;
    text->bytes = more;
    text->room = room;
    return true;
}

/* Once a piece is lost, no later one is taken. */
static bool append(void *owner, const char *bytes, size_t size)
{
    struct cf_text_stream *text = owner;

    text->failed = text->failed || !grow(text, size);
    if (text->failed)
        return false;
    memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
    return true;
}

bool cf_text_begin(struct cf_text_stream *text)
{
    text->bytes = NULL;
    text->size = text->room = 0;
    text->failed = false;
    /* room for the first bytes, so that the end of an empty text cannot fail behind all work */
    text->out = grow(text, CF_TEXT_GATHERED)
                    ? cf_stream_open(append, text, text->gathered, CF_TEXT_GATHERED)
                    : NULL;
    return text->out != NULL;
}

bool cf_text_end(struct cf_text_stream *text)
{
    bool whole = text->out && !ferror(text->out);

    if (text->out && fclose(text->out) != 0)
        whole = false;
    text->out = NULL;
    if (whole && !text->failed && grow(text, 0)) {
        text->bytes[text->size] = '\0';
        return true;
    }
    free(text->bytes);
    text->bytes = NULL;
    text->size = 0;
    return false;
}

char *cf_format(const char *format, ...)
{
    va_list args;
    char *text;

    va_start(args, format);
    text = cf_format_list(format, args);
    va_end(args);
    return text;
}
