#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
# Counts of the emulator for what `warpfold parallelize --target gpu --order free` makes of the programs here, beside
# OpenMP by hand, as JSON. `sh counts.sh [WARPFOLD [FOLDER]]` also keeps the programs in a folder, with their output.
set -e
warpfold=${1:-warpfold}
keep=$2
here=$(cd "$(dirname "$0")" && pwd)
out=$(mktemp -d)
trap 'rm -r "$out"' EXIT
cd "$out"
sums() {
  sed -n "s/.*\"$1\": \([0-9]*\),*/\1/p" counts.json | awk '{ s += $1 } END { print s }'
}
echo '{ "command": "sh benches/loops/counts.sh", "machine": "emulated sm_90", "programs": ['
separator=
for name in column_sums bicg histogram argmax covariance forest; do
  "$warpfold" parallelize --target gpu --order free "$here/$name.c" -o "made.c"
  for form in plain one_kernel BY_HAND BY_TEAMS BY_BLOCKS; do
    case $name,$form in
      bicg,one_kernel)
        sed 's/#pragma scop/&\n#pragma warpfold schedule(parallel(i), parallel(j))/' "$here/$name.c" >"one.c"
        "$warpfold" parallelize --target gpu --order free "one.c" -o "made.c"
        "$warpfold" cc -O2 -Wno-unknown-pragmas made.c -o program
        ;;
      *,one_kernel) continue ;;
      *,plain) "$warpfold" cc -O2 -Wno-unknown-pragmas made.c -o program ;;
      bicg,* | histogram,BY_TEAMS | *,BY_HAND) "$warpfold" cc -O2 -D$form "$here/$name.c" -o program ;;
      *) continue ;;
    esac
    result=$("$warpfold" run --counts=counts.json ./program)
    if [ -n "$keep" ]; then
      cp program "$keep/$name-$form"
      echo "$result" >"$keep/$name-$form.expected"
    fi
    printf '%s  { "program": "%s", "form": "%s", "result": "%s", "kernels": %s, "warp_instructions": %s, "thread_instructions": %s, "global_sectors": %s, "atomics": %s }' \
      "$separator" $name $form "$result" "$(grep -c '"kernel"' counts.json)" "$(sums warp_instructions)" \
      "$(sums thread_instructions)" "$(sums global_sectors)" "$(sums atomics)"
    separator=',
'
  done
done
echo
echo '] }'
