/* The keys of scenes, and what may stand under each: what the readers refuse other keys by. */

#include "scene/keys.h"

#include <string.h>

#include "file/schema_rows.h"
#include "geometry/shape.h"
#include "law/friction.h"
#include "law/law.h"
#include "ode/ode.h"
#include "scene/law_keys.h"
#include "volume/implicit.h"
#include "volume/volume.h"

/* ---- rows of tables */

static const struct cf_law *law_of(enum cf_family family, size_t i)
{
    for (const struct cf_law *const *l = cf_laws; *l; l++)
        if ((*l)->family == family && i-- == 0)
            return *l;
    return NULL;
}

static const char *name_of(const struct cf_law *law)
{
    return law ? law->name : NULL;
}

/* Parameters, and other names of them, of the laws of a family, law by law. */
static const char *parameter_of(enum cf_family family, size_t i)
{
    for (const struct cf_law *const *l = cf_laws; *l; l++) {
        size_t n = (*l)->family == family ? (*l)->nparam + (*l)->nalias : 0;
        if (i < n)
            return i < (*l)->nparam ? (*l)->param[i].name : (*l)->alias[i - (*l)->nparam].name;
        i -= n;
    }
    return NULL;
}

/* The laws of a family, their keys with what is known of each, and all of their parameters. */
#define FAMILY(prefix, family)                                                                     \
    static const char *prefix##_name(size_t i)                                                     \
    {                                                                                              \
        return name_of(law_of(family, i));                                                         \
    }                                                                                              \
    static const char *prefix##_key(size_t i, size_t j)                                            \
    {                                                                                              \
        return cf_scene_law_key(law_of(family, i), j);                                             \
    }                                                                                              \
    static void prefix##_note(size_t i, size_t j, struct cf_schema_note *out)                      \
    {                                                                                              \
        cf_scene_law_note(law_of(family, i), j, out);                                              \
    }                                                                                              \
    static const char *prefix##_parameter(size_t i)                                                \
    {                                                                                              \
        return parameter_of(family, i);                                                            \
    }
FAMILY(normal, CF_FAMILY_NORMAL)
FAMILY(restitution, CF_FAMILY_RESTITUTION)
FAMILY(foundation, CF_FAMILY_FOUNDATION)

static const char *friction_key(size_t i, size_t j)
{
    const char *name[CF_MAX_PARAM + 1];

    if (j < CF_SCENE_FRICTION_KEYS)
        return cf_scene_friction_schema.key[j].name;
    j -= CF_SCENE_FRICTION_KEYS;
    return j < cf_friction_names(cf_friction_laws[i], name) ? name[j] : NULL;
}

static void friction_note(size_t i, size_t j, struct cf_schema_note *out)
{
    const char *name = friction_key(i, j);
    size_t n = cf_friction_laws[i]->nparam;
    size_t k = cf_param_find(cf_friction_laws[i]->param, n, name);

    if (j >= CF_SCENE_FRICTION_KEYS && k < n)
        cf_schema_note_of(&cf_friction_laws[i]->param[k], out);
}

static const char *friction_parameter(size_t i)
{
    for (const struct cf_friction_law *const *l = cf_friction_laws; *l; i -= (*l)->nparam, l++)
        if (i < (*l)->nparam)
            return (*l)->param[i].name;
    return NULL;
}

static const char *friction_name(size_t i)
{
    return cf_friction_laws[i] ? cf_friction_laws[i]->name : NULL;
}

static const char *shape_name(size_t i)
{
    return cf_shapes[i] ? cf_shapes[i]->name : NULL;
}

/* A body's shapes that are rows of the table alone. */
static const char *other_shape_name(size_t i)
{
    for (size_t j = 0; cf_shapes[j]; j++)
        if (strcmp(cf_shapes[j]->name, "sphere") != 0 && i-- == 0)
            return cf_shapes[j]->name;
    return NULL;
}

static const char *primitive_name(size_t i)
{
    return cf_primitives[i] ? cf_primitives[i]->name : NULL;
}

/* Forms, for which there are exact volumes, and primitives. */
static const char *cell_name(size_t i)
{
    size_t n = 0;

    while (cf_forms[n])
        n++;
    return i < n ? cf_forms[i]->name : primitive_name(i - n);
}

