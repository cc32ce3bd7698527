// SPDX-License-Identifier: Apache-2.0
#include "rigplan/validate/claim_sum.h"

#include <fmt/format.h>

#include "rigplan/units/format.h"
#include "rigplan/units/parse.h"
#include "rigplan/workload/number_format.h"
#include "rigplan/workload/parameters.h"

namespace rigplan {
namespace {

template <class T>
const Figure* figure_on(const Shelf<T>& shelf, std::string_view id, std::string_view field) {
  const auto* entry = shelf.find(id);
  return entry ? find_figure(*entry, field) : nullptr;
}

/// "960" of "960 GB/s".
double number_of_figure(const std::string& text, std::string_view name) {
  std::string digits;
  for (const char c : text) {
    if (c == ',') continue;
    if ((c < '0' || c > '9') && c != '.') break;
    digits += c;
  }
  const auto number = parse_number(digits);
  if (const auto* value = std::get_if<double>(&number)) return *value;
  throw SumError{fmt::format("[{}] is \"{}\", which is no number", name, text)};
}

class SumReader {
 public:
  SumReader(std::string_view text, const Catalog& catalog, ModelLibrary& models)
      : text_{text}, catalog_{catalog}, models_{models} {}

  SumValue read() {
    result_.value = added();
    if (at_ < text_.size()) fail("a number or one of + - * / ( ) [ ]");
    return std::move(result_);
  }

 private:
  char next() {
    while (at_ < text_.size() && text_[at_] == ' ') result_.spelled += text_[at_++];
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  char take() {
    result_.spelled += text_[at_];
    return text_[at_++];
  }
  [[noreturn]] void fail(std::string_view expected) const {
    throw SumError{fmt::format("\"{}\" cannot be computed: at \"{}\", expected {}", text_, text_.substr(at_), expected)};
  }

  double added() {
    double value = multiplied();
    for (char sign = next(); sign == '+' || sign == '-'; sign = next()) {
      take();
      const double other = multiplied();
      value += sign == '+' ? other : -other;
    }
    return value;
  }

  double multiplied() {
    double value = single();
    for (char sign = next(); sign == '*' || sign == '/'; sign = next()) {
      take();
      const double other = single();
      if (sign == '/' && other == 0) throw SumError{fmt::format("\"{}\" divides by nothing", text_)};
      value = sign == '*' ? value * other : value / other;
    }
    return value;
  }

  double single() {
    const char first = next();
    if (first == '(') {
      if (++depth_ > 64) fail("fewer parentheses");
      take();
      const double value = added();
      if (next() != ')') fail(")");
      take();
      --depth_;
      return value;
    }
    return first == '[' ? named() : number();
  }

  double number() {
    const auto start = at_;
    while (at_ < text_.size() && (std::string_view{"0123456789.e"}.find(text_[at_]) != std::string_view::npos)) take();
    const auto number = parse_number(text_.substr(start, at_ - start));
    if (const auto* value = std::get_if<double>(&number)) return *value;
    at_ = start;
    fail("a number");
  }

  double named() {
    const auto end = text_.find(']', at_);
    if (end == std::string_view::npos) fail("]");
    const auto name = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    const double value = value_of(name);
    result_.spelled += format_number(value);
    return value;
  }

  double value_of(std::string_view name) {
    const auto dot = name.find('.');
    if (dot == std::string_view::npos) throw SumError{fmt::format("[{}] is not of the form family.id.field", name)};
    const auto family = name.substr(0, dot), rest = name.substr(dot + 1);
    if (family == "price") return price_of(rest);
    if (family == "rent") return rent_of(rest);
    if (family == "parameters") return count_parameters(model_of_name(rest)).total() / 1e9;
    const auto last = rest.rfind('.');
    if (last == std::string_view::npos) throw SumError{fmt::format("[{}] is not of the form family.id.field", name)};
    const auto id = rest.substr(0, last), field = rest.substr(last + 1);
    if (family == "weights") {
      const auto* mix = find_weight_mix(field);
      if (!mix) throw SumError{fmt::format("[{}]: no number format \"{}\"", name, field)};
      return weight_bytes(model_of_name(id), *mix).total().in(GB);
    }
    const auto* figure = find_catalog_figure(catalog_, family, id, field);
    if (!figure) throw SumError{fmt::format("[{}]: the catalog has no such figure", name)};
    return number_of_figure(figure->value, name);
  }

  double price_of(std::string_view item) {
    const auto price = catalog_.price(item);
    if (!price) throw SumError{fmt::format("[price.{}]: the catalog has no price", item)};
    result_.by_price = true;
    return price->range.likely.in(yuan);
  }

  double rent_of(std::string_view id) {
    const auto* offer = catalog_.rent.find(id);
    const auto price = offer ? catalog_.exchange.convert(offer->per_card_hour) : std::nullopt;
    if (!price) throw SumError{fmt::format("[rent.{}]: the catalog has no such offer", id)};
    result_.by_price = true;
    return price->in(yuan);
  }

  const TransformerModel& model_of_name(std::string_view id) {
    const auto* model = models_.find(id);
    if (!model) throw SumError{fmt::format("no model \"{}\"", id)};
    return *model;
  }

  std::string_view text_;
  const Catalog& catalog_;
  ModelLibrary& models_;
  std::size_t at_ = 0;
  int depth_ = 0;
  SumValue result_;
};

}  // namespace

const Figure* find_catalog_figure(const Catalog& catalog, std::string_view family, std::string_view id, std::string_view field) {
  if (family == "gpus") return figure_on(catalog.gpus, id, field);
  if (family == "architectures") return figure_on(catalog.architectures, id, field);
  if (family == "boards") return figure_on(catalog.boards, id, field);
  if (family == "cpus") return figure_on(catalog.cpus, id, field);
  if (family == "parts") return figure_on(catalog.parts, id, field);
  if (family == "circuits") return figure_on(catalog.circuits, id, field);
  if (family == "tariffs") return figure_on(catalog.tariffs, id, field);
  if (family == "rent") return figure_on(catalog.rent, id, field);
  if (family == "support")
    for (const auto& entry : catalog.support)
      if (entry.id == id) return find_figure(entry, field);
  return nullptr;
}

SumValue compute_sum(std::string_view sum, const Catalog& catalog, ModelLibrary& models) {
  return SumReader{sum, catalog, models}.read();
}

}  // namespace rigplan
