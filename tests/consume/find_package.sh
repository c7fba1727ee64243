#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# find_package(clshard 0.1 COMPONENTS core) from C, from C++17, and pkg-config, for an installed shared
# library; and all of it again after the prefix was moved, which leaves no name of the old one behind.
set -euo pipefail
# shellcheck source=tests/consume/lib.bash
. "$(dirname "$0")/lib.bash"

first=$scratch/first second=$scratch/elsewhere/second
install_to "$first"
consume c "$first"
consume cxx "$first"
consume_by_pkg_config "$first"

# The library itself is a chain of links that ends in the full version; programs ask for the minor one.
name=$(readelf -d "$(library_of "$first")/libclshard.so" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
[[ $name =~ ^libclshard\.so\.0\.[0-9]+$ ]] || fail "the soname is '$name'"
[[ -e $(library_of "$first")/$name ]] || fail "$name is not installed"

for file in bin/clshard share/man/man1/clshard.1 share/bash-completion/completions/clshard; do
    [[ -e $first/$file ]] || fail "$file is not installed"
done

mkdir "${second%/*}"
mv "$first" "$second"
! grep -rlF "$first" "$second" || fail "these name the prefix that they were installed to"
consume c "$second"
consume cxx "$second"
consume_by_pkg_config "$second"
"$second/bin/clshard" plan --mesh data=2 --shape 4 --spec data --tsv >/dev/null || fail "the tool does not run"
