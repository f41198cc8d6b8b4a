/* The keys of studies, and what may stand under each: what the readers refuse other keys by. */

#include "study/keys.h"

#include <stdio.h>

#include "estimate/global.h"
#include "estimate/loss.h"
#include "estimate/spec.h"
#include "experiment/dataset.h"
#include "experiment/plausible_rules.h"
#include "experiment/protocol.h"
#include "experiment/registry.h"
#include "file/schema_rows.h"
#include "law/contact_law.h"
#include "law/friction.h"
#include "scene/keys.h"
#include "scene/law_keys.h"
#include "study/study.h"

static const char *law_name(size_t i)
{
    return cf_laws[i] ? cf_laws[i]->name : NULL;
}

static const char *foundation_name(size_t i)
{
    for (const struct cf_law *const *l = cf_laws; *l; l++)
        if ((*l)->family == CF_FAMILY_FOUNDATION && i-- == 0)
            return (*l)->name;
    return NULL;
}

/* Of the second part of a contact law. */
static const char *friction_name(size_t i)
{
    const char *name[CF_MOST_FRICTIONS];

    return i < cf_contact_friction_names(name) ? name[i] : NULL;
}

static const char *protocol_name(size_t i)
{
    return cf_protocols[i] ? cf_protocols[i]->name : NULL;
}

/* Of protocols of tables; those of scenes have the quantities of their scene. */
static const struct cf_protocol *table_protocol(size_t i)
{
    for (const struct cf_protocol *const *p = cf_protocols; *p; p++)
        if (!(*p)->by_scene && i-- == 0)
            return *p;
    return NULL;
}

static const char *table_protocol_name(size_t i)
{
    const struct cf_protocol *p = table_protocol(i);
    return p ? p->name : NULL;
}

static const char *quantity_name(size_t i, size_t j)
{
    const struct cf_protocol *p = table_protocol(i);
    return j < cf_protocol_read(p) ? p->channel[j].name : NULL;
}

static const char *apparatus_name(size_t i, size_t j)
{
    const struct cf_protocol *p = table_protocol(i);

    if (j < p->napparatus)
        return p->apparatus[j].name;
    return p->presses && j == p->napparatus ? cf_apparatus_shape : NULL;
}

static void quantity_note(size_t i, size_t j, struct cf_schema_note *out)
{
    const struct cf_channel_row *c = &table_protocol(i)->channel[j];

    /* what stands there names a column, whose numbers are in a unit of its own */
    snprintf(out->unit, sizeof out->unit, "%s", c->unit);
    out->what = c->what;
}

static void apparatus_note(size_t i, size_t j, struct cf_schema_note *out)
{
    const struct cf_protocol *p = table_protocol(i);

    if (j < p->napparatus)
        cf_schema_note_of(&p->apparatus[j], out);
}

/* Parameters of laws and other names of them, law by law, then those of frictions. */
static const char *parameter_name(size_t i)
{
    for (const struct cf_law *const *l = cf_laws; *l; i -= (*l)->nparam + (*l)->nalias, l++)
        if (i < (*l)->nparam)
            return (*l)->param[i].name;
        else if (i < (*l)->nparam + (*l)->nalias)
            return (*l)->alias[i - (*l)->nparam].name;
    for (const struct cf_friction_law *const *l = cf_friction_laws; *l; i -= (*l)->nparam, l++)
        if (i < (*l)->nparam)
            return (*l)->param[i].name;
    return NULL;
}

/* A name may be that of several laws, in units of their own. */
static void parameter_note(size_t i, struct cf_schema_note *out)
{
    cf_schema_note_parameter(parameter_name(i), out);
}

/* ---- words */

static const char *const head_words[] = {"study/1"}, *const none_words[] = {"none"},
                         *const all_words[] = {"all"}, *const hertz_words[] = {"hertz"},
                         *const end_words[] = {"end"}, *const estimate_words[] = {"estimate"},
                         *const data_words[] = {"data"}, *const reading_words[] = {"reading"};
static const struct cf_schema head = {WORD(head_words)}, none = {WORD(none_words)},
                              all = {WORD(all_words)}, hertz = {WORD(hertz_words)},
                              end = {WORD(end_words)}, estimate = {WORD(estimate_words)},
                              by_data = {WORD(data_words)}, reading = {WORD(reading_words)};
static const struct cf_schema loss = {
    .kind = CF_SCHEMA_WORD, .word = cf_loss_name, .nword = CF_NLOSS};
static const struct cf_schema search = {
    .kind = CF_SCHEMA_WORD, .word = cf_global_name, .nword = CF_NGLOBAL};
static const struct cf_schema sharing = {
    .kind = CF_SCHEMA_WORD, .word = cf_sharing_name, .nword = CF_NSHARING};
