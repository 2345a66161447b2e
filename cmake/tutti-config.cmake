# find_package(tutti CONFIG REQUIRED COMPONENTS openmpi) makes the target tutti::tutti, for programs in
# C and C++ with that MPI. Without a component: for the only MPI that Tutti is installed for.
cmake_policy(VERSION 3.22)

set(_tutti_mpis "")
file(GLOB _tutti_files ${CMAKE_CURRENT_LIST_DIR}/tutti-mpi-*.cmake)
foreach(_tutti_file ${_tutti_files})
  get_filename_component(_tutti_name ${_tutti_file} NAME_WE)
  string(REPLACE "tutti-mpi-" "" _tutti_name ${_tutti_name})
  list(APPEND _tutti_mpis ${_tutti_name})
endforeach()
list(JOIN _tutti_mpis " and " _tutti_text)

set(_tutti_mpi ${tutti_FIND_COMPONENTS})
if(NOT _tutti_mpi)
  set(_tutti_mpi ${_tutti_mpis})
endif()
list(LENGTH _tutti_mpi _tutti_number)
if(NOT _tutti_number EQUAL 1)
  set(tutti_NOT_FOUND_MESSAGE
      "Tutti is installed for ${_tutti_text}: name one, as in find_package(tutti COMPONENTS openmpi)")
elseif(NOT _tutti_mpi IN_LIST _tutti_mpis)
  set(tutti_NOT_FOUND_MESSAGE "Tutti is installed for ${_tutti_text}, not for ${_tutti_mpi}")
elseif(TARGET tutti::tutti AND NOT _tutti_mpi STREQUAL tutti_MPI)
  set(tutti_NOT_FOUND_MESSAGE
      "this project already uses Tutti for ${tutti_MPI}: build for ${_tutti_mpi} apart")
endif()
if(tutti_NOT_FOUND_MESSAGE)
  set(tutti_FOUND FALSE)
  return()
endif()

set(tutti_MPI ${_tutti_mpi})
set(tutti_${tutti_MPI}_FOUND TRUE)
if(NOT TARGET tutti::tutti)
  include(${CMAKE_CURRENT_LIST_DIR}/tutti-mpi-${tutti_MPI}.cmake)
endif()
