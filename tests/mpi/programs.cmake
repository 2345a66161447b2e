# What run.py, tests/cluster/run.py, tools/soak and the evidence start under mpirun, in tests-mpi of the
# build folder: a target for each program, called after its source or its folder.

function(tutti_program source)
  cmake_parse_arguments(ARG "" "" "NEEDS;OPTIONS" ${ARGN})
  get_filename_component(file ${source} NAME)
  string(REGEX REPLACE "[^A-Za-z0-9_]" "_" name ${file})
  if(IS_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/${source})
    file(GLOB source CONFIGURE_DEPENDS ${source}/*.cpp)
  endif()
  set(program program_${name})
  add_executable(${program} ${source})
  list(LENGTH source files)
  if(files GREATER 1)
    set_target_properties(${program} PROPERTIES UNITY_BUILD ${TUTTI_AT_ONCE})
  endif()
  set_target_properties(${program} PROPERTIES OUTPUT_NAME ${name} C_STANDARD 99 C_EXTENSIONS OFF
                        RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests-mpi)
  target_include_directories(${program} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/tests
                             ${PROJECT_SOURCE_DIR}/include)
  # Nothing is measured in them: they are compiled sooner.
  target_compile_options(${program} PRIVATE -O1 ${ARG_OPTIONS})
  if(source MATCHES "[.]f90$")
    target_link_libraries(${program} PRIVATE ${ARG_NEEDS} MPI::MPI_Fortran)
  elseif(source MATCHES "[.]c$")
    target_link_libraries(${program} PRIVATE ${ARG_NEEDS} tutti_warnings MPI::MPI_C)
  else()
    target_link_libraries(${program} PRIVATE ${ARG_NEEDS} tutti_warnings MPI::MPI_CXX)
  endif()
endfunction()

# Those that call Tutti by its own interface.
function(tutti_client source)
  tutti_program(${source} ${ARGN} NEEDS tutti_mpi fmt::fmt Threads::Threads)
endfunction()

tutti_client(differential.cpp)
tutti_client(semantics)
if(TUTTI_SANITIZE)
  return()  # sanitizers are for the library itself
endif()
tutti_client(allocations.cpp)
tutti_client(cxx_api)
tutti_client(grid.cpp)
tutti_client(${PROJECT_SOURCE_DIR}/examples/mpi/api.cpp)

enable_language(C)
enable_language(Fortran)
set(MPI_C_COMPILER mpicc.${TUTTI_MPI} CACHE STRING "The wrapper that knows the flags of C")
set(MPI_Fortran_COMPILER mpifort.${TUTTI_MPI} CACHE STRING "The wrapper that knows the flags of Fortran")
find_package(MPI REQUIRED COMPONENTS C Fortran)
find_library(TUTTI_SCALAPACK scalapack-${TUTTI_MPI} REQUIRED)
find_library(TUTTI_OPENBLAS openblas REQUIRED)

tutti_program(${PROJECT_SOURCE_DIR}/examples/lu/lu.cpp NEEDS tutti_mpi ${TUTTI_OPENBLAS})

# Unchanged programs, which the drop-in stands in front of.
file(GLOB programs CONFIGURE_DEPENDS programs/*.c programs/*.cpp)
list(FILTER programs EXCLUDE REGEX "/(nx|table_1)[.]c$")
foreach(source ${programs})
  tutti_program(${source})
endforeach()
foreach(interface mpif_h use_mpi use_mpi_f08)
  # mpif.h declares no interfaces: one name with scalars and arrays is an error by default.
  tutti_program(programs/${interface}.f90 OPTIONS -fallow-argument-mismatch -w)
endforeach()
tutti_program(programs/nx.c NEEDS tutti_icc tutti_mpi)
tutti_program(programs/table_1.c NEEDS tutti_icc tutti_mpi ${TUTTI_SCALAPACK})

# Counts calls from between a program and the drop-in.
add_library(program_counting_c MODULE counting.c)
set_target_properties(program_counting_c PROPERTIES PREFIX "" SUFFIX "" OUTPUT_NAME counting_c C_STANDARD 99
                      C_EXTENSIONS OFF LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests-mpi)
target_include_directories(program_counting_c PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(program_counting_c PRIVATE tutti_warnings MPI::MPI_C)

foreach(program kept_memory routines scalapack_lu wrong_calls)
  tutti_program(${PROJECT_SOURCE_DIR}/tests/blacs/${program}.cpp NEEDS ${TUTTI_SCALAPACK})
endforeach()
tutti_program(${PROJECT_SOURCE_DIR}/tests/blacs/from_fortran.f90 NEEDS ${TUTTI_SCALAPACK} OPTIONS -Wall)

if(TUTTI_MPI STREQUAL "openmpi")
  tutti_program(${PROJECT_SOURCE_DIR}/tests/cluster/probe.c OPTIONS -D_POSIX_C_SOURCE=200809L)
endif()
