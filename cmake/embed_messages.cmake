# Writes a C++ source that holds a compiled catalog of messages. cmake -D MO=<file.mo> -D FUNCTION=<name> -D OUTPUT=<file.cpp>
#   -P embed_messages.cmake
file(READ ${MO} bytes HEX)
string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${bytes}")
string(REGEX REPLACE "(................................................................................................)" "\\1\"\n\"" bytes "${bytes}")
file(WRITE ${OUTPUT} "// Made by cmake/embed_messages.cmake.
#include \"text/embedded_messages.h\"

namespace rigplan {

static constexpr char messages[] =
\"${bytes}\";

std::string_view ${FUNCTION}() { return {messages, sizeof messages - 1}; }

}  // namespace rigplan
")
