/* Where a command writes what it makes of a file. */

#ifndef CF_CMD_OUTPUT_PATH_H
#define CF_CMD_OUTPUT_PATH_H

/* "fits/ball.json", NULL, ".html" gives "fits/ball.html"; with the folder "out" it gives
 * "out/ball.html". NULL when out of memory; else the caller's to free(). */
char *cf_output_path(const char *input, const char *folder, const char *suffix);

/* The folder that a path names, with its slash, "" where it names none; NULL when out of memory. */
char *cf_folder_of(const char *path);

/* "../" for each folder of `from` (with its slash) below what it shares with `path`, and the rest
 * of `path`: both are taken as they are written. NULL when out of memory; else the caller's to
 * free(). */
char *cf_path_climb(const char *from, const char *path);

/* The path of a file as seen from a folder ("" or with its slash), both as seen from here:
 * "../data/ball.csv" of "data/ball.csv" from "fits/". The path itself, where it is absolute or one
 * of both is not there. NULL when out of memory; else the caller's to free(). */
char *cf_path_from(const char *folder, const char *path);

#endif