static const struct cf_schema growth = {.kind = CF_SCHEMA_WORD,
                                        .word = &cf_sigma_model_name[CF_SIGMA_CONSTANT],
                                        .nword = CF_NSIGMA_MODEL - CF_SIGMA_CONSTANT};
static const struct cf_schema protocol = {.kind = CF_SCHEMA_WORD, .name = protocol_name};
static const struct cf_schema foundation = {.kind = CF_SCHEMA_WORD, .name = foundation_name};
static const struct cf_schema one_law = {.kind = CF_SCHEMA_WORD, .name = law_name};
static const struct cf_schema one_friction = {.kind = CF_SCHEMA_WORD, .name = friction_name};
static const struct cf_schema two_parts = {.kind = CF_SCHEMA_TEXT, .pattern = "\\+"};
static const struct cf_schema law = {EITHER(&one_law, &two_parts)};
static const struct cf_schema friction = {EITHER(&one_friction, &one_law)};
static const struct cf_schema rival = {EITHER(&one_law, &one_friction, &two_parts)},
                              rivals = {LIST_OF(rival)};

const char *const cf_noise_name[CF_NNOISE] = {
    [CF_NOISE_WHITE] = "white", [CF_NOISE_DENSE] = "dense"};
const char *const cf_segment_begins[CF_NBEGINS] = {
    [CF_BEGINS_ANEW] = "anew", [CF_BEGINS_JOINED] = "joined"};
static const struct cf_schema noise = {WORD(cf_noise_name)}, begins = {WORD(cf_segment_begins)};

/* ---- bodies */

static const struct cf_schema_key sphere_keys[] = {
    {"radius", POSITIVE_IN("m")}, {"diameter", POSITIVE_IN("m")}, {"concave", BOOL}};
const struct cf_schema cf_study_sphere_schema = {MAP(sphere_keys), .one_of = "radius diameter"};
const struct cf_schema cf_study_plane_schema = {.kind = CF_SCHEMA_MAP};
static const struct cf_schema_key body_keys[] = {
    {"sphere", &cf_study_sphere_schema},
    {"plane", &cf_study_plane_schema},
    {"mass", POSITIVE_IN("kg")},
    {"fixed", BOOL},
    {"material", TEXT},
    {"rigid", BOOL},
    {"youngs_modulus", POSITIVE_IN("Pa")},
    {"poissons_ratio", FROM_TO("1", -1, 0.5)},
};
const struct cf_schema cf_study_body_schema = {MAP(body_keys)};
const struct cf_schema cf_study_all_bodies_schema = {
    .kind = CF_SCHEMA_MAP, .of = &cf_study_body_schema, .least = 1};

/* ---- parameters */

static const struct cf_schema quantity_or_hertz = {EITHER(QUANTITY, &hertz)};
static const struct cf_schema_key prior_keys[] = {{"value", &quantity_or_hertz},
                                                  {"sigma", POSITIVE}};
const struct cf_schema cf_study_prior_schema = {MAP(prior_keys), .needed = "value sigma"};
static const struct cf_schema_key free_keys[] = {{"min", QUANTITY},
                                                 {"max", QUANTITY},
                                                 {"start", QUANTITY},
                                                 {"prior", &cf_study_prior_schema},
                                                 {"per", &sharing}};
const struct cf_schema cf_study_free_schema = {MAP(free_keys)};
static const struct cf_schema free_map = {.kind = CF_SCHEMA_MAP,
                                          .of = &cf_study_free_schema,
                                          .name = parameter_name,
                                          .note = parameter_note,
                                          .open = true};
static const struct cf_schema fit = {EITHER(&free_map, &all)};
static const struct cf_schema fixed = {.kind = CF_SCHEMA_MAP,
                                       .of = &quantity_or_hertz,
                                       .name = parameter_name,
                                       .note = parameter_note,
                                       .open = true};
static const struct cf_schema ties = {.kind = CF_SCHEMA_MAP, .of = TEXT};

/* ---- options */

static const struct cf_schema_key option_keys[] = {
    {"level", BETWEEN(0.5, 1)},
    {"screen", WHOLE_FROM(1, 1e6)},
    {"starts", WHOLE_FROM(2, 1e4)},
    {"weak_factor", BETWEEN(1, 1e6)},
    {"p_reject", BETWEEN(0, 0.5)},
    {"seed", WHOLE},
    {"loss", &loss},
    {"loss_scale", POSITIVE_IN("1")},
    {"global", &search},
    {"global_budget", WHOLE_FROM(100, 1e8)},
    {"bootstrap", WHOLE_FROM(CF_LEAST_BOOTSTRAP, CF_MOST_BOOTSTRAP)},
    {"posterior", WHOLE_FROM(CF_LEAST_POSTERIOR, CF_MOST_POSTERIOR)},
    {"time", POSITIVE_IN("s")},
    {"pivot", FROM_TO("m", 1e-9, 1)},
};
const struct cf_schema cf_study_options_schema = {MAP(option_keys)};

