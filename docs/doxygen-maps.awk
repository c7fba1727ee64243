# SPDX-License-Identifier: Apache-2.0
# Doxygen's input filter for headers whose enumerators come from a list X(NAME, value, text, ...): it reads
# the list as the enumerators that the compiler sees, each with its text and comment.

# Rows of the list, wherever they stand on a line.
/^#define CLSHARD_[A-Z]+_MAP\(X\)/ { in_list = 1 }
in_list {
    line = $0
    while (match(line, /X\([A-Z0-9_]+, *[0-9]+, *"[^"]*"[^)]*\)/)) {
        split(substr(line, RSTART + 2, RLENGTH - 3), field, /, */)
        line = substr(line, RSTART + RLENGTH)
        text = field[3]
        gsub(/"/, "", text)
        about = ""
        if (4 in field && field[4] != "")
            about = field[4] (field[4] == 1 ? " byte" : " bytes")
        else if (match(line, /^ *\/\*[^*]*\*\//)) {
            about = substr(line, RSTART, RLENGTH)
            gsub(/^ *\/\* *| *\*\/$/, "", about)
        }
        # A row that says nothing stays undocumented, which Doxygen reports.
        if (about != "")
            about = " /**< `" text "`: " about " */"
        values = values "    CLSHARD_" field[1] " = " field[2] "," about "\n"
    }
    in_list = /\\$/
    print
    next
}
/^ *CLSHARD_[A-Z]+_MAP\(CLSHARD__[A-Z]+_ENUM\)/ { printf "%s", values; values = ""; next }
{ print }
