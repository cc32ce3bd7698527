#!/bin/sh
# One script of Emscripten's two files: its own, and the WebAssembly, compressed, as text.
#   pack.sh <path of both without .js and .wasm>
set -eu
! grep -q '</script' "$1.js" || { echo "pack.sh: the script of Emscripten would end the page's" >&2; exit 1; }
cat "$1.js"
printf 'var rigplan_core_packed = "%s";\n' "$(gzip -9nc "$1.wasm" | base64 -w0)"
