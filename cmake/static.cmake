# The target rigplan_static: the program without any shared library, for machines where nothing can be installed. It links what
# rigplan_program links, from the archives that Debian has; src/cli/static stands in for the three libraries that come without.
# The target is there where all archives are, and is not part of `all`.
set(RIGPLAN_STATIC_MISSING "")
set(rigplan_archives "")
foreach(name ceres glog gflags cholmod spqr cxsparse amd camd ccolamd colamd suitesparseconfig lapack blas unwind lzma pugixml sqlite3)
  # The reference LAPACK and BLAS lie in folders of their own; what stands outside may be another one that needs more archives.
  find_library(RIGPLAN_ARCHIVE_${name} NAMES lib${name}.a PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE} PATH_SUFFIXES ${name} NO_DEFAULT_PATH)
  mark_as_advanced(RIGPLAN_ARCHIVE_${name})
  if(RIGPLAN_ARCHIVE_${name})
    list(APPEND rigplan_archives ${RIGPLAN_ARCHIVE_${name}})
  else()
    list(APPEND RIGPLAN_STATIC_MISSING lib${name}.a)
  endif()
endforeach()
foreach(name gfortran quadmath gomp)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=lib${name}.a OUTPUT_VARIABLE file OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT IS_ABSOLUTE "${file}")
    list(APPEND RIGPLAN_STATIC_MISSING lib${name}.a)
  endif()
endforeach()
if(RIGPLAN_STATIC_MISSING)
  list(JOIN RIGPLAN_STATIC_MISSING ", " missing)
  message(STATUS "no target rigplan_static: ${missing} not found")
  return()
endif()

# libgfortran and its like refer to these weakly; without a strong reference a static link leaves them out, and the program ends
# with a call of nothing.
set(rigplan_threads "")
foreach(name cond_broadcast cond_destroy cond_init cond_wait create getspecific join key_create key_delete mutex_destroy mutex_init
             mutex_lock mutex_trylock mutex_unlock once self setspecific)
  list(APPEND rigplan_threads -Wl,--undefined=pthread_${name})
endforeach()

add_executable(rigplan_static EXCLUDE_FROM_ALL src/cli/main.cpp src/cli/static/fmt.cpp src/cli/static/metis.cpp src/cli/static/spdlog.cpp)
set_target_properties(rigplan_static PROPERTIES UNITY_BUILD OFF RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
target_include_directories(rigplan_static PRIVATE $<TARGET_PROPERTY:rigplan_cli,INTERFACE_INCLUDE_DIRECTORIES>)
target_compile_definitions(rigplan_static PRIVATE SPDLOG_COMPILED_LIB SPDLOG_FMT_EXTERNAL)
add_dependencies(rigplan_static rigplan_cli)
# libunwind has unwinders of its own besides those of libgcc_eh, which come first.
target_link_libraries(rigplan_static PRIVATE -static $<$<CONFIG:Release>:-s> ${rigplan_threads} -lgcc_eh -Wl,--start-group $<TARGET_FILE:rigplan_cli>
  $<TARGET_FILE:rigplan> ${rigplan_archives} -lgfortran -lquadmath -lgomp -Wl,--end-group)
