# What `cmake --install BUILD --prefix X` puts where. Builds for several MPIs may share a prefix: what
# depends on the MPI has its name, the rest is the same for all.
install(TARGETS tutti RUNTIME)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/CHANGELOG.md
        DESTINATION ${CMAKE_INSTALL_DOCDIR})
set_target_properties(tutti PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)

# Man pages are what the command itself says. They are no reason not to build.
find_program(TUTTI_HELP2MAN help2man)
find_package(Python3 COMPONENTS Interpreter)
if(TUTTI_HELP2MAN AND Python3_FOUND AND NOT TUTTI_SANITIZE)
  set(man ${CMAKE_BINARY_DIR}/man)
  set(make_man ${PROJECT_SOURCE_DIR}/tools/make-man)
  add_custom_command(OUTPUT ${man}/tutti.1 COMMENT "Making man pages"
                     COMMAND ${make_man} --tutti $<TARGET_FILE:tutti> --out ${man}
                     DEPENDS tutti ${make_man} ${PROJECT_SOURCE_DIR}/docs/environment.md)
  add_custom_target(tutti_man ALL DEPENDS ${man}/tutti.1)
  install(DIRECTORY ${man}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 OPTIONAL FILES_MATCHING PATTERN "*.1")
  install(DIRECTORY ${man}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man7 OPTIONAL FILES_MATCHING PATTERN "*.7")
elseif(NOT TUTTI_SANITIZE)
  message(STATUS "No man pages: install help2man and python3")
endif()

if(NOT TUTTI_MPI)
  return()
endif()

set(parts ${CMAKE_INSTALL_LIBDIR}/tutti/${TUTTI_MPI})  # the command looks for them there, see src

# Below 1.0 the interface may change with the minor version.
set_target_properties(tutti_mpi tutti_icc PROPERTIES VERSION ${PROJECT_VERSION}
                      SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set_target_properties(tutti_mpi tutti_preload PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
install(TARGETS tutti_mpi tutti_preload tutti_icc tutti_blacs LIBRARY
        DESTINATION ${parts})
# Beside their library; the program is started by `tutti`.
set_target_properties(tutti_icc tutti_blacs tutti-mpi PROPERTIES INSTALL_RPATH "$ORIGIN"
                      INSTALL_RPATH_USE_LINK_PATH ON)
install(TARGETS tutti-mpi RUNTIME DESTINATION ${parts})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/tutti DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# A program must use the MPI that the library was built with, so the package names it. The MPI's own
# C++ bindings are not needed.
set(tutti_mpi_libraries ${MPI_CXX_LIBRARIES})
list(FILTER tutti_mpi_libraries EXCLUDE REGEX "mpi(ch)?_?cxx")
list(TRANSFORM MPI_CXX_INCLUDE_DIRS PREPEND "-I" OUTPUT_VARIABLE tutti_mpi_flags)
list(JOIN tutti_mpi_flags " " tutti_mpi_flags)
list(JOIN tutti_mpi_libraries " " tutti_mpi_link)

# All else is told from where the packages' files stand, so that the folder can be moved.
file(RELATIVE_PATH include_from_cmake ${CMAKE_INSTALL_FULL_LIBDIR}/cmake/tutti ${CMAKE_INSTALL_FULL_INCLUDEDIR})
file(RELATIVE_PATH include_from_pc ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_FULL_INCLUDEDIR})
file(RELATIVE_PATH prefix_from_pc ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})

include(CMakePackageConfigHelpers)
set(package ${CMAKE_CURRENT_BINARY_DIR}/package)
write_basic_package_version_file(${package}/tutti-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
configure_file(cmake/tutti-config.cmake ${package}/tutti-config.cmake COPYONLY)
configure_file(cmake/tutti-mpi.cmake.in ${package}/tutti-mpi-${TUTTI_MPI}.cmake @ONLY)
configure_file(cmake/tutti.pc.in ${package}/tutti-${TUTTI_MPI}.pc @ONLY)
install(FILES ${package}/tutti-config.cmake ${package}/tutti-config-version.cmake
              ${package}/tutti-mpi-${TUTTI_MPI}.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tutti)
install(FILES ${package}/tutti-${TUTTI_MPI}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
