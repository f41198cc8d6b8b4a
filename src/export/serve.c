/* Which targets serve where one does not. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "export/predict.h"
#include "export/tables.h"

bool cf_export_serves(const struct cf_target *target, const struct cf_material *material,
                      const struct cf_question *question, struct cf_curves *curves)
{
    struct cf_question brief = *question;
    struct cf_mapping m;

    brief.only_good = true;
    bool good = !cf_export_map(target, material, &brief, NULL, curves, &m, NULL) &&
                m.prediction.good && cf_export_trusted(target, question, material);

    cf_mapping_clear(&m);
    return good;
}

void cf_export_serving(const struct cf_target *but, const struct cf_material *material,
                       const struct cf_question *question, struct cf_curves *curves, char *names,
                       size_t size)
{
    struct cf_question hard = *question, soft = *question;
    struct cf_material forced = *material;
    bool stepped = !isnan(question->dt_s);
    size_t used = 0;

    if (hard.keep == CF_KEEP_STEP)
        hard.keep = CF_KEEP_DEPTH;
    soft.keep = CF_KEEP_STEP;
    /* what is forced here is as little to be trusted there; but e that is identified is */
    forced.trusted = material->trusted || !material->partly_known;
    names[0] = '\0';
    for (const struct cf_target *const *t = cf_targets; *t && used < size; t++) {
        if ((*t)->exactness == cf_exactness_table)
            continue;
        bool as_it_is = *t != but && cf_export_serves(*t, &forced, &hard, curves);
        bool softer = !as_it_is && stepped && !(*t == but && question->keep == CF_KEEP_STEP) &&
                      cf_export_serves(*t, &forced, &soft, curves);
        if (as_it_is || softer)
            used += (size_t) snprintf(names + used, size - used, "%s%s%s", used ? ", " : "",
                                      (*t)->name, softer ? " --keep step" : "");
    }
}
