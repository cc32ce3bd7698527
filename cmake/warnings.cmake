# Every warning is an error, with g++ 12 and clang 14 alike.
add_library(rigplan_warnings INTERFACE)
target_compile_options(rigplan_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual -Werror
  # g++ 12 reports uninitialised, overlapping and overrun storage inside std::optional and std::string that is not there.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds>
  # In a unity build the file-local names of one file are seen as globals by the next.
  $<$<BOOL:${CMAKE_UNITY_BUILD}>:-Wno-shadow>)
