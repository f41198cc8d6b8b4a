/* A folder of a test's own, with an input file and the table that this names. */

#ifndef SCRATCH_H
#define SCRATCH_H

#include <stdio.h>

/* Open a file for writing, such as one in tmp/ of the folder that the test runs in; ends the test
 * where it cannot. */
FILE *scratch_create(const char *path);

struct scratch {
    char folder[40];
    char file[80], table[80]; /* paths of the two, which the test writes */
};

/* Make the folder; the input file is called `name`, the table table.csv. Ends the test where it
 * cannot be made. */
void scratch_open(struct scratch *scratch, const char *name);

/* Write a file; what cannot be written ends the test. */
void scratch_write(const char *path, const char *text);

/* Remove all of it. */
void scratch_close(const struct scratch *scratch);

#endif