static const char *method_name(size_t i)
{
    return i == 0 ? "adaptive" : cf_ode_schemes[i - 1] ? cf_ode_schemes[i - 1]->name : NULL;
}

static const char *const head_words[] = {"scene/1"}, *const inertia_words[] = {"solid", "hollow"};
static const struct cf_schema head = {.kind = CF_SCHEMA_WORD, CF_SCHEMA_WORDS(head_words)};
static const struct cf_schema inertia_word = {.kind = CF_SCHEMA_WORD,
                                              CF_SCHEMA_WORDS(inertia_words)};
static const struct cf_schema normal_law = {.kind = CF_SCHEMA_WORD, .name = normal_name};
static const struct cf_schema restitution_law = {.kind = CF_SCHEMA_WORD, .name = restitution_name};
static const struct cf_schema foundation_law = {.kind = CF_SCHEMA_WORD, .name = foundation_name};
static const struct cf_schema friction_law = {.kind = CF_SCHEMA_WORD, .name = friction_name};
static const struct cf_schema method = {.kind = CF_SCHEMA_WORD, .name = method_name};

/* ---- shapes */

static const struct cf_schema_key attitude_keys[] = {{"axis", VECTOR}, {"angle", IN("rad")}};
const struct cf_schema cf_scene_attitude_schema = {MAP(attitude_keys), .needed = "axis angle"};
#define ATTITUDE &cf_scene_attitude_schema
#define PLACE &place
static const struct cf_schema place = {
    .kind = CF_SCHEMA_LIST, .of = IN("m"), .least = 3, .most = 3};
static const struct cf_schema vectors = {LIST_OF(place)};

static const struct cf_schema_key sphere_keys[] = {
    {"radius", POSITIVE_IN("m")}, {"diameter", POSITIVE_IN("m")}, {"center", PLACE}};
const struct cf_schema cf_scene_sphere_schema = {MAP(sphere_keys), .one_of = "radius diameter"};
static const struct cf_schema spheres = {LIST_OF(cf_scene_sphere_schema)};
static const struct cf_schema_key point_keys[] = {{"center", PLACE}};
const struct cf_schema cf_scene_point_schema = {MAP(point_keys)};
static const struct cf_schema_key box_keys[] = {{"size", PLACE}};
const struct cf_schema cf_scene_box_schema = {MAP(box_keys), .needed = "size"};

static const struct cf_schema solid = {
    .kind = CF_SCHEMA_MAP, .of = &cf_schema_map, .name = shape_name, .least = 1, .most = 1};
static const struct cf_schema solids = {LIST_OF(solid)};

static const struct cf_schema corners = {LIST_OF(cf_schema_whole), .least = 3};
static const struct cf_schema faces = {LIST_OF(corners)};
static const struct cf_schema_key polytope_keys[] = {
    {"vertices", &vectors}, {"faces", &faces}, {"center", PLACE}, {"attitude", ATTITUDE}};
const struct cf_schema cf_scene_polytope_schema = {MAP(polytope_keys), .needed = "vertices faces"};
static const struct cf_schema primitive = {
    .kind = CF_SCHEMA_MAP, .of = &cf_schema_map, .name = primitive_name, .least = 1, .most = 1};
const struct cf_schema cf_scene_intersection_schema = {LIST_OF(primitive), .least = 1};
static const struct cf_schema cut = {LIST_OF(cf_schema_whole), .least = 3, .most = 3};
static const struct cf_schema_key cell_box_keys[] = {
    {"size", PLACE}, {"center", PLACE}, {"attitude", ATTITUDE}, {"cut", &cut}};
const struct cf_schema cf_scene_cell_box_schema = {MAP(cell_box_keys), .needed = "size"};
static const struct cf_schema_key cell_keys[] = {{"intersection", &cf_scene_intersection_schema},
                                                 {"box", &cf_scene_cell_box_schema},
                                                 {"polytope", &cf_scene_polytope_schema}};
static const struct cf_schema cell = {MAP(cell_keys), .of = &cf_schema_map, .name = cell_name,
                                      .least = 1, .most = 1};
static const struct cf_schema cells = {LIST_OF(cell)};

/* ---- motions */

static const struct cf_schema_key moving_keys[] = {{"velocity", VECTOR_IN("m/s")},
                                                   {"spin", VECTOR_IN("rad/s")}};
