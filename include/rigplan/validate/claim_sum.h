// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "rigplan/catalog/catalog.h"
#include "rigplan/workload/model_library.h"

namespace rigplan {

/// A sum that cannot be read, or that names what the catalog does not know.
struct SumError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct SumValue {
  double value = 0;
  bool by_price = false;  ///< a market price is in it, so that it is only as good as that
  std::string spelled;    ///< the sum with the catalog's numbers in place of names
};

/// Computes numbers, + - * / ( ), and in square brackets figures of the catalog as its files state them:
///   [gpus.rx-7900-xtx.vram_bandwidth]  960, of "960 GB/s"
///   [price.rx-7900-xtx]                the likely price in yuan
///   [rent.suanjia-rtx-4090]            yuan a card-hour
///   [weights.qwen2.5-32b.Q4_K_M]       GB of the weights
///   [parameters.qwen2.5-32b]           in billions
/// @throws SumError
SumValue compute_sum(std::string_view sum, const Catalog& catalog, ModelLibrary& models);

/// The figure of a catalog entry, as its file states it; nullptr when there is none.
const Figure* find_catalog_figure(const Catalog& catalog, std::string_view family, std::string_view id, std::string_view field);

}  // namespace rigplan
