/* Does the law describe data whose rows come in clusters (estimate/clusters.h)? Rows of a cluster
 * share what the law leaves over, so that their order and their signs test nothing; what clusters
 * have in common does, channel by channel:
 *
 * offset of clusters   the mean of a cluster's residuals, which is 0 on the average over clusters
 * trend of clusters    their slope along the axis, the same
 *
 * both by Student's t over the clusters. Of fewer than three clusters nothing is tested.
 */

#ifndef CF_JUDGE_CLUSTER_TESTS_H
#define CF_JUDGE_CLUSTER_TESTS_H

#include "judge/residual_tests.h"

/* Fill *tests, adjusted. */
int cf_cluster_tests(const struct cf_fitted *of, struct cf_tests *tests, struct cf_error *err);

/* Should intervals come from the scatter between clusters, and do not: of too few of them, or of a
 * loss that takes rows one by one? Then no parameter is fine. The parameters have been judged. */
void cf_judge_clusters(struct cf_fit *fit);

#endif
