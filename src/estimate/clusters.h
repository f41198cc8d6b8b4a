/* Rows that share whatever the law leaves over: those of one toss, one run (`cluster` of a
 * protocol). Their residuals are neither independent nor alike from cluster to cluster, in a way
 * that no model of the noise says; so the covariance of the parameters is taken from how far the
 * optimum moves when clusters are left out, each as a whole: the jackknife, by one linear step
 * each,
 *
 *   d_g = (A - A_g)^-1 J_g^T r_g,   C = (G - 1)/G sum d_g d_g^T + A^-1 P A^-1,
 *
 * with A = J^T J, A_g the share of cluster g of G, and P that of priors and of data without
 * clusters, which count as they are. It is what R. M. Bell and D. F. McCaffrey, Survey Methodology
 * 28 (2002) 169, call the jackknife estimator: not too small with few clusters either. Intervals
 * are those of Student's t with G - 1 degrees of freedom.
 */

#ifndef CF_ESTIMATE_CLUSTERS_H
#define CF_ESTIMATE_CLUSTERS_H

#include "estimate/optimum.h"

/* Has the problem clusters? Where a study groups rows, or where segments have starts that are
 * eliminated, it has none, and under a robust loss neither. */
bool cf_is_clustered(const struct cf_problem *problem);

/* Is an observation of the cluster of the one before it? */
bool cf_cluster_links(const struct cf_problem *problem, size_t observation);

/* Put this covariance into optimum->spread, and the number of clusters into optimum->ncluster: 0
 * where there are none, or no more than parameters; where a parameter is not identified; or where
 * one is identified by a single cluster alone, so that it is not identified without it. */
int cf_cluster_covariance(struct cf_optimum *optimum, struct cf_error *err);

/* The covariance of theta that intervals are made of: that of the clusters, or of the rank. */
const struct cf_rank *cf_optimum_spread(const struct cf_optimum *optimum);

#endif
