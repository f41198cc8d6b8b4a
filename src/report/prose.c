#include "report/prose.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "document/view.h"
#include "report/channel.h"
#include "report/html.h"

enum { LONGEST = 80 }; /* bytes of a word that may be more than text */

static const char closing[] = ",.:;)";

/* "1.8e-05": its first bytes are a number with an exponent, the others close a sentence. */
static bool put_number(const char *word, FILE *out)
{
    char *end;
    double value = strtod(word, &end);
    size_t n = (size_t) (end - word);

    if (n == 0 || !memchr(word, 'e', n) || !strchr("-0123456789", *word) ||
        end[strspn(end, closing)])
        return false;
    cf_html_number(out, value, 2);
    cf_html_text(out, end);
    return true;
}

/* A symbol: with an exponent, or a parameter's name. Of one letter k alone, since `a` and `p` are
 * words and probabilities as well. */
static bool is_symbol(const json_t *fit, const char *name)
{
    if (strchr(name, '^'))
        return true;
    return json_object_get(cf_view(fit, "parameters"), name) &&
           (name[1] != '\0' || strcmp(name, "k") == 0);
}

/* A word without the marks behind it, which follow as text. */
static void put_word(const json_t *fit, const char *word, FILE *out)
{
    char name[LONGEST + 1];
    size_t n = strlen(word);

    if (put_number(word, out))
        return;
    while (n > 0 && strchr(",.:;", word[n - 1]))
        n--;
    memcpy(name, word, n);
    name[n] = '\0';
    if (is_symbol(fit, name)) {
        cf_html_formula(out, name);
    } else {
        bool channel = cf_channel_label(fit, name) != name;
        for (char *c = name; channel && (c = strchr(c, '_'));)
            *c = ' ';
        cf_html_text(out, name);
    }
    cf_html_text(out, word + n);
}

void cf_prose(const json_t *fit, const char *text, FILE *out)
{
    int depth = 0; /* of braces */

    while (*text) {
        char word[LONGEST + 1];
        size_t n = strcspn(text, " "), kept = n < LONGEST ? n : LONGEST;
        bool whole = n <= LONGEST;

        memcpy(word, text, kept);
        word[kept] = '\0';
        for (size_t i = 0; i < kept; i++)
            depth += (word[i] == '{') - (word[i] == '}');
        if (whole && depth == 0 && !strchr(word, '}'))
            put_word(fit, word, out);
        else
            cf_html_text(out, word);
        text += kept;
        for (; *text == ' '; text++)
            fputc(' ', out);
    }
}
