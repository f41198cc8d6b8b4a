#include "estimate/uncertain.h"

#include <stdlib.h>

const char *const cf_uncertain_of_name[CF_NUNCERTAIN_OF] = {
    [CF_UNCERTAIN_BODY] = "body",
    [CF_UNCERTAIN_INSTRUMENT] = "instrument",
    [CF_UNCERTAIN_PARAMETER] = "parameter",
};
const char *const cf_uncertain_as_name[CF_NSTATED] = {
    [CF_STATED_STANDARD] = "standard",
    [CF_STATED_EXPANDED] = "expanded",
    [CF_STATED_RECTANGULAR] = "rectangular",
};

void cf_uncertains_clear(struct cf_uncertains *uncertains)
{
    for (size_t i = 0; i < uncertains->n; i++) {
        free(uncertains->item[i].name);
        free(uncertains->item[i].stated);
    }
    free(uncertains->item);
    *uncertains = (struct cf_uncertains){.n = 0};
}
