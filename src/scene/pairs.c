/* The pairs of bodies that the entries of `contacts` stand for.
 *
 * An entry without a pattern says more than one with: its pair is its own, wherever it stands. Two
 * patterns of which neither says more must not both stand for a pair.
 */

#include <stdlib.h>
#include <string.h>

#include "core/list.h"
#include "core/nearest.h"
#include "core/text.h"
#include "scene/parts.h"

/* Sides of `between` that a body matches. */
enum { TOUCHING = 1, TOUCHED = 2 };

struct cf_scene_pattern {
    const struct cf_yaml *at; /* between */
    unsigned char *side;      /* nbody */
};

static bool is_pattern(const char *text)
{
    return strpbrk(text, "*?") != NULL;
}

/* As in a shell: * is any letters, also none, and ? is one. */
static bool matches(const char *pattern, const char *name)
{
    const char *star = NULL, *from = NULL; /* the last *, and what it has not taken yet */

    while (*name) {
        if (*pattern == '*') {
            star = pattern++;
            from = name;
        } else if (*pattern == '?' || *pattern == *name) {
            pattern++;
            name++;
        } else if (star) {
            pattern = star + 1;
            name = ++from;
        } else {
            return false;
        }
    }
    return pattern[strspn(pattern, "*")] == '\0';
}

static bool has_pattern(const struct cf_yaml *between)
{
    for (size_t i = 0; i < between->n; i++)
        if (between->item[i].kind == CF_YAML_TEXT && is_pattern(between->item[i].text))
            return true;
    return false;
}

bool cf_scene_pairs_many(const struct cf_yaml *node)
{
    const struct cf_yaml *between = cf_yaml_get(node, "between");

    return between && has_pattern(between);
}

/* ---- entries without a pattern */

static int by_body(const void *a, const void *b)
{
    const size_t *x = a, *y = b;

    return x[0] != y[0] ? (x[0] > y[0]) - (x[0] < y[0]) : (x[1] > y[1]) - (x[1] < y[1]);
}

static void sort_two(size_t body[2])
{
    size_t lower = body[0] < body[1] ? body[0] : body[1];

    body[1] = body[0] + body[1] - lower;
    body[0] = lower;
}

static bool is_claimed(const struct cf_scene_pairs *pairs, size_t i, size_t j)
{
    size_t body[2] = {i, j};

    sort_two(body);
    return bsearch(body, pairs->claimed, pairs->nclaimed, sizeof *pairs->claimed, by_body) != NULL;
}

int cf_scene_pairs_make(struct cf_scene_pairs *pairs, const struct cf_scene_reader *r,
                        const struct cf_yaml *contacts, struct cf_error *err)
{
    struct cf_error ignored; /* what is wrong with an entry is said when it is read */
    bool any = false;

    *pairs = (struct cf_scene_pairs){.n = 0};
    pairs->claimed = calloc(contacts->n + 1, sizeof *pairs->claimed);
    pairs->pattern = calloc(contacts->n + 1, sizeof *pairs->pattern);
    if (!pairs->claimed || !pairs->pattern)
        return cf_fail(err, CF_ENOMEM, "no memory for the contacts");
    for (size_t i = 0; i < contacts->n; i++)
        any |= cf_scene_pairs_many(&contacts->item[i]);
    for (size_t i = 0; any && i < contacts->n; i++) {
        const struct cf_yaml *between = cf_yaml_get(&contacts->item[i], "between");
        size_t *body = pairs->claimed[pairs->nclaimed];
        if (!between || between->n != 2 || has_pattern(between) ||
            cf_scene_find_body(r, &between->item[0], &body[0], &ignored) ||
            cf_scene_find_body(r, &between->item[1], &body[1], &ignored))
            continue;
        sort_two(body);
        pairs->nclaimed++;
    }
    qsort(pairs->claimed, pairs->nclaimed, sizeof *pairs->claimed, by_body);
    return CF_OK;
}

void cf_scene_pairs_clear(struct cf_scene_pairs *pairs)
{
    for (size_t i = 0; i < pairs->npattern; i++)
        free(pairs->pattern[i].side);
    free(pairs->pattern);
    free(pairs->claimed);
    free(pairs->body);
    *pairs = (struct cf_scene_pairs){.n = 0};
}

/* ---- patterns */

