#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# add_subdirectory: the project around clshard gets the target clshard::clshard, and nothing else: no
# tests, no tool, no installed files, no warnings, no flags. By default the library is static, as that
# project's own; BUILD_SHARED_LIBS decides.
set -euo pipefail
# shellcheck source=tests/consume/lib.bash
. "$(dirname "$0")/lib.bash"

project=$scratch/project out=$scratch/out
cp -r "$here/subproject" "$project"
cp "$here/c/program.c" "$project/"
ln -s "$source" "$project/clshard"
quietly cmake -G Ninja -S "$project" -B "$out" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
quietly cmake --build "$out"
holds_three_rows "$out/program"
[[ -e $out/clshard/libclshard.a ]] || fail "the library is not what the project's libraries are"

tests=$(cd "$out" && ctest -N | sed -n 's/^Total Tests: //p')
[[ $tests == 1 ]] || fail "the project has 1 test of its own, and ctest finds $tests"
quietly cmake --install "$out" --prefix "$scratch/prefix"
files=$(cd "$scratch/prefix" && find . -type f)
[[ $files == ./bin/program ]] || fail "the project installs bin/program, and now also: $files"
grep '"command"' "$out/compile_commands.json" | grep -F "/clshard/src/" >"$scratch/commands" ||
    fail "no source of clshard is compiled"
! grep -E -- ' -(W[a-z]|O|g|march|fsanitize)' "$scratch/commands" || fail "clshard brings flags of its own"

# Only the configuration: what would be built is the same source.
quietly cmake "$out" -DBUILD_SHARED_LIBS=ON
ninja -C "$out" -t targets all >"$scratch/targets"
grep -q '^clshard/libclshard.so' "$scratch/targets" || fail "BUILD_SHARED_LIBS is ignored"
