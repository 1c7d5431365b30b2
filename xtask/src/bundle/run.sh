#!/bin/sh
# Runs everything in this bundle on this machine's GPU; results go to the folder given, or to ./results. Tests
# first, then compute-sanitizer if installed, then benchmarks. A table is printed at the end.
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-results}
mkdir -p "$out" && out=$(cd "$out" && pwd) || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
xz -dc "$here/files.tar.xz" | tar -x --no-same-owner -C "$work" || exit 2
export WARPFOLD_CACHE="$work/cache" WARPFOLD_TOOLS="$work/tools.json" WARPFOLD_PTX_FILES="$work/ptx"
export WARPFOLD_DEVICE=cuda
# LLVM's host runtime opens libcuda.so, which only CUDA's development files contain.
driver=$(ldconfig -p 2>/dev/null | awk '/libcuda\.so\.1 .*x86-64/ { print $NF; exit }')
[ -n "$driver" ] && ln -s "$driver" "$work/lib/libcuda.so"

table="$out/table.txt"
: >"$table"
json=""
# row NAME RESULT DETAIL
row() {
    printf '%-36s %-7s %s\n' "$1" "$2" "$3" >>"$table"
    json="$json${json:+,}
  {\"name\": \"$1\", \"result\": \"$2\", \"detail\": \"$3\"}"
}
seconds() { date +%s; }

gpu=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null | head -1)
start=$(seconds)
timeout 400 "$work/bin/cases" --test-threads 4 --nocapture >"$out/cases.log" 2>&1
code=$?
counted=$(sed -n 's/^test result: [A-Za-z]*\. \([0-9]* passed; [0-9]* failed\).*/\1/p' "$out/cases.log" | tail -1)
skipped=$(grep -c '^skipped' "$out/cases.log")
if [ $code -eq 0 ] && [ "$skipped" -eq 0 ]; then result=ok; else result=FAILED; fi
row cases $result "$counted, $skipped skipped, $(($(seconds) - start)) s"

for expected in "$work"/programs/*.expected; do
    [ -e "$expected" ] || continue
    program=${expected%.expected}
    name=$(basename "$program")
    start=$(seconds)
    LD_LIBRARY_PATH="$work/lib" OMP_TARGET_OFFLOAD=MANDATORY timeout 120 "$program" >"$out/$name.log" 2>"$out/$name.err"
    code=$?
    if [ $code -eq 0 ] && cmp -s "$out/$name.log" "$expected"; then result=ok; else result=FAILED; fi
    row "openmp $name" $result "exit $code, $(($(seconds) - start)) s"
done

sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda*/bin/compute-sanitizer 2>/dev/null | head -1)
if [ -n "$sanitizer" ]; then
    for tool in memcheck racecheck synccheck; do
        for expected in "$work"/programs/reduce-O2*.expected; do
            [ -e "$expected" ] || continue
            program=${expected%.expected}
            name="$tool $(basename "$program")"
            LD_LIBRARY_PATH="$work/lib" OMP_TARGET_OFFLOAD=MANDATORY timeout 120 "$sanitizer" --tool $tool \
                --error-exitcode 9 "$program" >"$out/$tool-$(basename "$program").log" 2>&1
            code=$?
            if [ $code -eq 0 ]; then result=ok; else result=FAILED; fi
            row "$name" $result "exit $code"
        done
    done
else
    row compute-sanitizer none "not installed"
fi

timeout 200 "$work/bin/warpfold" bench --json="$out/bench.json" >"$out/bench.log" 2>&1
code=$?
if [ $code -eq 0 ]; then result=ok; else result=FAILED; fi
row bench $result "exit $code, see bench.log"

peer=""
[ -d "$work/peer" ] && peer="--peer $work/peer"
timeout 200 "$work/bin/benches" openmp --own "$work/own" $peer --json "$out/openmp.json" >"$out/openmp.log" 2>&1
code=$?
if [ $code -eq 0 ]; then result=ok; else result=FAILED; fi
row "benches openmp" $result "exit $code, see openmp.log"

# All sizes, and the largest for two sums alone: a row is prepared on one core.
for part in "peers 10,16,20,24" "peers-28 28 --reductions sum_f32,sum_f64"; do
    set -- $part
    name=$1 sizes=$2
    shift 2
    LD_LIBRARY_PATH="$work/lib" timeout 400 "$work/bin/benches" peers --programs "$work/peers" --sizes "$sizes" "$@" \
        --json "$out/$name.json" >"$out/$name.log" 2>&1
    code=$?
    if [ $code -eq 0 ]; then result=ok; else result=FAILED; fi
    row "benches $name" $result "exit $code, see $name.log"
done

printf '{"gpu": "%s", "rows": [%s\n]}\n' "$gpu" "$json" >"$out/results.json"
cat "$out/bench.log" "$out/openmp.log" "$out/peers.log" "$out/peers-28.log"
echo
echo "${gpu:-no GPU was found}"
cat "$table"
! grep -q FAILED "$table"
