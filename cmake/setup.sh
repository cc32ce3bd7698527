#!/bin/sh
# From a bare Debian 12 (or newer) to a ranking. Installs only what is missing.
#   sh cmake/setup.sh deps   install what the build needs
#   sh cmake/setup.sh run    deps, build, and rank builds for a shipped example
#   sh cmake/setup.sh test   deps, build with all tests, run them, and the example
set -eu
cd "$(dirname "$0")/.."

build_packages="g++ cmake ninja-build libcli11-dev nlohmann-json3-dev libfmt-dev libspdlog-dev libpugixml-dev libceres-dev libsqlite3-dev gettext scdoc"
test_packages="catch2 librapidcheck-dev python3-jsonschema slurmctld slurmd slurm-client parallel locales valgrind file dpkg-dev"

install_missing() {
  missing=""
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
  done
  [ -n "$missing" ] || return 0
  command -v apt-get >/dev/null || { echo "setup.sh: apt-get not found; install the equivalents of:$missing" >&2; exit 2; }
  as_root=""
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || { echo "setup.sh: run as root, or install sudo, or ask an administrator for:$missing" >&2; exit 2; }
    as_root=sudo
  fi
  echo "installing:$missing" >&2
  $as_root apt-get update -q >&2
  # shellcheck disable=SC2086  # a list of packages
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing >&2
}

build() {
  cmake --preset release -D CMAKE_UNITY_BUILD=ON "$@" >&2
  cmake --build --preset release >&2
}

example() {
  echo '$ rigplan rank --model qwen2.5-32b --quant Q4_K_M --context 8192 --users 1 --budget 30000 --top 5' >&2
  build/release/rigplan rank --model qwen2.5-32b --quant Q4_K_M --context 8192 --users 1 --budget 30000 --top 5
}

# shellcheck disable=SC2086
case "${1:-}" in
  deps)
    install_missing $build_packages $test_packages ;;
  run)
    install_missing $build_packages
    build -D RIGPLAN_BUILD_TESTS=OFF
    example ;;
  test)
    install_missing $build_packages $test_packages
    build -D RIGPLAN_BUILD_TESTS=ON
    example
    ctest --preset release --output-on-failure ;;
  *)
    echo "usage: sh cmake/setup.sh deps|run|test" >&2
    exit 2 ;;
esac
