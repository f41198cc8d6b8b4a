/* The names that stand beside a law in a scene. */

#include "scene/law_keys.h"

#include <stddef.h>

const struct cf_scene_extra cf_scene_extra[CF_SCENE_NEXTRA] = {
    {CF_FAMILY_NORMAL, "youngs_modulus_1", "Pa"},
    {CF_FAMILY_NORMAL, "youngs_modulus_2", "Pa"},
    {CF_FAMILY_NORMAL, "poissons_ratio_1", "1"},
    {CF_FAMILY_NORMAL, "poissons_ratio_2", "1"},
    {CF_FAMILY_NORMAL, "radius_1", "m"},
    {CF_FAMILY_NORMAL, "radius_2", "m"},
    {CF_FAMILY_NORMAL, "pivot", "m"},
    {CF_FAMILY_FOUNDATION, "kv_1", "N/m^3"},
    {CF_FAMILY_FOUNDATION, "kv_2", "N/m^3"},
};

const char *cf_scene_law_key(const struct cf_law *law, size_t i)
{
    if (i == 0)
        return "law";
    if (--i < law->nparam)
        return law->param[i].name;
    if ((i -= law->nparam) < law->nalias)
        return law->alias[i].name;
    i -= law->nalias;
    for (size_t j = 0; j < CF_SCENE_NEXTRA; j++)
        if (cf_scene_extra[j].family == law->family && i-- == 0)
            return cf_scene_extra[j].name;
    return NULL;
}
