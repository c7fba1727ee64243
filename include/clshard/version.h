/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_VERSION_H
#define CLSHARD_VERSION_H

/**
 * @file
 * The version of these headers, and of the library that is loaded. CMakeLists.txt reads it from
 * here.
 *
 * Thread class: immutable.
 */

#include <clshard/export.h>

/** Changes that break users. */
#define CLSHARD_VERSION_MAJOR 0
/** Additions; before 1.0 also breaking changes. */
#define CLSHARD_VERSION_MINOR 1
/** Corrections. */
#define CLSHARD_VERSION_PATCH 0

CLSHARD_BEGIN_DECLS

/** The version of the loaded library as "major.minor.patch"; static text. */
CLSHARD_API const char *clshard_version(void);

CLSHARD_END_DECLS

#endif
