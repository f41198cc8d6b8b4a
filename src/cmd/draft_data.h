/* The data set of a drafted study: its file, columns and what is to be filled in. */

#ifndef CF_CMD_DRAFT_DATA_H
#define CF_CMD_DRAFT_DATA_H

#include "cmd/draft.h"

/* `data:` of a draft whose columns and law are known; notes the column of kinds. */
void cf_draft_put_data(struct cf_draft *draft);

#endif
