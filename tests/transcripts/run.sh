#!/bin/sh
# Runs the commands of a transcript and compares what they print with what the transcript says.
#   run.sh <rigplan program> <transcript>
# In a transcript a line "$ rigplan ..." is a command; below it stand its standard output, then its standard error with "! "
# before each line, then "[exit N]" unless N is 0. Lines "# ..." are remarks. Commands run in the repository's root.
# UPDATE_SNAPSHOTS=1 rewrites the file.
set -u
unset COLUMNS CLICOLOR_FORCE 2>/dev/null || true
program=$1
transcript=$(realpath "$2")
cd "$(dirname "$0")/../.."
bin=$(mktemp -d)
trap 'rm -rf "$bin"' EXIT
ln -s "$program" "$bin/rigplan"
PATH=$bin:$PATH
LC_ALL=C.UTF-8  # a developer's own language is not the transcript's
export PATH LC_ALL
unset RIGPLAN_LANG

while IFS= read -r line; do
  case $line in
    '$ '*)
      printf '%s\n' "$line"
      sh -c "${line#\$ }" >"$bin/out" 2>"$bin/err" </dev/null
      code=$?
      cat "$bin/out"
      sed 's/^/! /' "$bin/err"
      [ $code -eq 0 ] || echo "[exit $code]" ;;
    '#  '*) ;;  # the head of a numbered table
    '#'*) printf '%s\n' "$line" ;;
  esac
done <"$transcript" >"$bin/actual"

if [ -n "${UPDATE_SNAPSHOTS:-}" ]; then
  cp "$bin/actual" "$transcript"
elif ! diff -u "$transcript" "$bin/actual"; then
  echo "the output differs from $2; UPDATE_SNAPSHOTS=1 accepts it" >&2
  exit 1
fi
