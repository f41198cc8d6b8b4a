/* The keys of figures, and what may stand under each: what the readers refuse other keys by. */

#include "figure/keys.h"

#include "figure/figure.h"
#include "figure/law_figure.h"
#include "file/schema_rows.h"
#include "law/law.h"
#include "scene/keys.h"
#include "study/keys.h"

/* ---- figures of scenes */

const struct cf_scene_kind cf_scene_kinds[CF_SCENE_NKIND] = {
    [CF_SCENE_SERIES] = {"series", "columns of the trace over time, in up to four panels"},
    [CF_SCENE_PATH] = {"path", "columns over a column: loops, where a tip goes"},
    [CF_SCENE_PATH3D] = {"path3d", "where a body goes, in space and on the ground below it"},
    [CF_SCENE_ENERGY] = {"energy", "where energy is and went, over time"},
    [CF_SCENE_SWEEP] = {"sweep", "a result over values that are given to keys of the scene"},
    [CF_SCENE_VARIANTS] = {"variants", "columns over time, of the scene with several settings"},
    [CF_SCENE_BODIES] = {"bodies", "the bodies to scale, at some of the times"},
};

static const struct cf_schema one_or_more = {EITHER(TEXT, &cf_schema_texts)};
static const struct cf_schema_key curve_keys[] = {
    {"of", &one_or_more}, {"as", TEXT}, {"less", QUANTITY}, {"times", QUANTITY}};
const struct cf_schema cf_scene_curve_schema = {MAP(curve_keys), .needed = "of"};
static const struct cf_schema curve = {EITHER(TEXT, &cf_scene_curve_schema)};
static const struct cf_schema curves = {LIST_OF(curve), .least = 1, .most = CF_SCENE_MAX_CURVE};
static const struct cf_schema_key panel_keys[] = {
    {"y", &curves}, {"axis", TEXT}, {"unit", TEXT}, {"range", SPAN}};
const struct cf_schema cf_scene_panel_schema = {MAP(panel_keys), .needed = "y"};
static const struct cf_schema panels = {LIST_OF(cf_scene_panel_schema), .least = 1,
                                        .most = CF_SCENE_MAX_PANEL};
static const struct cf_schema values = {LIST_OF(cf_schema_quantity), .least = 1};
static const struct cf_schema_key variation_keys[] = {{"set", &one_or_more}, {"as", TEXT},
                                                      {"values", &values},   {"from", QUANTITY},
                                                      {"to", QUANTITY},      {"count", WHOLE}};
const struct cf_schema cf_scene_variation_schema = {MAP(variation_keys), .needed = "set as"};
static const struct cf_schema_key variant_keys[] = {{"as", TEXT}, {"set", &cf_schema_map}};
const struct cf_schema cf_scene_variant_schema = {MAP(variant_keys), .needed = "as"};
static const struct cf_schema variants = {LIST_OF(cf_scene_variant_schema), .least = 2,
                                          .most = CF_SCENE_MAX_CURVE};

#define KIND(k)                                                                                    \
    {                                                                                              \
        .kind = CF_SCHEMA_WORD, .word = &cf_scene_kinds[k].name, .nword = 1                        \
    }
#define EVERY(k)                                                                                   \
    {"name", TEXT}, {"kind", &kind[k]}, {"source", TEXT},                                          \
    {                                                                                              \
        "what", TEXT                                                                               \
    }
#define PANEL                                                                                      \
    {"y", &curves}, {"axis", TEXT}, {"unit", TEXT},                                                \
    {                                                                                              \
        "range", SPAN                                                                              \
    }
#define MOTION                                                                                     \
    {"during", SPAN},                                                                              \
    {                                                                                              \
        "frame", &cf_scene_attitude_schema                                                         \
    }

static const struct cf_schema kind[CF_SCENE_NKIND] = {
    KIND(CF_SCENE_SERIES), KIND(CF_SCENE_PATH),     KIND(CF_SCENE_PATH3D), KIND(CF_SCENE_ENERGY),
    KIND(CF_SCENE_SWEEP),  KIND(CF_SCENE_VARIANTS), KIND(CF_SCENE_BODIES)};
static const struct cf_schema_key series_keys[] = {
    EVERY(CF_SCENE_SERIES), PANEL, {"panels", &panels}, MOTION};
static const struct cf_schema_key path_keys[] = {
    EVERY(CF_SCENE_PATH), {"x", &curve},     {"x-axis", TEXT},
    {"x-unit", TEXT},     {"x-range", SPAN}, PANEL,
    {"equal", BOOL},      {"start", BOOL},   MOTION};
static const struct cf_schema_key path3d_keys[] = {
    EVERY(CF_SCENE_PATH3D), {"body", TEXT}, MOTION, {"start", BOOL}};
static const struct cf_schema_key energy_keys[] = {
    EVERY(CF_SCENE_ENERGY), {"during", SPAN}, {"range", SPAN}, {"level", QUANTITY}};
static const struct cf_schema_key sweep_keys[] = {EVERY(CF_SCENE_SWEEP),
                                                  {"over", &cf_scene_variation_schema},
                                                  {"lines", &cf_scene_variation_schema},
                                                  {"y", TEXT},
                                                  {"range", SPAN}};
static const struct cf_schema_key variants_keys[] = {
    EVERY(CF_SCENE_VARIANTS), {"variants", &variants}, PANEL, {"panels", &panels}, MOTION};
static const struct cf_schema_key bodies_keys[] = {
    EVERY(CF_SCENE_BODIES), {"during", SPAN}, {"from", VECTOR}, {"times", &values}};
