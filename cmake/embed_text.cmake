# Writes a C++ source that holds files as text.
# cmake -D ROOT=<folder> -D OUTPUT=<file.cpp> -D "FILES=<a,b,c>" -D FUNCTION=<name> -D HEADER=<its header> -P embed_text.cmake
string(REPLACE "," ";" FILES "${FILES}")
set(source "// Made by cmake/embed_text.cmake.\n#include \"${HEADER}\"\n\nnamespace rigplan {\nnamespace {\n\n")
set(table "")
set(index 0)
foreach(name IN LISTS FILES)
  file(READ ${ROOT}/${name} text)
  string(APPEND source "constexpr char file_${index}[] = R\"~data~(${text})~data~\";\n")
  string(APPEND table "    {\"${name}\", {file_${index}, sizeof file_${index} - 1}, {}},\n")
  math(EXPR index "${index} + 1")
endforeach()
string(APPEND source "\nconstexpr EmbeddedFile files[] = {\n${table}};\n\n}  // namespace\n\nstd::span<const EmbeddedFile> ${FUNCTION}() { return files; }\n\n}  // namespace rigplan\n")
file(WRITE ${OUTPUT} "${source}")
