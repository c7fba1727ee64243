# SPDX-License-Identifier: Apache-2.0
# The one list of warnings, and the one place where sanitizers are switched on.

function(clshard_warnings target)
    if(PROJECT_IS_TOP_LEVEL)
        target_compile_options(
            ${target}
            PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wstrict-prototypes
                    -Wmissing-prototypes -Wvla -Wundef -Wswitch-enum)
    endif()
    if(CLSHARD_WERROR)
        target_compile_options(${target} PRIVATE -Werror)
    endif()
    clshard_sanitize(${target})
endfunction()

function(clshard_sanitize target)
    if(CLSHARD_SANITIZE)
        target_compile_options(${target} PRIVATE -fsanitize=${CLSHARD_SANITIZE} -fno-sanitize-recover=all
                                                 -fno-omit-frame-pointer)
        target_link_options(${target} PRIVATE -fsanitize=${CLSHARD_SANITIZE})
    endif()
endfunction()
