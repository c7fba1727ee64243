# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What the scripts of this folder share. Each is called as "bash SCRIPT BUILD SOURCE": a build of clshard,
# and its source tree. A program is built in a folder of its own, from an installed copy alone.

build=$1
source=$2
here=$source/tests/consume
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C
# Where the caller keeps other packages must not decide what is found, nor their flags how it is built.
unset CMAKE_PREFIX_PATH clshard_DIR clshard_ROOT CFLAGS CXXFLAGS LDFLAGS LD_LIBRARY_PATH PKG_CONFIG_PATH DESTDIR

fail() {
    printf 'FAILED: %s\n' "$*" >&2
    exit 1
}

# quietly COMMAND...: shows its output only when it fails.
quietly() {
    "$@" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2 && fail "$*"; }
}

# install_to PREFIX [BUILD]
install_to() {
    quietly cmake --install "${2:-$build}" --prefix "$1"
}

# library_of PREFIX: the folder that holds the library.
library_of() {
    dirname "$(find "$1" -name 'libclshard.so' -o -name 'libclshard.a')"
}

# consume FOLDER PREFIX [CMAKE-ARGUMENT...]: builds and runs that project against what PREFIX holds.
consume() {
    local project=$scratch/project out=$scratch/out folder=$1 prefix=$2
    shift 2
    rm -rf "$project" "$out"
    cp -r "$here/$folder" "$project"
    quietly cmake -G Ninja -S "$project" -B "$out" -DCMAKE_PREFIX_PATH="$prefix" \
        -DCMAKE_EXPORT_COMPILE_COMMANDS=ON "$@"
    quietly cmake --build "$out"
    ! grep -F "$source" "$out/compile_commands.json" || fail "the source tree is used, not $prefix"
    holds_three_rows "$out/program"
}

# consume_by_pkg_config PREFIX [PKG-CONFIG-ARGUMENT...]
consume_by_pkg_config() {
    local prefix=$1 flags
    shift
    flags=$(PKG_CONFIG_PATH=$(library_of "$prefix")/pkgconfig pkg-config "$@" --cflags --libs clshard)
    [[ $flags == *"$prefix"* && $flags != *"$source"* ]] || fail "pkg-config names other folders than $prefix: $flags"
    # shellcheck disable=SC2086 # several words are wanted
    quietly cc -std=c11 -Wall -Wextra -Wpedantic -Werror "$here/c/program.c" $flags \
        -Wl,-rpath,"$(library_of "$prefix")" -o "$scratch/by_pkg_config"
    holds_three_rows "$scratch/by_pkg_config"
}

# holds_three_rows PROGRAM: the program ran, with the version that was installed.
holds_three_rows() {
    local said
    said=$("$1") || fail "$1: $said"
    [[ $said =~ ^clshard\ [0-9]+\.[0-9]+\.[0-9]+:\ position\ 1\ holds\ 3\ rows$ ]] || fail "$1 says: $said"
}
