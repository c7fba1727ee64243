#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The static library of the preset release: programs that use it link what it calls, by find_package and
# by pkg-config; wherever CMAKE_INSTALL_LIBDIR puts it, in the prefix or out of it.
set -euo pipefail
# shellcheck source=tests/consume/lib.bash
. "$(dirname "$0")/lib.bash"

static=$scratch/static
# configure CMAKE-ARGUMENT...
configure() {
    quietly env --chdir="$source" cmake --preset release -B "$static" -DBUILD_SHARED_LIBS=OFF "$@"
}

# consume_all PREFIX
consume_all() {
    [[ -e $(library_of "$1")/libclshard.a ]] || fail "no static library in $1"
    [[ -z $(find "$1" -name '*.so*') ]] || fail "a shared library in $1"
    consume c "$1" -Dclshard_DIR="$(library_of "$1")/cmake/clshard"
    consume cxx "$1" -Dclshard_DIR="$(library_of "$1")/cmake/clshard"
    consume_by_pkg_config "$1" --static
}

configure -DCMAKE_INSTALL_LIBDIR=lib/some-machine
quietly cmake --build "$static"
install_to "$scratch/relative" "$static"
[[ -e $scratch/relative/lib/some-machine/libclshard.a ]] || fail "CMAKE_INSTALL_LIBDIR is ignored"
consume_all "$scratch/relative"
"$scratch/relative/bin/clshard" --version >/dev/null || fail "the tool does not run"

# An absolute folder stays where it is, and what lies there still names the prefix.
configure -DCMAKE_INSTALL_PREFIX="$scratch/absolute" -DCMAKE_INSTALL_LIBDIR="$scratch/absolute/own/lib64"
quietly cmake --build "$static"
quietly cmake --install "$static"
[[ -e $scratch/absolute/own/lib64/libclshard.a && -e $scratch/absolute/include/clshard/clshard.h ]] ||
    fail "an absolute CMAKE_INSTALL_LIBDIR is ignored"
consume_all "$scratch/absolute"