/* A pattern or a name without * and ?, and without the number at its end. */
static char *stem(const char *text)
{
    size_t n = 0, len = strlen(text);
    char *word = malloc(len + 1);

    if (!word)
        return NULL;
    for (size_t i = 0; i < len; i++)
        if (text[i] != '*' && text[i] != '?')
            word[n++] = text[i];
    while (n > 0 && word[n - 1] >= '0' && word[n - 1] <= '9')
        n--;
    word[n] = '\0';
    return word;
}

/* Fail with the body whose name is nearest to the pattern, numbers aside, or with all names. */
static int no_match(const struct cf_scene *scene, const struct cf_yaml *at, struct cf_error *err)
{
    const char **name = calloc(scene->nbody + 1, sizeof *name), *near = NULL;
    const char **stems = calloc(scene->nbody + 1, sizeof *stems);
    char *wanted = stem(at->text), list[512], shown[CF_SHOWN];
    bool room = name && stems && wanted;

    for (size_t i = 0; i < scene->nbody && room; i++) {
        name[i] = scene->body[i].name;
        stems[i] = stem(name[i]);
        room = stems[i] != NULL;
    }
    if (room)
        near = cf_nearest(wanted, stems, scene->nbody);
    for (size_t i = 0; i < scene->nbody && near; i++)
        if (stems[i] == near) {
            near = name[i];
            break;
        }
    if (room && !near)
        cf_join_some(list, sizeof list, name, scene->nbody);
    int status = !room  ? cf_fail(err, CF_ENOMEM, "no memory for the names of bodies")
                 : near ? cf_yaml_fail(at, err, "no body matches %s: did you mean %s?",
                                       cf_show(at->text, shown), near)
                        : cf_yaml_fail(at, err, "no body matches %s: there are %s",
                                       cf_show(at->text, shown), list);
    for (size_t i = 0; i < scene->nbody && stems; i++)
        free((char *) stems[i]);
    free(stems);
    free(name);
    free(wanted);
    return status;
}

/* The bodies of one side. */
static int mark(const struct cf_scene_reader *r, const struct cf_yaml *at, int side,
                struct cf_scene_pattern *pattern, struct cf_error *err)
{
    const struct cf_scene *scene = r->scene;
    const char *text = NULL;
    size_t body = 0, n = 0;
    int status = cf_yaml_text(at, &text, err);

    if (status)
        return status;
    if (!is_pattern(text)) {
        status = cf_scene_find_body(r, at, &body, err);
        if (!status)
            pattern->side[body] |= (unsigned char) side;
        return status;
    }
    for (size_t i = 0; i < scene->nbody; i++)
        if (matches(text, scene->body[i].name)) {
            pattern->side[i] |= (unsigned char) side;
            n++;
        }
    return n > 0 ? CF_OK : no_match(scene, at, err);
}

/* Has i something that touches, and j something that is touched? */
static bool can_touch(const struct cf_rigid *i, const struct cf_rigid *j)
{
    return i->nball + i->ncell > 0 && j->nsolid + j->ncell > 0;
}

static bool stands_for(const struct cf_scene_pattern *pattern, size_t i, size_t j)
{
    return (pattern->side[i] & TOUCHING) && (pattern->side[j] & TOUCHED);
}

/* The first body of a pair touches, the other is touched: as the pattern has them, and where it has
 * them both ways as they are listed, unless their shapes allow the other way only. */
static void put_in_order(const struct cf_scene *scene, const struct cf_scene_pattern *pattern,
                         size_t body[2])
{
    size_t i = body[0], j = body[1];
    const struct cf_rigid *a = &scene->body[i], *b = &scene->body[j];

    if (!stands_for(pattern, i, j) ||
        (stands_for(pattern, j, i) && !can_touch(a, b) && can_touch(b, a))) {
        body[0] = j;
        body[1] = i;
    }
}

/* No other pattern may stand for the pair. */
static int check_twin(const struct cf_scene_pairs *pairs, const struct cf_scene *scene,
                      const struct cf_scene_pattern *pattern, size_t i, size_t j,
                      struct cf_error *err)
{
    for (const struct cf_scene_pattern *other = pairs->pattern; other < pattern; other++)
        if (stands_for(other, i, j) || stands_for(other, j, i))
            return cf_yaml_fail(pattern->at, err,
                                "between: %s and %s are a pair of the patterns in line %zu of %s, "
                                "too: change one of them, or give the pair an entry without a "
                                "pattern",
                                scene->body[i].name, scene->body[j].name, other->at->line,
                                other->at->file);
    return CF_OK;
}

