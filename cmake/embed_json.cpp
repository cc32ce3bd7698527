// SPDX-License-Identifier: Apache-2.0
// Writes a C++ source that holds the files of data/, each as text and as CBOR, which is read in a third of the time.
//   embed_json FOLDER OUTPUT.cpp FILE...
#include <cstdint>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace {

std::string text_of(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  if (!file) throw std::runtime_error{path + ": cannot be read"};
  return {std::istreambuf_iterator<char>{file}, {}};
}

/// Octal, of three digits each, so that no digit of the text behind can become part of one.
std::string literal_of(const std::vector<std::uint8_t>& bytes) {
  std::string text;
  for (const auto byte : bytes) {
    const char digits[] = {'\\', static_cast<char>('0' + byte / 64), static_cast<char>('0' + byte / 8 % 8),
                           static_cast<char>('0' + byte % 8)};
    text.append(digits, sizeof digits);
  }
  return text;
}

}  // namespace

int main(int count, char** arguments) try {
  if (count < 4) throw std::runtime_error{"usage: embed_json FOLDER OUTPUT.cpp FILE..."};
  const std::string folder = arguments[1];
  std::ofstream source{arguments[2], std::ios::binary};
  source << "// Made by cmake/embed_json.cpp.\n#include \"rigplan/json/embedded_data.h\"\n\nnamespace rigplan {\nnamespace {\n\n";
  std::string table;
  for (int i = 3; i < count; ++i) {
    const std::string name = arguments[i];
    const auto text = text_of(folder + "/" + name);
    // Ordered, because members keep their order; a file that is no JSON ends the build here.
    const auto cbor = nlohmann::ordered_json::to_cbor(nlohmann::ordered_json::parse(text));
    const auto number = std::to_string(i - 3);
    source << "constexpr char text_" << number << "[] = R\"~data~(" << text << ")~data~\";\n"
           << "constexpr char cbor_" << number << "[] = \"" << literal_of(cbor) << "\";\n";
    table += "    {\"data/" + name + "\", {text_" + number + ", sizeof text_" + number + " - 1}, {cbor_" + number +
             ", sizeof cbor_" + number + " - 1}},\n";
  }
  source
      << "\nconstexpr EmbeddedFile files[] = {\n"
      << table
      << "};\n\n}  // namespace\n\nstd::span<const EmbeddedFile> embedded_files() { return files; }\n\n}  // namespace rigplan\n";
  source.close();
  if (!source) throw std::runtime_error{std::string{arguments[2]} + ": cannot be written"};
} catch (const std::exception& error) {
  std::cerr << "embed_json: " << error.what() << '\n';
  return 1;
}