static const struct cf_schema series = {MAP(series_keys), .needed = "name kind"};
static const struct cf_schema path = {MAP(path_keys), .needed = "name kind x"};
static const struct cf_schema path3d = {MAP(path3d_keys), .needed = "name kind body"};
static const struct cf_schema energy = {MAP(energy_keys), .needed = "name kind"};
static const struct cf_schema sweep = {MAP(sweep_keys), .needed = "name kind over y"};
static const struct cf_schema bodies = {MAP(bodies_keys), .needed = "name kind"};
static const struct cf_schema varied = {MAP(variants_keys), .needed = "name kind variants"};
const struct cf_schema *const cf_scene_figure_schemas[] = {
    [CF_SCENE_SERIES] = &series, [CF_SCENE_PATH] = &path,   [CF_SCENE_PATH3D] = &path3d,
    [CF_SCENE_ENERGY] = &energy, [CF_SCENE_SWEEP] = &sweep, [CF_SCENE_VARIANTS] = &varied,
    [CF_SCENE_BODIES] = &bodies, [CF_SCENE_NKIND] = NULL};
static const struct cf_schema figure = {.kind = CF_SCHEMA_EITHER,
                                        .either = cf_scene_figure_schemas};
const struct cf_schema cf_scene_figures_schema = {LIST_OF(figure)};

/* ---- figure files */

static const char *kind_name(size_t i)
{
    return cf_drawing_kinds[i] ? cf_drawing_kinds[i]->name : NULL;
}

/* The names of the axes: of x, where their ranges stand; of both, where columns do. */
static const char *x_name(size_t i)
{
    return cf_drawing_kinds[i] ? cf_drawing_kinds[i]->x.key : NULL;
}

static const char *axis_name(size_t i)
{
    const struct cf_drawing_kind *k = cf_drawing_kinds[i / 2];
    return !k ? NULL : i % 2 ? k->y.key : k->x.key;
}

static const char *law_name(size_t i)
{
    return cf_laws[i] ? cf_laws[i]->name : NULL;
}

static const char *parameter_name(size_t i)
{
    for (const struct cf_law *const *l = cf_laws; *l; i -= (*l)->nparam, l++)
        if (i < (*l)->nparam)
            return (*l)->param[i].name;
    return NULL;
}

static const char *const head_words[] = {"figure/1"}, *const hertz_words[] = {"hertz"},
                         *const axis_words[] = {"linear", "logarithmic"};
static const struct cf_schema head = {.kind = CF_SCHEMA_WORD, CF_SCHEMA_WORDS(head_words)};
static const struct cf_schema hertz = {.kind = CF_SCHEMA_WORD, CF_SCHEMA_WORDS(hertz_words)};
static const struct cf_schema axis = {.kind = CF_SCHEMA_WORD, CF_SCHEMA_WORDS(axis_words)};
static const struct cf_schema drawing_kind = {.kind = CF_SCHEMA_WORD, .name = kind_name};
static const struct cf_schema law = {.kind = CF_SCHEMA_WORD, .name = law_name};
static const struct cf_schema parameter = {EITHER(QUANTITY, &hertz)};

static const struct cf_schema_key points_keys[] = {{"file", TEXT}, CF_TABLE_KEYS};
_Static_assert(sizeof points_keys / sizeof *points_keys == CF_DRAWING_POINTS_KEYS,
               "keys of points are counted in keys.h");
const struct cf_schema cf_drawing_points_schema = {MAP(points_keys), .of = TEXT, .name = axis_name,
                                                   .needed = "file"};
static const struct cf_schema_key drawn_keys[] = {{"law", &law},
                                                  {"fit", TEXT},
                                                  {"speed", POSITIVE_IN("m/s")},
                                                  {"clamp", BOOL},
                                                  {"mass", POSITIVE_IN("kg")}};
const struct cf_schema cf_drawing_curve_schema = {
    MAP(drawn_keys), .of = &parameter, .needed = "law", .name = parameter_name, .open = true};
static const struct cf_schema drawn = {LIST_OF(cf_drawing_curve_schema), .least = 1};
static const struct cf_schema_key target_keys[] = {{"law", &law}};
const struct cf_schema cf_drawing_target_schema = {MAP(target_keys), .of = QUANTITY,
                                                   .needed = "law"};

#define DRAWN                                                                                      \
    {"bodies", &cf_study_all_bodies_schema}, {"mass", POSITIVE_IN("kg")},                          \
        {"points", &cf_drawing_points_schema},                                                     \
    {                                                                                              \
        "curves", &drawn                                                                           \
    }
static const struct cf_schema_key drawn_panel_keys[] = {{"title", TEXT}, DRAWN};
const struct cf_schema cf_drawing_panel_schema = {MAP(drawn_panel_keys), .needed = "curves"};
static const struct cf_schema drawn_panels = {LIST_OF(cf_drawing_panel_schema), .least = 1};
static const struct cf_schema_key keys[] = {{"contactfit", &head},
                                            {"title", TEXT},
                                            {"source", TEXT},
                                            {"caption", TEXT},
                                            {"notes", &cf_schema_texts},
                                            {"kind", &drawing_kind},
                                            {"axis", &axis},
                                            {"target", &cf_drawing_target_schema},
                                            {"panels", &drawn_panels},
                                            DRAWN};
_Static_assert(sizeof keys / sizeof *keys == CF_DRAWING_KEYS, "keys are counted in keys.h");
const struct cf_schema cf_drawing_schema = {MAP(keys), .of = SPAN, .name = x_name,
                                            .needed = "contactfit kind"};
