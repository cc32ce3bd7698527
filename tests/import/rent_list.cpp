// SPDX-License-Identifier: Apache-2.0
#include "rigplan/import/rent_list.h"

#include <catch2/catch.hpp>

#include "rigplan/json/data_error.h"

using namespace rigplan;

namespace {

const Catalog& catalog() {
  static const Catalog shipped = read_catalog(built_in_catalog_files());
  return shipped;
}

const RentListOptions options{.provider = "somebody", .date = "2026-11-01"};

const std::string sky_list =
    "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region,GpuInfo,SpotPrice\n"
    "gpu_8x_v100,V100,8.0,92.0,448.0,4.4,us-east-1,\"{'Gpus': [{'Name': 'V100', 'Count': 8.0, 'MemoryInfo': {'SizeInMiB': "
    "16384}}], 'TotalGpuMemoryInMiB': 131072}\",2.2\n"
    "cpu_4x,,,4,16,0.1,us-east-1,,\n"
    "gpu_1x_4090,RTX4090,1,16,60,0.69,eu,,\n"
    "gpu_1x_what,Wunder-9000,1,16,60,0.5,eu,,\n";

}  // namespace

TEST_CASE("A SkyPilot list: prices of an instance are divided by its cards, machines without cards are left out") {
  const auto list = import_rent_list("vms.csv", sky_list, catalog(), options);
  REQUIRE(list.offers.size() == 3);
  CHECK(list.without_gpu == 1);
  const auto& eight = list.offers[0];
  CHECK(eight.cards == 8);
  CHECK(eight.per_card_hour == Money{0.55, "USD"});  // 4.4 / 8
  CHECK(eight.spot_per_card_hour == Money{0.275, "USD"});
  CHECK(eight.id == "somebody-gpu-8x-v100-us-east-1");
  CHECK(list.offers[1].gpu == "rtx-4090");
  CHECK(list.offers[2].gpu.empty());
  CHECK(list.questions.back() == "\"Wunder-9000\" is no card of the catalog, or could be several; its offers have no \"gpu\"");
}

TEST_CASE("A gpuhunt list as CSV and as JSON gives the same offers") {
  const auto csv = import_rent_list("list.csv",
                                    "instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot,disk_size\n"
                                    "i2,us,1.0,30,240,2,A10,24.0,False,\ni3,us,0.4,30,240,1,H100,80.0,True,\n",
                                    catalog(), options);
  const auto json = import_rent_list(
      "list.json",
      R"([{"instance_name": "i2", "location": "us", "price": 1.0, "gpu_count": 2, "gpu_name": "A10", "gpu_memory": 24, "spot": false},
          {"instance_name": "i3", "location": "us", "price": 0.4, "gpu_count": 1, "gpu_name": "H100", "gpu_memory": 80, "spot": true}])",
      catalog(), options);
  REQUIRE(csv.offers.size() == 2);
  REQUIRE(json.offers.size() == 2);
  for (int i = 0; i < 2; ++i) {
    CHECK(csv.offers[i].id == json.offers[i].id);
    CHECK(csv.offers[i].per_card_hour == json.offers[i].per_card_hour);
    CHECK(csv.offers[i].terms == json.offers[i].terms);
  }
  CHECK(csv.offers[0].per_card_hour == Money{0.5, "USD"});
  CHECK(csv.offers[1].terms == "spot");
  // 80 GB of H100 are sold as PCIe card and as module: not guessed.
  CHECK(csv.offers[1].gpu.empty());
  CHECK(csv.questions.size() == (csv.offers[0].gpu.empty() ? 2 : 1));
}

TEST_CASE("Cards are found by the usual spellings and told apart by memory") {
  CHECK(gpu_of_listing(catalog(), "RTX4090", {}) == "rtx-4090");
  CHECK(gpu_of_listing(catalog(), "NVIDIA GeForce RTX 3090", {}) == "rtx-3090");
  CHECK(gpu_of_listing(catalog(), "MI300X", 192 * GiB) == "mi300x");
  CHECK(gpu_of_listing(catalog(), "T4", 16 * GiB) == "t4");
  CHECK(gpu_of_listing(catalog(), "A100", {}).empty());
  CHECK(gpu_of_listing(catalog(), "RTX4090", 80 * GiB).empty());
}

TEST_CASE("What is imported reads back as a catalog file") {
  const auto list = import_rent_list("vms.csv", sky_list, catalog(), options);
  const std::vector<CatalogFile> files{{"rent.json", to_json_text(rent_catalog_json(list, "vms.csv", options))}};
  const auto read = read_catalog(files);
  REQUIRE(read.rent.entries.size() == 3);
  CHECK(read.rent.entries[0].per_card_hour == Money{0.55, "USD"});
  CHECK(read.rent.entries[0].date == "2026-11-01");
}

TEST_CASE("A list that is not one is refused with its place") {
  CHECK_THROWS_WITH(import_rent_list("x.csv", "a,b\n1,2\n", catalog(), options), Catch::Contains("neither AcceleratorName"));
  CHECK_THROWS_WITH(import_rent_list("x.csv", "gpu_name,price\nT4\n", catalog(), options),
                    Catch::Contains("x.csv:2") && Catch::Contains("has 1 fields; the head line has 2"));
  CHECK_THROWS_WITH(import_rent_list("x.csv", "gpu_name,gpu_count,price\nT4,one,2\n", catalog(), options),
                    Catch::Contains("AcceleratorCount is \"one\"") || Catch::Contains("is \"one\"; expected a number"));
  CHECK_THROWS_AS(import_rent_list("x.csv", "", catalog(), options), DataError);
  CHECK_THROWS_AS(import_rent_list("x.json", "[1]", catalog(), options), DataError);
}
