#!/bin/sh
# The package: what is in it, installing it, the main example of README.md out of it, and that its removal leaves nothing.
#   deb.sh <rigplan program> <build folder>
# With RIGPLAN_BARE_TREE=<a Debian made by debootstrap> (as root) the package is installed there with all that it depends on;
# without, into an empty folder, where the libraries of this machine are used.
. "$(dirname "$0")/../sweep/lib.sh"
. tests/package/main_example.sh
build=$2
for tool in cpack dpkg dpkg-deb dpkg-shlibdeps file; do
  command -v $tool >/dev/null || { echo "skipped: no $tool"; exit 77; }
done

cpack -G DEB --config "$build/CPackConfig.cmake" -B "$work/made" >"$work/out" 2>&1 || { cat "$work/out" >&2; fail "cpack"; }
deb=$(echo "$work"/made/*.deb)
[ -f "$deb" ] || fail "cpack made not one package but: $deb"

# What it says of itself.
field() { dpkg-deb -f "$deb" "$1"; }
[ "$(field Package)" = rigplan ] || fail "the package is named $(field Package)"
[ "rigplan $(field Version)" = "$("$program" --version)" ] || fail "package $(field Version), program $("$program" --version)"
[ "$(field Maintainer)" = "rigplan contributors" ] && [ "$(field Section)" = science ] || fail "maintainer or section"
for library in libc6 libstdc++6 libfmt libpugixml libsqlite3; do
  field Depends | grep -qF "$library" || fail "does not depend on $library: $(field Depends)"
done
field Description | head -1 | grep -q 'GPU rigs' || fail "description"

# What is in it: under /usr alone, all of root's, nothing that others may write.
dpkg-deb -c "$deb" >"$work/list"
awk '{ print $6 }' "$work/list" | sed 's|^\./||' | sort >"$work/names"
! grep -vE '^(usr/.*)?$' "$work/names" >&2 || fail "files outside /usr"
! awk '$2 != "root/root" || substr($1, 6, 1) == "w" || substr($1, 9, 1) == "w"' "$work/list" | grep . >&2 || fail "owner or rights"
for name in bin/rigplan share/bash-completion/completions/rigplan share/zsh/vendor-completions/_rigplan \
    share/fish/vendor_completions.d/rigplan.fish share/doc/rigplan/copyright share/doc/rigplan/README.md \
    share/doc/rigplan/examples/two-7900-xtx.json; do
  grep -qx "usr/$name" "$work/names" || fail "lacks $name"
done
if [ -f "$build/src/cli/man/rigplan.1" ]; then
  for command in $("$program" --help | sed -nE 's/^  ([a-z][a-z-]*) .*/\1/p'); do
    grep -qx "usr/share/man/man1/rigplan-$command.1.gz" "$work/names" || fail "lacks the page of $command"
  done
fi
! grep -E '\.(a|h|cmake)$' "$work/names" >&2 || fail "the library belongs to cmake --install"

everything() { (cd "$1" && find . -path ./var/lib/dpkg -prune -o -path ./var/lib/apt -prune -o -path ./var/log -prune -o \
  -path ./var/cache -prune -o -path ./proc -prune -o -path ./dev -prune -o -path ./tmp -prune -o -print | LC_ALL=C sort); }

if [ -n "${RIGPLAN_BARE_TREE:-}" ]; then
  [ "$(id -u)" = 0 ] || { echo "skipped in the bare tree: not root"; exit 0; }
  tree=$RIGPLAN_BARE_TREE
  inside() { chroot "$tree" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"; }
  everything "$tree" >"$work/before"
  cp "$deb" "$tree/tmp/rigplan.deb"
  inside apt-get install -q -y --no-install-recommends /tmp/rigplan.deb >"$work/out" 2>&1 || { cat "$work/out" >&2; fail "apt-get install"; }
  expect 0 inside rigplan --version; cat "$work/out"
  expect 0 inside rigplan $main_example; same "$work/out" "$work/main_example"
  expect 0 inside rigplan estimate /usr/share/doc/rigplan/examples/two-7900-xtx.json --model qwen2.5-14b
  inside apt-get purge -q -y --autoremove rigplan >"$work/out" 2>&1 || { cat "$work/out" >&2; fail "apt-get purge"; }
  rm "$tree/tmp/rigplan.deb"
else
  tree=$work/tree
  mkdir -p "$tree/var/lib/dpkg/info" "$tree/var/lib/dpkg/updates"
  touch "$tree/var/lib/dpkg/status"
  everything "$tree" >"$work/before"
  packages() { dpkg --root="$tree" --force-not-root --force-depends --log="$work/log" "$@" >"$work/out" 2>&1 || { cat "$work/out" >&2; fail "dpkg $*"; }; }
  packages -i "$deb"
  mkdir "$work/elsewhere"
  outside() { (cd "$work/elsewhere" && env -i PATH=/usr/bin:/bin "$tree/usr/bin/rigplan" "$@"); }
  expect 0 outside --version; cat "$work/out"
  expect 0 outside $main_example; same "$work/out" "$work/main_example"
  expect 0 outside estimate "$tree/usr/share/doc/rigplan/examples/two-7900-xtx.json" --model qwen2.5-14b
  packages -P rigplan
fi
everything "$tree" >"$work/after"
diff "$work/before" "$work/after" >&2 || fail "removal leaves or takes files"
echo "installed, used and removed: $(basename "$deb"), $(wc -c <"$deb") bytes, $(grep -vc '/$' "$work/names") files"