/* ---- data sets */

static const struct cf_schema_key sigma_column_keys[] = {{"from", TEXT}, {"unit", TEXT}};
const struct cf_schema cf_study_sigma_column_schema = {MAP(sigma_column_keys), .needed = "from"};
static const struct cf_schema_key floor_keys[] = {{"from", TEXT}, {"unit", TEXT}, {"count", TEXT}};
const struct cf_schema cf_study_sigma_floor_schema = {MAP(floor_keys), .needed = "from"};
static const struct cf_schema least_sigma = {EITHER(POSITIVE, &cf_study_sigma_floor_schema)};
static const struct cf_schema_key estimate_keys[] = {
    {"estimate", &growth}, {"floor", &least_sigma}, {"per", &by_data}};
const struct cf_schema cf_study_sigma_estimate_schema = {MAP(estimate_keys), .needed = "estimate"};
static const struct cf_schema sigma = {
    EITHER(POSITIVE, &estimate, &cf_study_sigma_column_schema, &cf_study_sigma_estimate_schema)};
static const struct cf_schema sigmas = {.kind = CF_SCHEMA_MAP, .of = &sigma};

static const struct cf_schema_key own_time_keys[] = {
    {"from", TEXT}, {"unit", TEXT},     {"rate", POSITIVE_IN("Hz")}, {"start", TEXT},
    {"sign", TEXT}, {"scale", IN("1")}, {"offset", QUANTITY}};
const struct cf_schema cf_study_own_time_schema = {MAP(own_time_keys)};
static const struct cf_schema own_time = {EITHER(TEXT, &cf_study_own_time_schema)};
static const struct cf_schema_key column_keys[] = {
    {"from", TEXT},  {"unit", TEXT},      {"rate", POSITIVE_IN("Hz")},
    {"start", TEXT}, {"sigma", &sigma},   {"noise", &noise},
    {"sign", TEXT},  {"scale", IN("1")},  {"offset", QUANTITY},
    {"file", TEXT},  {"time", &own_time}, CF_TABLE_KEYS};
const struct cf_schema cf_study_column_schema = {MAP(column_keys)};
static const struct cf_schema column = {EITHER(TEXT, &cf_study_column_schema)};
static const struct cf_schema columns = {.kind = CF_SCHEMA_MAP, .of = &column};

static const struct cf_schema last_line = {EITHER(WHOLE, &end)};
static const struct cf_schema_key line_keys[] = {
    {"row", WHOLE}, {"to_row", &last_line}, {"because", TEXT}};
const struct cf_schema cf_study_exclude_lines_schema = {MAP(line_keys), .needed = "row because"};
static const struct cf_schema_key window_keys[] = {
    {"from", QUANTITY}, {"to", QUANTITY}, {"because", TEXT}};
const struct cf_schema cf_study_exclude_window_schema = {MAP(window_keys), .needed = "because"};
static const struct cf_schema exclude = {
    EITHER(&cf_study_exclude_lines_schema, &cf_study_exclude_window_schema)};
static const struct cf_schema excludes = {LIST_OF(exclude)};

static const struct cf_schema_key range_keys[] = {
    {"from", QUANTITY}, {"to", QUANTITY}, {"unit", TEXT}};
const struct cf_schema cf_study_range_schema = {MAP(range_keys)};
static const struct cf_schema wanted = {EITHER(TEXT, &cf_study_range_schema)};
static const struct cf_schema wanted_map = {.kind = CF_SCHEMA_MAP, .of = &wanted};
static const struct cf_schema where = {EITHER(TEXT, &wanted_map)};

static const struct cf_schema_key nuisance_keys[] = {
    {"min", QUANTITY}, {"max", QUANTITY}, {"start", QUANTITY}, {"prior", &cf_study_prior_schema}};
const struct cf_schema cf_study_nuisance_schema = {MAP(nuisance_keys)};
static const struct cf_schema nuisances = {.kind = CF_SCHEMA_MAP, .of = &cf_study_nuisance_schema};

static const struct cf_schema_key shape_keys[] = {{"polytope", &cf_scene_polytope_schema},
                                                  {"intersection", &cf_scene_intersection_schema},
                                                  {"press", &cf_schema_vector},
                                                  {"error", POSITIVE_IN("1")},
                                                  {"volumes", WHOLE_FROM(1, 1e6)}};
const struct cf_schema cf_study_shape_schema = {MAP(shape_keys), .one_of = "polytope intersection"};
const char cf_apparatus_shape[] = "shape";
static const struct cf_schema_key apparatus_keys[] = {{cf_apparatus_shape, &cf_study_shape_schema}};
static const struct cf_schema apparatus = {MAP(apparatus_keys), .of = QUANTITY};

