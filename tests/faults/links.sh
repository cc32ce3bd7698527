#!/bin/sh
# Links that lead in a circle or nowhere.
. "$(dirname "$0")/../sweep/lib.sh"
ln -s loop "$work/loop"
expect 2 "$program" topology "$work/loop"
says "Too many levels of symbolic links"
ln -s nowhere "$work/dangling.json"
expect 2 "$program" topology "$work/dangling.json"
says "No such file or directory"
# A folder that holds itself is listed once.
mkdir "$work/catalog"
ln -s . "$work/catalog/self"
printf '{"schema": "rigplan/gpus/1", "gpus": []}' >"$work/catalog/a.json"
expect 0 timeout 20 "$program" catalog check "$work/catalog"
grep -q "^1 file" "$work/out" || fail "a folder that holds itself"
# A catalog file that is a dead link would lose what its owner meant to give: an error, not a file less.
ln -s gone.json "$work/catalog/mine.json"
expect 2 "$program" catalog list gpus --catalog "$work/catalog"
says "mine.json: cannot be read"
rm "$work/catalog/mine.json"
ln -s self.json "$work/catalog/self.json"
expect 2 "$program" catalog list gpus --catalog "$work/catalog"
says "self.json: cannot be read"
