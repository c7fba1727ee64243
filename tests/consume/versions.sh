#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What find_package accepts: this minor version up to this patch, and the components there are. The
# refusal of another component names them.
set -euo pipefail
# shellcheck source=tests/consume/lib.bash
. "$(dirname "$0")/lib.bash"

prefix=$scratch/prefix
install_to "$prefix"
IFS=. read -r major minor patch < <("$prefix/bin/clshard" --version | cut -d' ' -f2)

# find ARGUMENT...: find_package(clshard ARGUMENT...) in a project of no language.
find() {
    mkdir -p "$scratch/find"
    # shellcheck disable=SC2016 # CMake expands them
    printf 'cmake_minimum_required(VERSION 3.25)\nproject(find LANGUAGES NONE)\nfind_package(clshard %s)\n%s\n' \
        "$*" 'message(STATUS "found=${clshard_FOUND} core=${clshard_core_FOUND}")' >"$scratch/find/CMakeLists.txt"
    cmake -G Ninja -S "$scratch/find" -B "$scratch/find/out" -DCMAKE_PREFIX_PATH="$prefix" >"$scratch/said" 2>&1
}

# refused WORDS ARGUMENT...
refused() {
    local words=$1
    shift
    rm -rf "$scratch/find"
    ! find "$@" || fail "find_package(clshard $*) was accepted"
    # CMake breaks lines where it likes.
    [[ $(tr -s ' \n' ' ' <"$scratch/said") == *"$words"* ]] || fail "'$words' is not in: $(cat "$scratch/said")"
}

# accepted ARGUMENT...
accepted() {
    rm -rf "$scratch/find"
    find "$@" || fail "find_package(clshard $*): $(cat "$scratch/said")"
}

accepted REQUIRED
accepted "$major.$minor" REQUIRED
accepted "$major.$minor.$patch" EXACT REQUIRED
accepted "$major.$minor" REQUIRED COMPONENTS core
grep -q 'core=TRUE' "$scratch/said" || fail "the component core is not reported as found"
refused 'version' "$major.$((minor + 1))" REQUIRED
refused 'version' "$major.$minor.$((patch + 1))" REQUIRED
refused 'version' "$((major + 1))" REQUIRED
((minor == 0)) || refused 'version' "$major.$((minor - 1))" REQUIRED
refused "clshard has no component 'cuda'; its components are: core" "$major.$minor" REQUIRED COMPONENTS core cuda
accepted "$major.$minor" COMPONENTS cuda
grep -q 'found=\(0\|FALSE\) ' "$scratch/said" || fail "a missing component is found: $(cat "$scratch/said")"
accepted "$major.$minor" REQUIRED OPTIONAL_COMPONENTS cuda
grep -q 'found=\(1\|TRUE\) ' "$scratch/said" || fail "a missing optional component hides the package"
