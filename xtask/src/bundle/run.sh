#!/bin/sh
# Runs what this bundle contains on this machine's GPU: `sh run.sh [FOLDER [PART...]]`. Results go to the folder, or to
# ./results; a table is printed at the end. Parts, all of them by default:
#   cases      the tests of the device runtime, and the corpus
#   random_loops  random loop programs, made parallel for a GPU
#   openmp     OpenMP programs, which check themselves
#   nests      nests that `warpfold parallelize` made parallel for a GPU
#   loops      its examples, beside OpenMP by hand
#   sanitizer  reductions under compute-sanitizer, if installed
#   kernels    OpenMP kernels, launched by the driver API
#   peers      reductions by this project and by its peers
#   counters   the GPU's counters of reductions and loops, by Nsight Compute, if installed
#   random     random programs in LLVM IR
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-results}
[ $# -gt 0 ] && shift
parts=${*:-cases openmp random_loops nests loops sanitizer kernels counters peers random}
mkdir -p "$out" && out=$(cd "$out" && pwd) || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
for archive in "$here"/*.tar.xz; do
    xz -dc "$archive" | tar -x --no-same-owner -C "$work" || exit 2
done
export WARPFOLD_CACHE="$work/cache" WARPFOLD_TOOLS="$work/tools.json" WARPFOLD_PTX_FILES="$work/ptx"
export WARPFOLD_DEVICE=cuda OMP_TARGET_OFFLOAD=MANDATORY
# LLVM's host runtime opens libcuda.so, which only CUDA's development files contain.
driver=$(ldconfig -p 2>/dev/null | awk '/libcuda\.so\.1 .*x86-64/ { print $NF; exit }')
[ -n "$driver" ] && ln -s "$driver" "$work/lib/libcuda.so"
openmp_libraries="$work/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
jobs=$(nproc)

# A row has a name, a result and a detail, with tabs between them.
rows="$out/rows.tsv"
: >"$rows"
seconds() { date +%s; }
# measured NAME SECONDS COMMAND...: runs a benchmark, with its output in NAME.log
measured() {
    name=$1 limit=$2 start=$(seconds)
    shift 2
    timeout "$limit" "$@" >"$out/$name.log" 2>&1
    code=$?
    if [ $code -eq 0 ]; then result=ok; else result=FAILED; fi
    printf '%s\t%s\t%s\n' "$name" $result "exit $code, $(($(seconds) - start)) s, see $name.log" >>"$rows"
}

# Runs one program, and compares what it prints. A nest may differ by rounding, which its test decides.
cat >"$work/one" <<'END'
program=$1 name=$(basename "$1") input=/dev/null start=$(date +%s)
[ -e "$program.input" ] && input=$program.input
# Nested regions need more than CUDA's 1024 bytes where code is not optimised (docs/openmp.md).
case $name in *-O0) export LIBOMPTARGET_STACK_SIZE=16384 ;; esac
timeout 120 "$program" <"$input" >"$OUT_DIR/$name.out" 2>"$OUT_DIR/$name.err"
code=$?
if [ $code -ne 0 ]; then result=FAILED
elif sed '/inexact$/d' "$OUT_DIR/$name.out" | cmp -s - "$program.expected"; then result=ok
elif [ -e "$program.input" ]; then result=differs
else result=FAILED; fi
[ $result = ok ] && rm -f "$OUT_DIR/$name.out" "$OUT_DIR/$name.err"
printf '%s\t%s\t%s\n' "$PART $name" $result "exit $code, $(($(date +%s) - start)) s"
END
# programs PART FOLDER: runs all programs of a folder, several at a time
programs() {
    mkdir -p "$out/$1"
    find "$2" -name '*.expected' | sort | sed 's/\.expected$//' | env PART="$1" OUT_DIR="$out/$1" \
        LD_LIBRARY_PATH="$openmp_libraries" xargs -P "$jobs" -n 1 sh "$work/one" >>"$rows"
}

# A process for each case: one that hangs or breaks its context ends alone.
run_cases() {
    mkdir -p "$out/cases"
    cat >"$work/case" <<'END'
name=$1 log="$OUT_DIR/$(echo "$1" | tr : -).log" start=$(date +%s)
timeout 60 "$CASES" --exact "$name" --nocapture >"$log" 2>&1
code=$?
result=FAILED
if [ $code -eq 0 ] && grep -q '^skipped' "$log"; then result=skipped
elif [ $code -eq 0 ]; then result=ok; rm "$log"; fi
printf '%s\t%s\t%s\n' "cases $name" $result "exit $code, $(($(date +%s) - start)) s"
END
    "$work/bin/cases" --list | sed -n 's/: test$//p' | env CASES="$work/bin/cases" OUT_DIR="$out/cases" \
        xargs -P "$jobs" -n 1 sh "$work/case" >>"$rows"
}
# PTX of random programs, and what host and emulator both got.
run_random() {
    mkdir -p "$out/random"
    cat >"$work/replay" <<'END'
name=$(basename "$1" .ptx) start=$(date +%s)
timeout 100 "$PROGRAM" --replay "$1" --device gpu >"$OUT_DIR/$name.log" 2>&1
code=$?
if [ $code -eq 0 ]; then result=ok; else result=FAILED; fi
printf '%s\t%s\t%s\n' "random $name" $result "$(tail -1 "$OUT_DIR/$name.log"), exit $code, $(($(date +%s) - start)) s"
END
    find "$work/random" -name '*.ptx' | sort | env PROGRAM="$work/bin/random-programs" OUT_DIR="$out/random" \
        xargs -P "$jobs" -n 1 sh "$work/replay" >>"$rows"
}
run_random_loops() { programs random-loops "$work/random-loops"; }
run_openmp() { programs openmp "$work/programs"; }
run_nests() { programs nests "$work/nests"; }
run_loops() { programs loops "$work/loops"; }
run_sanitizer() {
    sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda*/bin/compute-sanitizer 2>/dev/null | head -1)
    if [ -z "$sanitizer" ]; then
        printf '%s\t%s\t%s\n' compute-sanitizer none "not installed" >>"$rows"
        return
    fi
    cat >"$work/sanitize" <<'END'