const struct cf_schema cf_scene_moving_schema = {MAP(moving_keys), .least = 1};
static const struct cf_schema_key leg_keys[] = {{"from", IN("s")}, {"velocity", VECTOR_IN("m/s")}};
const struct cf_schema cf_scene_leg_schema = {MAP(leg_keys), .needed = "from velocity"};
static const struct cf_schema legs = {LIST_OF(cf_scene_leg_schema), .least = 1};
static const struct cf_schema_key command_keys[] = {
    {"yield", IN("m/(s N)")}, {"dead-band", IN("N")}, {"lag", IN("s")}, {"legs", &legs}};
const struct cf_schema cf_scene_command_schema = {MAP(command_keys),
                                                  .needed = "yield dead-band lag legs"};
static const struct cf_schema_key time_keys[] = {{"from", TEXT}, {"rate", POSITIVE_IN("Hz")}};
const struct cf_schema cf_scene_time_schema = {MAP(time_keys)};
const struct cf_schema cf_scene_trace_time_schema = {EITHER(TEXT, &cf_scene_time_schema)};
static const struct cf_schema_key trace_keys[] = {
    {"file", TEXT},     {"time", &cf_scene_trace_time_schema},
    {"x", TEXT},        {"y", TEXT},
    {"z", TEXT},        {"scale", IN("1")},
    {"offset", PLACE},  {"smoothing", TEXT},
    {"delay", IN("s")}, CF_TABLE_KEYS};
const struct cf_schema cf_scene_trace_schema = {MAP(trace_keys)};

/* ---- bodies */

static const struct cf_schema inertia = {EITHER(VECTOR_IN("kg m^2"), &inertia_word)};
#define COUNT WHOLE_FROM(1, CF_SCENE_MOST_COUNT)
static const struct cf_schema lattice_size = {
    .kind = CF_SCHEMA_LIST, .of = COUNT, .least = 3, .most = 3};
static const struct cf_schema_key lattice_keys[] = {{"from", PLACE},
                                                    {"spacing", PLACE},
                                                    {"size", &lattice_size},
                                                    {"jitter", POSITIVE_IN("m")},
                                                    {"seed", WHOLE}};
const struct cf_schema cf_scene_lattice_schema = {MAP(lattice_keys), .needed = "from spacing size"};
static const struct cf_schema_key body_keys[] = {{"sphere", &cf_scene_sphere_schema},
                                                 {"spheres", &spheres},
                                                 {"point", &cf_scene_point_schema},
                                                 {"points", &vectors},
                                                 {"box", &cf_scene_box_schema},
                                                 {"solids", &solids},
                                                 {"cells", &cells},
                                                 {"clearance", POSITIVE_IN("m")},
                                                 {"mass", POSITIVE_IN("kg")},
                                                 {"inertia", &inertia},
                                                 {"turns", BOOL},
                                                 {"position", PLACE},
                                                 {"count", COUNT},
                                                 {"lattice", &cf_scene_lattice_schema},
                                                 {"places", &vectors},
                                                 {"attitude", ATTITUDE},
                                                 {"velocity", VECTOR_IN("m/s")},
                                                 {"spin", VECTOR_IN("rad/s")},
                                                 {"fixed", BOOL},
                                                 {"moving", &cf_scene_moving_schema},
                                                 {"trace", &cf_scene_trace_schema},
                                                 {"command", &cf_scene_command_schema}};
_Static_assert(sizeof body_keys / sizeof *body_keys == CF_SCENE_OWN_SHAPES + CF_SCENE_OTHER_KEYS,
               "keys of a body are counted in keys.h");
const struct cf_schema cf_scene_body_schema = {MAP(body_keys), .of = &cf_schema_map,
                                               .name = other_shape_name};
static const struct cf_schema bodies = {
    .kind = CF_SCHEMA_MAP, .of = &cf_scene_body_schema, .least = 1};

