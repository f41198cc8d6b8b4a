/* The table of rules, and the page that is made of it: doc/how-the-verdict-is-made.md has a line
 * for each rule, in the order of the table, with its word. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "judge/rules.h"
#include "tap.h"

static const char head[] = "| finding | where | word | accuses |\n|---|---|---|---|\n";

static void put_line(enum cf_verdict_rule rule, char line[], size_t size)
{
    const struct cf_rule_row *row = &cf_rules[rule];
    snprintf(line, size, "| %s | %s | %s | %s |\n", row->name, row->when,
             row->word == CF_VERDICT_GOOD ? "a note" : cf_verdict_text(row->word),
             cf_accused_name[row->accuses]);
}

/* Is the text at `at` the table's next line? Says what it should be. */
static const char *check_line(const char *at, enum cf_verdict_rule rule)
{
    char line[400];

    put_line(rule, line, sizeof line);
    bool same = at && strncmp(at, line, strlen(line)) == 0;
    ok(same, "%s", cf_rules[rule].name);
    if (!same)
        printf("# the page should have: %s", line);
    return same ? at + strlen(line) : NULL;
}

TEST(rules)
{
    const char *srcdir = getenv("srcdir"), *at;
    char path[400], *text = NULL;
    size_t len = 0;
    struct cf_error err = {""};

    plan(CF_NRULE + 3);
    snprintf(path, sizeof path, "%s/doc/how-the-verdict-is-made.md", srcdir ? srcdir : ".");
    ok(cf_file_read(path, 1 << 20, &text, &len, NULL, &err) == CF_OK, "the page is read: %s",
       err.text);
    at = text ? strstr(text, head) : NULL;
    ok(at, "it has a table of the rules");
    at = at ? at + strlen(head) : NULL;
    for (int i = 0; i < CF_NRULE; i++)
        at = check_line(at, (enum cf_verdict_rule) i);
    ok(at && *at == '\n', "and no line more");
    free(text);
    return done();
}