tool=$1 program=$2 start=$(date +%s)
# LLVM's host runtime asks for parameters until there are no more, which is an error of that call.
timeout 150 "$SANITIZER" --tool "$tool" --report-api-errors no --error-exitcode 9 "$program" >"$OUT_DIR/$tool-$(basename "$program").log" 2>&1
code=$?
if [ $code -eq 0 ]; then result=ok; else result=FAILED; fi
printf '%s\t%s\t%s\n' "$tool $(basename "$program")" $result "exit $code, $(($(date +%s) - start)) s"
END
    for tool in memcheck racecheck synccheck; do
        for expected in "$work"/programs/reduce-O2*.expected; do
            [ -e "$expected" ] && printf '%s %s\n' $tool "${expected%.expected}"
        done
    done | env SANITIZER="$sanitizer" OUT_DIR="$out" LD_LIBRARY_PATH="$openmp_libraries" \
        xargs -P 6 -n 2 sh "$work/sanitize" >>"$rows"
}
run_kernels() {
    peer=""
    [ -d "$work/peer" ] && peer="--peer $work/peer"
    # shellcheck disable=SC2086
    measured kernels 200 "$work/bin/benches" openmp --own "$work/own" $peer --json "$out/kernels.json"
}
run_peers() {
    # A process for each row: all sizes of the two that matter most, some of the others, and the largest for two sums.
    for part in "peers --only ours,cub --sizes 10,16,20,24" \
        "peers-others --only typed,pragmas-c,pragmas-fortran,llvm-19,cuda-nvcc,cuda-clang --sizes 20,24 --reductions sum_f32,sum_f64,dot_f64,columns_8" \
        "peers-28 --only ours,cub,pragmas-c --sizes 28 --reductions sum_f32,sum_f64"; do
        # shellcheck disable=SC2086
        set -- $part
        name=$1
        shift
        measured "$name" 200 env LD_LIBRARY_PATH="$openmp_libraries" "$work/bin/benches" peers --programs "$work/peers" \
            "$@" --json "$out/$name.json"
    done
}
run_counters() {
    ncu=$(command -v ncu || ls /usr/local/cuda*/bin/ncu 2>/dev/null | head -1)
    if [ -z "$ncu" ]; then
        printf '%s\t%s\t%s\n' counters none "Nsight Compute is not installed" >>"$rows"
        return
    fi
    # Lines of processes.tsv: the process, what it runs.
    cat >"$work/counted" <<'END'
cd "$WORK" || exit 2
: >"$OUT_DIR/processes.tsv"
run() { sh -c 'printf "%s\t%s\n" $$ "$*" >>"$OUT_DIR/processes.tsv"; exec "$@" >/dev/null' - "$@"; }
for size in 10 16 20 24; do
    for reduction in sum_i32 sum_f32 sum_f64 min_f32 dot_f64; do
        run bin/benches peer ours $reduction $((1 << size)) own 4
        [ -e peers/cub ] && run peers/cub $reduction $((1 << size)) own 4
    done
done
for reduction in sum_f32 sum_f64 dot_f64 columns_8; do
    for peer in pragmas-c llvm-19; do
        case $reduction in columns_8) size=20 ;; *) size=24 ;; esac
        [ -e peers/$peer ] && run peers/$peer $reduction $((1 << size)) one 3
    done
done
for program in loops/*.expected; do run "${program%.expected}" 8; done
END
    metrics=gpu__time_duration.sum,smsp__inst_executed.sum,lts__t_sectors_op_read.sum,dram__bytes_read.sum
    metrics=$metrics,launch__registers_per_thread,launch__grid_size,launch__block_size
    metrics=$metrics,sm__warps_active.avg.pct_of_peak_sustained_active
    # As the GPU is found: clocks are not fixed, and caches keep what the last launch left.
    measured counters 300 env WORK="$work" OUT_DIR="$out" LD_LIBRARY_PATH="$openmp_libraries" "$ncu" \
        --target-processes all --clock-control none --cache-control none --metrics "$metrics" --csv \
        --log-file "$out/counters.csv" sh "$work/counted"
}

gpu=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null | head -1)
for part in $parts; do "run_$part"; done
awk -F '\t' -v gpu="$gpu" 'BEGIN { printf "{\"gpu\": \"%s\", \"rows\": [", gpu }
    { printf "%s\n  {\"name\": \"%s\", \"result\": \"%s\", \"detail\": \"%s\"}", (NR > 1 ? "," : ""), $1, $2, $3 }
    END { print "\n]}" }' "$rows" >"$out/results.json"
for log in kernels peers peers-others peers-28; do [ -e "$out/$log.log" ] && cat "$out/$log.log"; done
echo
echo "${gpu:-no GPU was found}"
awk -F '\t' '$2 != "ok" || $1 !~ / / { printf "%-36s %-7s %s\n", $1, $2, $3 }
    { count[$2]++ } END { for (result in count) printf "%s: %d ", result, count[result]; print "" }' "$rows"
! grep -q FAILED "$rows"
