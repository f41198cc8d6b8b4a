/* What is asked of the operating system about files and folders: all of it is here, so that another
 * system needs one other file. What core/file.h offers on top of it is for everyone.
 *
 * Functions that return int return 0 or an errno. */

#ifndef CF_CORE_FILE_SYSTEM_H
#define CF_CORE_FILE_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum cf_file_kind { CF_FILE_REGULAR, CF_FILE_FOLDER, CF_FILE_OTHER };

/* What there is under a path, symbolic links followed. */
struct cf_file_state {
    enum cf_file_kind kind;
    unsigned long long size;          /* bytes; of a regular file */
    unsigned long long device, inode; /* which one it is, whatever its name */
    unsigned permissions;             /* those of owner, group and others: 0 to 0777 */
};

int cf_file_state(const char *path, struct cf_file_state *state);
int cf_file_state_open(int file, struct cf_file_state *state);

/* May this process write an existing file, make a file in an existing folder? */
int cf_file_may_write(const char *path);
int cf_folder_may_hold(const char *path);

/* Where symbolic links lead: a path that is the caller's to free(). NULL where there is nothing, or
 * no memory. */
char *cf_file_real_path(const char *path);

/* Where a file of this path is, or would be once it is made: links that lead to nothing are
 * followed, too. *target is the caller's to free(). */
int cf_file_target(const char *path, char **target);

/* Open for reading; a named pipe is opened without waiting for its other end. */
int cf_file_open(const char *path, int *file);

/* The next bytes, at most `size`, at least 1 but at the end of the file, where *n is 0. */
int cf_file_read_some(int file, char *bytes, size_t size, size_t *n);

/* The same from an offset on, as many as there are. */
int cf_file_read_at(int file, unsigned long long offset, char *bytes, size_t size, size_t *n);

/* A new file in a folder, open for writing and locked, that nothing else can have: its path goes to
 * path[size], which has room for the folder and CF_FILE_NAME_ROOM bytes. Permissions are those that
 * the umask leaves. */
enum { CF_FILE_NAME_ROOM = 48 };
int cf_file_create_in(const char *folder, char *path, size_t size, int *file);

/* Remove such files of processes that are no more, whose locks are gone with them. */
void cf_folder_clear_stale(const char *folder);

/* Write all. */
int cf_file_write_all(int file, const char *bytes, size_t size);

int cf_file_set_permissions(int file, unsigned permissions);

/* Make what was written last, beyond a loss of power. */
int cf_file_sync(int file);

/* The same for the names in a folder; 0 also where a file system cannot. */
int cf_folder_sync(const char *path);

int cf_file_close(int file);

/* A stream whose bytes go to write(owner), in pieces of at most buffer[size], which is the caller's
 * and outlives it; false makes the stream's error flag. NULL when out of memory. */
typedef bool cf_stream_write(void *owner, const char *bytes, size_t size);
FILE *cf_stream_open(cf_stream_write *write, void *owner, char *buffer, size_t size);

/* The folder of temporary files: TMPDIR, or /tmp where that is not set. */
const char *cf_temporary_folder(void);

/* A file there without a name, to write at its end and to read, which is gone once it is closed,
 * also where this process is killed. NULL, with an errno in *code, where that fails. */
FILE *cf_file_temporary(int *code);

/* Take all out of such a file, also what another process has written to it. 0 or an errno. */
int cf_file_empty(FILE *temporary);

/* Copy what a stream still holds to a file without a name, which is gone once it is closed; `path`
 * leads to it as long. NULL, with an errno in *code, where that fails. */
enum { CF_FILE_SPOOL_PATH = 32 };
FILE *cf_file_spool(FILE *from, char path[CF_FILE_SPOOL_PATH], int *code);

/* Put a file in the place of another, at once. */
int cf_file_rename(const char *from, const char *to);
int cf_file_remove(const char *path);

/* A new folder that is this user's alone: `path` ends in XXXXXX, which receives its name. */
int cf_folder_make_temporary(char *path);

/* A new folder; one that is there already is as good. */
int cf_folder_make(const char *path);

/* The names in a folder that end so, in the order of their bytes: (*name)[*n] and each of them are
 * the caller's to free(). */
int cf_folder_list(const char *path, const char *ending, char ***name, size_t *n);

/* Where the file of this program is; NULL where the system does not say. The caller's to free(). */
char *cf_program_path(void);

/* Remove a folder with all that is in it, as far as that can be. Is it gone? */
bool cf_folder_remove(const char *path);

/* Has the reader of a pipe gone, who reads this stream? */
bool cf_stream_unread(FILE *stream);

/* Is a stream a terminal, and how many columns has it? 0 where it is none or does not say. */
bool cf_stream_terminal(FILE *stream, size_t *columns);

#endif
