/* Text folded between words. Expected lines were set by hand. */

#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/wrap.h"
#include "tap.h"

static const struct {
    size_t width;
    const char *text, *want, *what;
} row[] = {
    {20, "four words of a line", "four words of a line", "as wide as it may be"},
    {19, "four words of a line\n", "four words of a\n  line\n", "one column too wide"},
    {0, "a b c d e f g h i j k l m n", "a b c d e f g h i j k l m n", "no width: never folded"},
    {20, "    an indented line of words", "    an indented line\n      of words", "further in"},
    {20, "  - an item of several words", "  - an item of\n    several words", "behind a bullet"},
    {24, "  name  " CF_WRAP_HANG "what it is called by all",
     "  name  what it is\n"
     "        called by all",
     "at the mark"},
    {24, "  a very long name  " CF_WRAP_HANG "what it is", "  a very long name  what\n    it is",
     "a mark beyond the middle counts for nothing"},
    {12, "see abcdefghijklmnopqrstuvw there", "see\n  abcdefghijklmnopqrstuvw\n  there",
     "a word that is wider stands alone and whole"},
    {24, "  k  1.818" CF_WRAP_FIRST "  (fine)\n", "  k  1.818  (fine)\n", "room for the rest"},
    {24, "  k  1.818   " CF_WRAP_FIRST "  (fine if the law held)",
     "  k  1.818\n    (fine if the law\n    held)",
     "no room: a new line, without blanks before it"},
    {20, "next: " CF_WRAP_COMMAND "fit a.yaml --law power", "next: fit a.yaml \\\n  --law power",
     "a command goes on behind a backslash"},
    {20, "next: " CF_WRAP_COMMAND "fit a.yaml --b 1", "next: fit a.yaml \\\n  --b 1",
     "and has room for it"},
    {14, "fit [-o" CF_WRAP_KEEP "DIR] [-s" CF_WRAP_KEEP "N]", "fit [-o DIR]\n  [-s N]",
     "kept together"},
    {13,
     "\xC3\xA4\xC3\xB6\xC3\xBC\xC3\xA4\xC3\xB6\xC3\xBC \xC3\xA4\xC3\xB6\xC3\xBC\xC3\xA4\xC3\xB6"
     "\xC3\xBC",
     "\xC3\xA4\xC3\xB6\xC3\xBC\xC3\xA4\xC3\xB6\xC3\xBC \xC3\xA4\xC3\xB6\xC3\xBC\xC3\xA4"
     "\xC3\xB6\xC3\xBC",
     "a character of two bytes is one column"},
    {20, CF_WRAP_BAD "misfit" CF_WRAP_PLAIN ": no\n", "misfit: no\n", "no colour"},
    {40, "a\033[2Jb\tc\x7F", "a?[2Jb?c?", "control characters are shown as ?"},
    {20, "one\n\ntwo\n", "one\n\ntwo\n", "empty lines stay"},
};

static char *folded(const char *text, struct cf_wrap how)
{
    char *out = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&out, &size);

    if (!stream)
        exit(99);
    cf_wrap_write(text, &how, stream);
    fclose(stream);
    return out;
}

TEST(wrap)
{
    enum { N = sizeof row / sizeof *row };
    char *got;

    plan(N + 1);
    for (size_t i = 0; i < N; i++) {
        got = folded(row[i].text, (struct cf_wrap){.width = row[i].width});
        is_str(got, row[i].want, "%s", row[i].what);
        free(got);
    }
    got = folded(CF_WRAP_GOOD "good" CF_WRAP_PLAIN " " CF_WRAP_BOLD "all of it" CF_WRAP_PLAIN,
                 (struct cf_wrap){.width = 14, .colour = true});
    is_str(got, "\033[1;32mgood\033[0m \033[1mall of it\033[0m", "colours take no columns");
    free(got);
    return done();
}
