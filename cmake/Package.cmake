# SPDX-License-Identifier: Apache-2.0
# What is installed so that programs find clshard: the CMake package, and clshard.pc for pkg-config. Both
# name what they point to relative to themselves, so a prefix may be moved; parts that were given
# absolute folders (CMAKE_INSTALL_LIBDIR=/...) stay there.

include(CMakePackageConfigHelpers)

set(clshard_cmake_folder ${CMAKE_INSTALL_LIBDIR}/cmake/clshard)
install(TARGETS clshard EXPORT clshardTargets)
install(DIRECTORY include/clshard DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(FILES LICENSE NOTICE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs FILES_MATCHING PATTERN "*.md" PATTERN "man" EXCLUDE)
install(EXPORT clshardTargets NAMESPACE clshard:: DESTINATION ${clshard_cmake_folder})

# A static library leaves what it calls to the program; a shared one has it linked already.
if(BUILD_SHARED_LIBS)
    set(clshard_is_static FALSE)
else()
    set(clshard_is_static TRUE)
endif()
configure_package_config_file(cmake/clshardConfig.cmake.in clshardConfig.cmake
                              INSTALL_DESTINATION ${clshard_cmake_folder}
                              NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
# Before 1.0 a minor version may break users; from 1.0 on only a major one.
if(PROJECT_VERSION_MAJOR EQUAL 0)
    set(clshard_compatibility SameMinorVersion)
else()
    set(clshard_compatibility SameMajorVersion)
endif()
write_basic_package_version_file(clshardConfigVersion.cmake COMPATIBILITY ${clshard_compatibility})
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/clshardConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/clshardConfigVersion.cmake
        DESTINATION ${clshard_cmake_folder})

# clshard_pc_folder OUT FOLDER: how clshard.pc names a folder of ours.
function(clshard_pc_folder out folder)
    if(IS_ABSOLUTE "${folder}")
        set(${out} "${folder}" PARENT_SCOPE)
    else()
        set(${out} "\${prefix}/${folder}" PARENT_SCOPE)
    endif()
endfunction()
clshard_pc_folder(clshard_pc_libdir "${CMAKE_INSTALL_LIBDIR}")
clshard_pc_folder(clshard_pc_includedir "${CMAKE_INSTALL_INCLUDEDIR}")
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
    set(clshard_pc_prefix "${CMAKE_INSTALL_PREFIX}")
else()
    file(RELATIVE_PATH clshard_pc_up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
    string(REGEX REPLACE "/$" "" clshard_pc_up "${clshard_pc_up}")
    set(clshard_pc_prefix "\${pcfiledir}/${clshard_pc_up}")
endif()
configure_file(cmake/clshard.pc.in clshard.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/clshard.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
