# Writes a C++ source that holds the files of data/ as text.
# cmake -D ROOT=<data dir> -D OUTPUT=<file.cpp> -D "FILES=<a,b,c>" -P embed_data.cmake
string(REPLACE "," ";" FILES "${FILES}")
set(source "// Made by cmake/embed_data.cmake from the files of data/.\n#include \"rigplan/json/embedded_data.h\"\n\nnamespace rigplan {\nnamespace {\n\n")
set(table "")
set(index 0)
foreach(name IN LISTS FILES)
  file(READ ${ROOT}/${name} text)
  string(APPEND source "constexpr char file_${index}[] = R\"~data~(${text})~data~\";\n")
  string(APPEND table "    {\"data/${name}\", {file_${index}, sizeof file_${index} - 1}},\n")
  math(EXPR index "${index} + 1")
endforeach()
string(APPEND source "\nconstexpr EmbeddedFile files[] = {\n${table}};\n\n}  // namespace\n\nstd::span<const EmbeddedFile> embedded_files() { return files; }\n\n}  // namespace rigplan\n")
file(WRITE ${OUTPUT} "${source}")