static const struct cf_schema_key tip_keys[] = {{"radius", IN("m")}};
const struct cf_schema cf_scene_tip_schema = {MAP(tip_keys), .needed = "radius"};
static const struct cf_schema_key link_keys[] = {{"length", POSITIVE_IN("m")},
                                                 {"mass", POSITIVE_IN("kg")},
                                                 {"center", IN("m")},
                                                 {"inertia", IN("kg m^2")},
                                                 {"angle", IN("rad")},
                                                 {"rate", IN("rad/s")},
                                                 {"name", TEXT},
                                                 {"tip", &cf_scene_tip_schema}};
const struct cf_schema cf_scene_link_schema = {
    MAP(link_keys), .needed = "length mass center inertia angle rate name"};
static const struct cf_schema links = {LIST_OF(cf_scene_link_schema), .least = 1};
static const struct cf_schema_key chain_keys[] = {
    {"joint", PLACE}, {"down", VECTOR}, {"side", VECTOR}, {"links", &links}};
const struct cf_schema cf_scene_chain_schema = {MAP(chain_keys), .needed = "joint down side links"};

/* ---- contacts; the parameters of laws are any other keys */

static const struct cf_schema quantities = {LIST_OF(cf_schema_quantity), .least = 1};
static const struct cf_schema_key course_keys[] = {{"times", &quantities}, {"values", &quantities}};
const struct cf_schema cf_scene_course_schema = {MAP(course_keys), .needed = "times values"};
static const struct cf_schema course_or_force = {EITHER(POSITIVE_IN("N"), &cf_scene_course_schema)};
static const struct cf_schema_key load_keys[] = {{"load", &course_or_force}, {"direction", VECTOR}};
const struct cf_schema cf_scene_load_schema = {MAP(load_keys), .needed = "load direction"};
static const struct cf_schema_key target_keys[] = {{"law", &restitution_law}};
static const struct cf_schema_case restitution_cases[] = {
    {"law", restitution_name, NULL, restitution_key, restitution_note}};
static const struct cf_schema target = {MAP(target_keys), .of = QUANTITY,
                                        .needed = "law",  .name = restitution_parameter,
                                        .open = true,     CF_SCHEMA_CASES(restitution_cases)};
static const struct cf_schema quantity_or_target = {EITHER(QUANTITY, &target)};
static const struct cf_schema_key normal_keys[] = {{"law", &normal_law},
                                                   {"e", &quantity_or_target}};
static const struct cf_schema_case normal_cases[] = {
    {"law", normal_name, NULL, normal_key, normal_note}};
static const struct cf_schema normal_of_law = {MAP(normal_keys), .of = QUANTITY,
                                               .needed = "law",  .name = normal_parameter,
                                               .open = true,     CF_SCHEMA_CASES(normal_cases)};
static const struct cf_schema normal = {EITHER(&normal_of_law, &cf_scene_load_schema)};
static const struct cf_schema_key foundation_keys[] = {{"law", &foundation_law}};
static const struct cf_schema_case foundation_cases[] = {
    {"law", foundation_name, NULL, foundation_key, foundation_note}};
static const struct cf_schema foundation = {
    MAP(foundation_keys),         .of = QUANTITY, .needed = "law",
    .name = foundation_parameter, .open = true,   CF_SCHEMA_CASES(foundation_cases)};
const char *const cf_scene_assumption[CF_NASSUMPTION] = {"gonthier"};
const char *const cf_scene_pressure[CF_NPRESSURE] = {"closure", "disc", "hertz", "paraboloid"};
static const struct cf_schema assumption = {.kind = CF_SCHEMA_WORD,
                                            CF_SCHEMA_WORDS(cf_scene_assumption)};
static const struct cf_schema pressure = {.kind = CF_SCHEMA_WORD,
                                          CF_SCHEMA_WORDS(cf_scene_pressure)};
static const struct cf_schema_key friction_keys[] = {{"law", &friction_law},
                                                     {"from-normal", BOOL},
                                                     {"assume", &assumption},
                                                     {"contensou", &pressure},
                                                     {"spin-factor", POSITIVE_IN("1")}};
_Static_assert(sizeof friction_keys / sizeof *friction_keys == CF_SCENE_FRICTION_KEYS,
               "keys of friction are counted in keys.h");
static const struct cf_schema_case friction_cases[] = {
    {"law", friction_name, NULL, friction_key, friction_note}};
const struct cf_schema cf_scene_friction_schema = {
    MAP(friction_keys),         .of = QUANTITY, .needed = "law",
    .name = friction_parameter, .open = true,   CF_SCHEMA_CASES(friction_cases)};