static const struct cf_schema_key input_keys[] = {{"file", TEXT},
                                                  {"time", &cf_scene_trace_time_schema},
                                                  {"x", TEXT},
                                                  {"y", TEXT},
                                                  {"z", TEXT},
                                                  {"scale", IN("1")},
                                                  {"offset", VECTOR_IN("m")},
                                                  {"smoothing", TEXT},
                                                  CF_TABLE_KEYS};
const struct cf_schema cf_study_input_schema = {MAP(input_keys)};
static const struct cf_schema inputs = {.kind = CF_SCHEMA_MAP, .of = &cf_study_input_schema};
static const struct cf_schema_key segment_keys[] = {
    {"from", IN("s")}, {"to", IN("s")}, {"begins", &begins}};
const struct cf_schema cf_study_segment_schema = {MAP(segment_keys), .needed = "from to"};
static const struct cf_schema segments = {LIST_OF(cf_study_segment_schema)};

static const struct cf_schema group_of = {EITHER(&reading, &cf_schema_texts)};
static const struct cf_schema_key by_keys[] = {{"by", &cf_schema_texts}, {"of", &group_of}};
const struct cf_schema cf_study_group_by_schema = {MAP(by_keys), .needed = "by"};
static const struct cf_schema group = {EITHER(&none, &cf_study_group_by_schema)};
static const struct cf_schema group_of_set = {EITHER(&none, &cf_schema_map)};
static const struct cf_schema missing = {EITHER(TEXT, &cf_schema_texts)};
static const struct cf_schema two_bodies = {LIST_OF(cf_schema_text), .least = 2, .most = 2};
static const struct cf_schema row = {.kind = CF_SCHEMA_MAP, .of = TEXT};
static const struct cf_schema rows = {LIST_OF(row), .least = 1};
static const struct cf_schema rules = {.kind = CF_SCHEMA_MAP, .of = QUANTITY};

static const struct cf_schema_key set_keys[] = {
    {"name", TEXT},           {"protocol", &protocol},   {"between", &two_bodies},
    {"file", TEXT},           {"rows", &rows},           {"columns", &columns},
    {"sigma", &sigmas},       {"where", &where},         CF_TABLE_KEYS,
    {"exclude", &excludes},   {"apparatus", &apparatus}, {"nuisance", &nuisances},
    {"group", &group_of_set}, {"repeat", BOOL},          {"rules", &rules},
    {"order", TEXT},          {"scene", TEXT},           {"contacts", &cf_schema_texts},
    {"missing", &missing},    {"inputs", &inputs},       {"segments", &segments},
};
static const struct cf_schema_case set_cases[] = {
    {"protocol", table_protocol_name, "columns", quantity_name, quantity_note},
    {"protocol", table_protocol_name, "apparatus", apparatus_name, apparatus_note}};
const struct cf_schema cf_study_set_schema = {MAP(set_keys), .needed = "name protocol",
                                              CF_SCHEMA_CASES(set_cases)};
static const struct cf_schema sets = {LIST_OF(cf_study_set_schema), .least = 1};

/* ---- the file */

static const struct cf_schema_key held_out_keys[] = {{"data", TEXT}, {"where", TEXT}};
const struct cf_schema cf_study_held_out_schema = {MAP(held_out_keys), .needed = "data"};
static const struct cf_schema held_out = {LIST_OF(cf_study_held_out_schema)};

static const struct cf_schema_key need_keys[] = {
    {"within", POSITIVE}, {"from", QUANTITY}, {"to", QUANTITY}};
const struct cf_schema cf_study_need_schema = {MAP(need_keys), .needed = "within"};
static const struct cf_schema need = {EITHER(POSITIVE, &cf_study_need_schema)};
static const struct cf_schema needs = {.kind = CF_SCHEMA_MAP, .of = &need, .least = 1};

static const struct cf_schema unusual_rule = {.kind = CF_SCHEMA_WORD,
                                              .name = cf_plausible_rule_name};
static const struct cf_schema unusual = {LIST_OF(unusual_rule)};

static const struct cf_schema_key keys[] = {
    {"contactfit", &head},
    {"title", TEXT},
    {"bodies", &cf_study_all_bodies_schema},
    {"gravity", POSITIVE_IN("m/s^2")},
    {"law", &law},
    {"foundation", &foundation},
    {"friction", &friction},
    {"fit", &fit},
    {"fixed", &fixed},
    {"tie", &ties},
    {"rivals", &rivals},
    {"data", &sets},
    {"group", &group},
    {"hold-out", &held_out},
    {"needed", &needs},
    {"unusual", &unusual},
    {"options", &cf_study_options_schema},
};
const struct cf_schema cf_study_schema = {MAP(keys), .needed = "contactfit data"};
