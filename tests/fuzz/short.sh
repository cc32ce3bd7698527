#!/bin/sh
# A minute of fuzzing as a test: builds the fuzzer with clang in a folder of its own, then runs all readers. Skipped (77) where
# there is no clang with libFuzzer.
set -eu
build=$1
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }\n' >"$work/probe.cpp"
clang++ -fsanitize=fuzzer,address,undefined "$work/probe.cpp" -o "$work/probe" 2>/dev/null || {
  echo "skipped: no clang++ with libFuzzer and sanitizers"
  exit 77
}
cmake --preset fuzz -B "$build" >/dev/null
cmake --build "$build" --target fuzz_readers >"$work/log" 2>&1 || { tail -40 "$work/log"; exit 1; }
program=$(find "$build" -name fuzz_readers -type f)
sh tests/fuzz/run.sh "$program" 60
