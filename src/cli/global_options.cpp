// SPDX-License-Identifier: Apache-2.0
#include "cli/global_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/session.h"
#include "rigplan/text/language.h"
#include "rigplan/units/message.h"

namespace rigplan {

void add_global_options(CLI::App& app, GlobalOptions& options) {
  app.add_option("--catalog", options.catalog_paths,
                 msg("Lay a catalog file or folder over the built-in one (repeatable; also RIGPLAN_CATALOG)"))
      ->type_name("PATH")
      ->allow_extra_args(false)
      ->group("Everywhere");
  app.add_option("--set", options.overrides, msg("Change one value for this run: gpus.mi50-32gb.price=\"900 yuan\" (repeatable)"))
      ->type_name("ITEM=VALUE")
      ->allow_extra_args(false)
      ->group("Everywhere");
  app.add_option("--fx", options.exchange, msg("Yuan for one unit of a currency: USD=7.2 (repeatable)"))
      ->type_name("CUR=YUAN")
      ->allow_extra_args(false)
      ->group("Everywhere");
  app.add_option("--as-of", options.as_of, msg("Use prices seen up to this date"))->type_name("DATE")->group("Everywhere");
  app.add_option("--max-price-age", options.max_price_age_days, msg("Flag prices older than so many days"))
      ->type_name("DAYS")
      ->check(CLI::Range(1, 36500))
      ->group("Everywhere");
  app.add_flag("--quiet,-q", options.quiet, msg("No notes on stderr"))->group("Everywhere");
  app.add_option("--lang", options.lang, msg("Language for people: en or zh (also RIGPLAN_LANG; else that of the locale)"))
      ->type_name("en|zh")
      ->check([](const std::string& name) {
        return language_named(name) ? std::string{} : fmt::format("\"{}\" is none of en, zh", name);
      })
      ->group("Everywhere");
  app.add_option("--columns", options.screen.columns,
                 msg("Fit tables and lines into so many columns, as a terminal's width does (also COLUMNS)"))
      ->type_name("N")
      ->check(CLI::Range(20, 10'000))
      ->group("Everywhere");
  app.add_flag("--wide", options.screen.wide, msg("All columns of tables and lines of any length, also on a terminal"))
      ->group("Everywhere");
  app.add_option_function<std::string>(
         "--color",
         [&options](const std::string& text) {
           options.screen.colour = text == "always"  ? ColourWish::always
                                   : text == "never" ? ColourWish::never
                                                     : ColourWish::automatic;
         },
         msg("Colours: on a terminal (auto; also NO_COLOR, CLICOLOR_FORCE), always or never"))
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->type_name("auto|always|never")
      ->group("Everywhere");
  app.add_option(
         "--config", options.config,
         msg("Take options from this file (also RIGPLAN_CONFIG; else rigplan.json where there is one). Above it stands the "
             "environment, RIGPLAN_TARIFF for --tariff, and above that the command line"))
      ->type_name("FILE.json")
      ->group("Everywhere");
  app.add_flag("--print-config", options.print_config, msg("Show the value of every option and where it comes from, and end"))
      ->group("Everywhere");
}

}  // namespace rigplan
