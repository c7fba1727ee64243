# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by the scripts of tools/: Debian packages and Python venvs, installed once and quietly.

# fail SENTENCE: ends the script.
fail() {
    echo "${0##*/}: error: $*" >&2
    exit 1
}

# as_root COMMAND...: through sudo where that is needed.
as_root() {
    if ((EUID == 0)); then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        fail "'$*' needs root: run it as root, or install sudo"
    fi
}

# quietly COMMAND...: shows the output only when the command fails.
quietly() {
    local log status=0
    log=$(mktemp)
    "$@" >"$log" 2>&1 </dev/null || status=$?
    ((status == 0)) || { cat "$log" >&2 && echo "${0##*/}: '$*' ended with status $status" >&2; }
    rm -f "$log"
    return "$status"
}

# install_packages NAME...: those of the Debian packages that are missing.
install_packages() {
    local name missing=()
    if ! command -v dpkg-query >/dev/null; then
        fail "this is no Debian: install what your system calls $*"
    fi
    for name in "$@"; do
        dpkg-query -W -f '${db:Status-Status}\n' "$name" 2>/dev/null | grep -qx installed ||
            missing+=("$name")
    done
    ((${#missing[@]} > 0)) || return 0
    echo "installing ${missing[*]}"
    # An update that fails is no failure yet: what is needed may be there already.
    quietly as_root env DEBIAN_FRONTEND=noninteractive apt-get -q update || true
    quietly as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get -q -y --no-install-recommends install "${missing[@]}" ||
        fail "apt-get could not install ${missing[*]}"
}

# venv_of FOLDER PIP-ARGUMENT...: a venv with what pip is asked for; made anew only when that changes.
venv_of() {
    local folder=$1 wanted
    shift
    wanted="$*"
    [[ "$(cat "$folder/installed" 2>/dev/null)" == "$wanted" ]] && return 0
    echo "installing $wanted in $folder"
    rm -rf "$folder"
    quietly python3 -m venv "$folder" || fail "python3 -m venv failed (Debian: python3-venv)"
    quietly "$folder/bin/pip" install --disable-pip-version-check "$@" || fail "pip install $wanted failed"
    echo "$wanted" >"$folder/installed"
}