static const struct cf_schema two_bodies = {LIST_OF(cf_schema_text), .least = 2, .most = 2};
const char *const cf_scene_action[CF_NACTION] = {
    [CF_ACTION_OVERLAP] = "overlap", [CF_ACTION_FIRST] = "first-surface"};
static const struct cf_schema action = {.kind = CF_SCHEMA_WORD, CF_SCHEMA_WORDS(cf_scene_action)};
static const struct cf_schema_key contact_keys[] = {{"between", &two_bodies},
                                                    {"normal", &normal},
                                                    {"foundation", &foundation},
                                                    {"friction", &cf_scene_friction_schema},
                                                    {"ball", WHOLE},
                                                    {"solid", WHOLE},
                                                    {"stuck", BOOL},
                                                    {"relaxation", POSITIVE_IN("s")},
                                                    {"point-of-action", &action},
                                                    {"name", TEXT}};
const struct cf_schema cf_scene_contact_schema = {MAP(contact_keys), .needed = "between",
                                                  .one_of = "normal foundation"};
static const struct cf_schema contacts = {LIST_OF(cf_scene_contact_schema)};

static const struct cf_schema_key spring_keys[] = {
    {"body", TEXT},           {"anchor", PLACE}, {"stiffness", POSITIVE_IN("N/m")},
    {"damping", IN("N s/m")}, {"at", PLACE},     {"name", TEXT}};
const struct cf_schema cf_scene_spring_schema = {MAP(spring_keys),
                                                 .needed = "body anchor stiffness"};
static const struct cf_schema springs = {LIST_OF(cf_scene_spring_schema)};
static const struct cf_schema_key force_keys[] = {
    {"body", TEXT}, {"direction", VECTOR}, {"times", &quantities}, {"values", &quantities}};
const struct cf_schema cf_scene_force_schema = {MAP(force_keys),
                                                .needed = "body direction times values"};
static const struct cf_schema forces = {LIST_OF(cf_scene_force_schema)};

/* ---- how it is run */

static const struct cf_schema_key octree_keys[] = {{"error", POSITIVE_IN("1")},
                                                   {"max-boxes", WHOLE_FROM(1, 1e12)},
                                                   {"max-memory-MB", WHOLE_FROM(1, 1e9)}};
const struct cf_schema cf_scene_octree_schema = {MAP(octree_keys)};
static const struct cf_schema_key solver_keys[] = {{"tolerance", POSITIVE_IN("1")},
                                                   {"method", &method},
                                                   {"step", POSITIVE_IN("s")},
                                                   {"max-steps", WHOLE_FROM(1, 1e12)},
                                                   {"octree", &cf_scene_octree_schema}};
const struct cf_schema cf_scene_solver_schema = {MAP(solver_keys)};
static const struct cf_schema_key noise_keys[] = {
    {"place", POSITIVE_IN("m")}, {"force", POSITIVE_IN("N")}, {"seed", WHOLE}};
const struct cf_schema cf_scene_noise_schema = {MAP(noise_keys), .needed = "seed"};
static const struct cf_schema_key output_keys[] = {{"every", POSITIVE_IN("s")},
                                                   {"noise", &cf_scene_noise_schema}};
const struct cf_schema cf_scene_output_schema = {MAP(output_keys), .needed = "every"};

static const struct cf_schema gravity = {EITHER(IN("m/s^2"), VECTOR_IN("m/s^2"))};
static const struct cf_schema figures = {LIST_OF(cf_schema_map)};
static const struct cf_schema_key keys[] = {
    {"contactfit", &head},
    {"title", TEXT},
    {"source", TEXT},
    {"caption", TEXT},
    {"notes", &cf_schema_texts},
    {"gravity", &gravity},
    {"duration", POSITIVE_IN("s")},
    {"bodies", &bodies},
    {"chain", &cf_scene_chain_schema},
    {"contacts", &contacts},
    {"springs", &springs},
    {"forces", &forces},
    {"solver", &cf_scene_solver_schema},
    {"output", &cf_scene_output_schema},
    {"figures", &figures},
};
const struct cf_schema cf_scene_schema = {MAP(keys),
                                          .needed = "contactfit gravity duration bodies"};