static int add(struct cf_scene_pairs *pairs, size_t i, size_t j, struct cf_error *err)
{
    size_t(*longer)[2] = cf_list_grow(pairs->body, pairs->n, sizeof *longer);

    if (!longer)
        return cf_fail(err, CF_ENOMEM, "no memory for the contacts");
    pairs->body = longer;
    longer[pairs->n][0] = i;
    longer[pairs->n++][1] = j;
    return CF_OK;
}

static int add_matched(struct cf_scene_pairs *pairs, const struct cf_scene *scene,
                       const struct cf_scene_pattern *pattern, size_t i, size_t j,
                       struct cf_error *err)
{
    int status;

    if (is_claimed(pairs, i, j))
        return CF_OK;
    status = check_twin(pairs, scene, pattern, i, j, err);
    if (!status && pairs->n == CF_SCENE_MOST_PAIRS)
        status = cf_yaml_fail(pattern->at, err, "between: more than %d pairs of bodies",
                              CF_SCENE_MOST_PAIRS);
    if (!status)
        status = add(pairs, i, j, err);
    if (!status)
        put_in_order(scene, pattern, pairs->body[pairs->n - 1]);
    return status;
}

/* All pairs of the two sides, each once, as the bodies are listed. Two that never move have no
 * contact; where there are no others the patterns are wrong. */
static int list_pairs(struct cf_scene_pairs *pairs, struct cf_scene_reader *r,
                      const struct cf_scene_pattern *pattern, struct cf_error *err)
{
    const struct cf_scene *scene = r->scene;
    const struct cf_yaml *name = pattern->at->item;
    size_t met = 0, still = 0;

    for (size_t i = 0; i < scene->nbody; i++)
        for (size_t j = i + 1; pattern->side[i] && j < scene->nbody; j++) {
            int status;
            if (!stands_for(pattern, i, j) && !stands_for(pattern, j, i))
                continue;
            met++;
            if (scene->body[i].drive == CF_DRIVE_FIXED && scene->body[j].drive == CF_DRIVE_FIXED) {
                still++;
                continue;
            }
            status = add_matched(pairs, scene, pattern, i, j, err);
            if (status)
                return status;
        }
    if (met > 0 && still == met)
        return cf_yaml_fail(pattern->at, err,
                            "between: of all pairs of %s and %s neither body ever moves",
                            name[0].text, name[1].text);
    return met > 0
               ? CF_OK
               : cf_scene_remark(r->file, err, "contacts: %s and %s match one body alone: no pair",
                                 name[0].text, name[1].text);
}

/* ---- an entry */

static int read_pattern(struct cf_scene_pairs *pairs, struct cf_scene_reader *r,
                        const struct cf_yaml *between, struct cf_error *err)
{
    struct cf_scene_pattern *pattern = &pairs->pattern[pairs->npattern];
    int status;

    pattern->at = between;
    pattern->side = calloc(r->scene->nbody + 1, sizeof *pattern->side);
    if (!pattern->side)
        return cf_fail(err, CF_ENOMEM, "no memory for the contacts");
    pairs->npattern++;
    status = mark(r, &between->item[0], TOUCHING, pattern, err);
    if (!status)
        status = mark(r, &between->item[1], TOUCHED, pattern, err);
    return status ? status : list_pairs(pairs, r, pattern, err);
}

static int read_two(struct cf_scene_pairs *pairs, const struct cf_scene_reader *r,
                    const struct cf_yaml *between, struct cf_error *err)
{
    size_t body[2] = {0, 0};
    int status = CF_OK;

    for (size_t i = 0; i < 2 && status == CF_OK; i++)
        status = cf_scene_find_body(r, &between->item[i], &body[i], err);
    if (status == CF_OK && body[0] == body[1])
        status = cf_yaml_fail(between, err, "between: %s twice: two bodies are wanted",
                              r->scene->body[body[0]].name);
    return status ? status : add(pairs, body[0], body[1], err);
}

int cf_scene_pairs_of(struct cf_scene_pairs *pairs, struct cf_scene_reader *r,
                      const struct cf_yaml *node, struct cf_error *err)
{
    const struct cf_yaml *between;
    int status = cf_yaml_need(node, "between", &between, err);

    pairs->n = 0;
    if (status == CF_OK)
        status = cf_yaml_list(between, err);
    if (status == CF_OK && between->n != 2)
        status = cf_yaml_fail(between, err, "between: %zu bodies: two are wanted", between->n);
    if (status)
        return status;
    return has_pattern(between) ? read_pattern(pairs, r, between, err)
                                : read_two(pairs, r, between, err);
}
