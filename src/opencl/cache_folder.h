/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_OPENCL_CACHE_FOLDER_H
#define CLSHARD_OPENCL_CACHE_FOLDER_H

/* The folder of the kernel cache: which one, and whether it may be trusted. What lies in it is
 * handed to drivers, which run it: it must be the user's alone. */

#include <clshard/status.h>

/* The folder's absolute path, which the caller frees: `option`, else CLSHARD_CACHE_DIR ("off" in
 * either: none), else clshard in $XDG_CACHE_HOME or in $HOME/.cache; NULL: none. Touches no file.
 * ARGUMENT for a path of the first two that is not absolute; MEMORY. */
clshard_status clshard__cache_folder_find(const char *option, char **out_path, clshard_error *err);

/* A descriptor of the folder, made when missing, its parents too, for the user alone. -1 where it
 * cannot be had, is a symbolic link or no folder, belongs to another user, or lets others write;
 * *out_problem then says so, and is a literal or what strerror() gave. */
int clshard__cache_folder_open(const char *path, const char **out_problem);

#endif
