/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TOOL_SHARD_FILES_H
#define TOOL_SHARD_FILES_H

/* The shards of an array as files, all of them or none. */

#include <clshard/array.h>

/* Writes each position's valid part as FOLDER/NNNN.npy. The folder is made when missing; files of
 * the same name are replaced. On failure nothing new is left behind: `io`, and what the library
 * says about mapping and writing. *out_others: files in the folder that have the name of a position
 * past those of the mesh. */
clshard_status shard_files_write(clshard_array *array, const char *folder, size_t *out_others,
                                 clshard_error *err);

#endif
