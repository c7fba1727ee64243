/* SPDX-License-Identifier: Apache-2.0 */
#include <clshard/version.h>

#define TEXT_OF(x) #x
#define VERSION_TEXT(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *clshard_version(void)
{
    return VERSION_TEXT(CLSHARD_VERSION_MAJOR, CLSHARD_VERSION_MINOR, CLSHARD_VERSION_PATCH);
}
